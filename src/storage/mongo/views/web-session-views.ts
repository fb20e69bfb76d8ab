import type { Credentials, SignedIn } from '../../../domain/ports/web-session-store.ts';
import type { MongoContext } from '../context.ts';
import { reading } from '../operation-options.ts';
import { toUser } from './account-views.ts';

export async function credentials({ models }: MongoContext, username: string): Promise<Credentials | null> {
  const lower = username.toLowerCase();
  const found = await models.users.findOne({ lower }, {}, reading('users.credentials')).lean();
  if (found === null) return null;
  const { passwordHash, sessionEpoch: epoch, mustChangePassword } = found;
  return { user: toUser(found), passwordHash, epoch, mustChangePassword };
}

export async function sessionByHash({ models }: MongoContext, hash: string): Promise<SignedIn | null> {
  const session = await models.webSessions.findOne({ _id: hash }, {}, reading('web_sessions.by_hash')).lean();
  if (session === null) return null;
  const { userId, epoch, createdAt, usedAt, endsAt } = session;
  const owner = await models.users.findOne({ _id: userId }, {}, reading('users.of_session')).lean();
  if (owner === null || owner.sessionEpoch !== epoch) return null;
  return {
    session: { hash, userId, createdAt, usedAt, endsAt },
    user: toUser(owner),
    mustChangePassword: owner.mustChangePassword,
  };
}
