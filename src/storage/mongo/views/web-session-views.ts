import type { Credentials, SignedIn } from '../../../domain/ports/web-session-store.ts';
import type { MongoContext } from '../context.ts';
import { reading } from '../operation-options.ts';
import { toUser } from './account-views.ts';

export async function credentials({ collections }: MongoContext, username: string): Promise<Credentials | null> {
  const lower = username.toLowerCase();
  const found = await collections.users.findOne({ lower }, reading('users.credentials'));
  if (found === null) return null;
  const { passwordHash, sessionEpoch: epoch, mustChangePassword } = found;
  return { user: toUser(found), passwordHash, epoch, mustChangePassword };
}

export async function sessionByHash({ collections }: MongoContext, hash: string): Promise<SignedIn | null> {
  const session = await collections.webSessions.findOne({ _id: hash }, reading('web_sessions.by_hash'));
  if (session === null) return null;
  const { userId, epoch, createdAt, usedAt, endsAt } = session;
  const owner = await collections.users.findOne({ _id: userId }, reading('users.of_session'));
  if (owner === null || owner.sessionEpoch !== epoch) return null;
  return {
    session: { hash, userId, createdAt, usedAt, endsAt },
    user: toUser(owner),
    mustChangePassword: owner.mustChangePassword,
  };
}
