import type { AccessToken, User } from '../../../domain/account.ts';
import type { MongoContext } from '../context.ts';
import type { AccessTokenDocument } from '../models/access-token.ts';
import type { UserDocument } from '../models/user.ts';
import { reading } from '../operation-options.ts';

const USER = { username: 1, name: 1, admin: 1, blocked: 1, createdAt: 1 } as const;
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

export async function userById({ models }: MongoContext, id: number): Promise<User | null> {
  return orNull(await models.users.findOne({ _id: id }, USER, reading('users.by_id')).lean(), toUser);
}

export async function userByName({ models }: MongoContext, username: string): Promise<User | null> {
  const lower = username.toLowerCase();
  return orNull(await models.users.findOne({ lower }, USER, reading('users.by_name')).lean(), toUser);
}

export async function passwordHash({ models }: MongoContext, userId: number): Promise<string | null> {
  const found = await models.users.findOne({ _id: userId }, { passwordHash: 1 }, reading('users.password')).lean();
  return found?.passwordHash ?? null;
}

/** A whole small collection, by its key. */
export async function listUsers({ models }: MongoContext): Promise<User[]> {
  const rows = await models.users.find({}, USER, reading('users.list')).sort({ _id: 1 }).lean();
  return rows.map(toUser);
}

export async function tokenById({ models }: MongoContext, id: number): Promise<AccessToken | null> {
  return orNull(await models.tokens.findOne({ _id: id }, TOKEN, reading('tokens.by_id')).lean(), toToken);
}

export async function tokenByHash({ models }: MongoContext, hash: string): Promise<AccessToken | null> {
  return orNull(await models.tokens.findOne({ hash }, TOKEN, reading('tokens.by_hash')).lean(), toToken);
}

export async function listTokens({ models }: MongoContext, userId: number | null): Promise<AccessToken[]> {
  const query =
    userId === null
      ? models.tokens.find({}, TOKEN, reading('tokens.list'))
      : models.tokens.find({ userId }, TOKEN, reading('tokens.of_user'));
  return (await query.sort({ _id: 1 }).lean()).map(toToken);
}

export function toUser(row: Pick<UserDocument, '_id' | keyof typeof USER>): User {
  const { _id, username, name, admin, blocked, createdAt } = row;
  return { id: _id, username, name, admin, blocked, createdAt };
}

export function toToken(row: Pick<AccessTokenDocument, '_id' | keyof typeof TOKEN>): AccessToken {
  const { _id, description = null, lastUsedAt = null, userId, name, scopes, createdAt, expiresAt, revokedAt } = row;
  return { id: _id, userId, name, description, scopes, createdAt, expiresAt, revokedAt, lastUsedAt };
}

function orNull<D, T>(row: D | null, map: (row: D) => T): T | null {
  return row === null ? null : map(row);
}
