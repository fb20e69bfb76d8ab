import type { AccessToken } from '../../../domain/projects/account.ts';
import type { SignedIn } from '../../../domain/ports/stores/web-session-store.ts';
import { tokens, toSession, toToken, toUser, users, webSessions } from '../../records/kinds/account-kinds.ts';
import { toRecord } from '../documents/record-documents.ts';
import type { MongoContext } from '../engine/context.ts';
import { reading } from '../engine/operation-options.ts';

// Read by each request; the other methods about accounts are rules over records.

export async function tokenByHash({ collections }: MongoContext, hash: string): Promise<AccessToken | null> {
  const found = await collections.tokens.findOne({ hash }, reading('tokens.by_hash'));
  return found === null ? null : toToken(toRecord(tokens, found));
}

export async function sessionByHash({ collections }: MongoContext, hash: string): Promise<SignedIn | null> {
  const session = await collections.webSessions.findOne({ _id: hash }, reading('web_sessions.by_hash'));
  if (session === null) return null;
  const { userId, epoch } = session;
  const found = await collections.users.findOne({ _id: userId }, reading('users.of_session'));
  if (found === null || found.sessionEpoch !== epoch) return null;
  const user = toUser(toRecord(users, found));
  return {
    session: toSession(toRecord(webSessions, session)),
    user,
    mustChangePassword: found.mustChangePassword && (session.identityId ?? null) === null,
  };
}
