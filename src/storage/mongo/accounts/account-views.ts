import type { AccessToken, User } from '../../../domain/projects/account.ts';
import type { Credentials, SignedIn } from '../../../domain/ports/stores/web-session-store.ts';
import type { AccessTokenDocument, UserDocument } from '../documents/command-documents.ts';
import type { MongoContext } from '../engine/context.ts';
import { reading } from '../engine/operation-options.ts';

const USER = { username: 1, name: 1, admin: 1, blocked: 1, email: 1, createdAt: 1 } as const;
const TOKEN = {
  userId: 1,
  name: 1,
  description: 1,
  scopes: 1,
  createdAt: 1,
  expiresAt: 1,
  revokedAt: 1,
  lastUsedAt: 1,
} as const;

export async function userById({ collections }: MongoContext, id: number): Promise<User | null> {
  return orNull(await collections.users.findOne({ _id: id }, reading('users.by_id', USER)), toUser);
}

export async function userByName({ collections }: MongoContext, username: string): Promise<User | null> {
  const lower = username.toLowerCase();
  return orNull(await collections.users.findOne({ lower }, reading('users.by_name', USER)), toUser);
}

export async function passwordHash({ collections }: MongoContext, userId: number): Promise<string | null> {
  const found = await collections.users.findOne({ _id: userId }, reading('users.password', { passwordHash: 1 }));
  return found?.passwordHash ?? null;
}

/** Reads the whole collection, which is small, in the order of ids. */
export async function listUsers({ collections }: MongoContext): Promise<User[]> {
  const rows = await collections.users.find({}, reading('users.list', USER)).sort({ _id: 1 }).toArray();
  return rows.map(toUser);
}

export async function tokenById({ collections }: MongoContext, id: number): Promise<AccessToken | null> {
  return orNull(await collections.tokens.findOne({ _id: id }, reading('tokens.by_id', TOKEN)), toToken);
}

export async function tokenByHash({ collections }: MongoContext, hash: string): Promise<AccessToken | null> {
  return orNull(await collections.tokens.findOne({ hash }, reading('tokens.by_hash', TOKEN)), toToken);
}

export async function listTokens({ collections }: MongoContext, userId: number | null): Promise<AccessToken[]> {
  const query =
    userId === null
      ? collections.tokens.find({}, reading('tokens.list', TOKEN))
      : collections.tokens.find({ userId }, reading('tokens.of_user', TOKEN));
  return (await query.sort({ _id: 1 }).toArray()).map(toToken);
}

export function toUser(row: Pick<UserDocument, '_id' | keyof typeof USER>): User {
  const { _id, username, name, admin, blocked, email = null, createdAt } = row;
  return { id: _id, username, name, admin, blocked, email, createdAt };
}

export function toToken(row: Pick<AccessTokenDocument, '_id' | keyof typeof TOKEN>): AccessToken {
  const { _id, description = null, lastUsedAt = null, userId, name, scopes, createdAt, expiresAt, revokedAt } = row;
  return { id: _id, userId, name, description, scopes, createdAt, expiresAt, revokedAt, lastUsedAt };
}

function orNull<D, T>(row: D | null, map: (row: D) => T): T | null {
  return row === null ? null : map(row);
}

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
