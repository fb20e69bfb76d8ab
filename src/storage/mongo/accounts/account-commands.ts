import type { AccessToken, NewAccessToken, NewUser, User, UserPatch } from '../../../domain/projects/account.ts';
import { AppError } from '../../../domain/app-error.ts';
import {
  MAX_SESSIONS_OF_USER,
  type NewWebSession,
  type WebSession,
} from '../../../domain/ports/stores/web-session-store.ts';
import type { MongoContext } from '../engine/context.ts';
import { isDuplicateKey } from '../engine/mongo-errors.ts';
import { nextId } from '../engine/next-id.ts';
import { reading, writing } from '../engine/operation-options.ts';
import { toToken, toUser, userById } from './account-views.ts';
import { unknownUser } from '../../refusals.ts';

export async function createUser({ collections, now }: MongoContext, user: NewUser): Promise<User> {
  const { username, name, admin, passwordHash, mustChangePassword = false, email = null } = user;
  const row = {
    _id: await nextId(collections, 'users'),
    username,
    lower: username.toLowerCase(),
    name,
    admin,
    blocked: false,
    email,
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
  requireUser(matchedCount > 0, userId);
  await removeSessionsOfUser(context, userId);
}

export async function setUserBlocked(context: MongoContext, userId: number, blocked: boolean): Promise<void> {
  const { collections } = context;
  const update = { $set: { blocked }, $inc: { sessionEpoch: 1 } };
  const { matchedCount } = await collections.users.updateOne({ _id: userId }, update, writing('users.set_blocked'));
  requireUser(matchedCount > 0, userId);
  await removeSessionsOfUser(context, userId);
}

export async function updateUser(context: MongoContext, userId: number, patch: UserPatch): Promise<User | null> {
  const { collections } = context;
  const { name, admin, email } = patch;
  const members = {
    ...(name === undefined ? {} : { name }),
    ...(admin === undefined ? {} : { admin }),
    ...(email === undefined ? {} : { email }),
  };
  if (Object.keys(members).length > 0) {
    await collections.users.updateOne({ _id: userId }, { $set: members }, writing('users.update'));
  }
  return userById(context, userId);
}

export async function createToken(context: MongoContext, token: NewAccessToken): Promise<AccessToken> {
  const { collections, now } = context;
  const { userId, name, description = null, hash, scopes, expiresAt } = token;
  requireUser((await userById(context, userId)) !== null, userId);
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

/** Revokes a token; the time of the first revocation stays. */
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

/** Maximum sessions removed per call of `pruneWebSessions`. */
const SLICE_ROWS = 2000;

export async function createSession(context: MongoContext, session: NewWebSession): Promise<WebSession> {
  const { collections } = context;
  const { hash, userId, epoch, createdAt, endsAt } = session;
  requireUser((await userById(context, userId)) !== null, userId);
  const row = { _id: hash, userId, epoch, createdAt, usedAt: createdAt, endsAt };
  await collections.webSessions.insertOne(row, writing('web_sessions.insert'));
  const surplus = await collections.webSessions
    .find({ userId, _id: { $ne: hash } }, reading('web_sessions.surplus', { _id: 1 }))
    .sort({ usedAt: -1 })
    .skip(MAX_SESSIONS_OF_USER - 1)
    .toArray();
  if (surplus.length > 0) {
    const ids = surplus.map(({ _id }) => _id);
    await collections.webSessions.deleteMany({ _id: { $in: ids } }, writing('web_sessions.remove'));
  }
  return { hash, userId, createdAt, usedAt: createdAt, endsAt };
}

export async function touchSession({ collections }: MongoContext, hash: string, usedAt: number): Promise<void> {
  await collections.webSessions.updateOne({ _id: hash }, { $max: { usedAt } }, writing('web_sessions.touch'));
}

export async function endSession({ collections }: MongoContext, hash: string): Promise<boolean> {
  return (await collections.webSessions.deleteOne({ _id: hash }, writing('web_sessions.end'))).deletedCount > 0;
}

/** Ends all sessions of a user in one write, through the epoch. So sessions that are being created end too. */
export async function endSessionsOfUser(context: MongoContext, userId: number): Promise<void> {
  const { collections } = context;
  const update = { $inc: { sessionEpoch: 1 } };
  const { matchedCount } = await collections.users.updateOne({ _id: userId }, update, writing('users.end_sessions'));
  requireUser(matchedCount > 0, userId);
  await removeSessionsOfUser(context, userId);
}

/** Removes ended sessions to free their space. */
async function removeSessionsOfUser({ collections }: MongoContext, userId: number): Promise<void> {
  await collections.webSessions.deleteMany({ userId }, writing('web_sessions.of_user'));
}

/** Removes a slice of expired rows; returns the number removed. */
export async function pruneWebSessions({ collections, now }: MongoContext): Promise<number> {
  const over = { endsAt: { $lte: now() } };
  const rows = await collections.webSessions
    .find(over, reading('web_sessions.over', { _id: 1 }))
    .limit(SLICE_ROWS)
    .toArray();
  if (rows.length > 0) {
    const ids = rows.map(({ _id }) => _id);
    await collections.webSessions.deleteMany({ _id: { $in: ids } }, writing('web_sessions.remove'));
  }
  return rows.length;
}

/** Throws `not_found` when no document was found. */
function requireUser(found: boolean, userId: number): void {
  if (!found) throw unknownUser(userId);
}
