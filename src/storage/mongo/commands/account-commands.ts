import { AppError } from '../../../domain/app-error.ts';
import type { AccessToken, NewAccessToken, NewUser, User, UserPatch } from '../../../domain/account.ts';
import type { MongoContext } from '../context.ts';
import { isDuplicateKey } from '../mongo-errors.ts';
import { nextId } from '../next-id.ts';
import { reading, writing } from '../operation-options.ts';
import { toToken, toUser, userById } from '../views/account-views.ts';
import { demandUser } from './demand-user.ts';
import { removeSessionsOfUser } from './web-session-commands.ts';

export async function createUser({ collections, now }: MongoContext, user: NewUser): Promise<User> {
  const { username, name, admin, passwordHash, mustChangePassword = false } = user;
  const row = {
    _id: await nextId(collections, 'users'),
    username,
    lower: username.toLowerCase(),
    name,
    admin,
    blocked: false,
    passwordHash,
    sessionEpoch: 0,
    mustChangePassword,
    createdAt: now(),
  };
  try {
    await collections.users.insertOne(row, writing('users.insert'));
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw new AppError('conflict', `the username "${username}" is taken: choose another one`);
  }
  return toUser(row);
}

export async function setPasswordHash(
  context: MongoContext,
  userId: number,
  hash: string,
  mustChange = false,
): Promise<void> {
  const { collections } = context;
  const update = { $set: { passwordHash: hash, mustChangePassword: mustChange }, $inc: { sessionEpoch: 1 } };
  const { matchedCount } = await collections.users.updateOne({ _id: userId }, update, writing('users.set_password'));
  demandUser(matchedCount > 0, userId);
  await removeSessionsOfUser(context, userId);
}

export async function setUserBlocked(context: MongoContext, userId: number, blocked: boolean): Promise<void> {
  const { collections } = context;
  const update = { $set: { blocked }, $inc: { sessionEpoch: 1 } };
  const { matchedCount } = await collections.users.updateOne({ _id: userId }, update, writing('users.set_blocked'));
  demandUser(matchedCount > 0, userId);
  await removeSessionsOfUser(context, userId);
}

export async function updateUser(context: MongoContext, userId: number, patch: UserPatch): Promise<User | null> {
  const { collections } = context;
  const { name, admin } = patch;
  const members = { ...(name === undefined ? {} : { name }), ...(admin === undefined ? {} : { admin }) };
  if (Object.keys(members).length > 0) {
    await collections.users.updateOne({ _id: userId }, { $set: members }, writing('users.update'));
  }
  return userById(context, userId);
}

export async function createToken(context: MongoContext, token: NewAccessToken): Promise<AccessToken> {
  const { collections, now } = context;
  const { userId, name, description = null, hash, scopes, expiresAt } = token;
  demandUser((await userById(context, userId)) !== null, userId);
  const row = {
    _id: await nextId(collections, 'tokens'),
    userId,
    name,
    description,
    hash: hash.toLowerCase(),
    scopes,
    createdAt: now(),
    expiresAt,
    revokedAt: null,
  };
  await collections.tokens.insertOne(row, writing('tokens.insert'));
  return toToken(row);
}

/** The first revocation's time stays. */
export async function revokeToken({ collections, now }: MongoContext, id: number): Promise<boolean> {
  const tokens = collections.tokens;
  const update = { $set: { revokedAt: now() } };
  const { matchedCount } = await tokens.updateOne({ _id: id, revokedAt: null }, update, writing('tokens.revoke'));
  return (
    matchedCount > 0 || (await collections.tokens.findOne({ _id: id }, reading('tokens.exists', { _id: 1 }))) !== null
  );
}

export async function touchToken({ collections }: MongoContext, id: number, usedAt: number): Promise<void> {
  await collections.tokens.updateOne({ _id: id }, { $max: { lastUsedAt: usedAt } }, writing('tokens.touch'));
}
