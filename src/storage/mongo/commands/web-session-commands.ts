import { MAX_SESSIONS_OF_USER, type NewWebSession, type WebSession } from '../../../domain/ports/web-session-store.ts';
import type { MongoContext } from '../context.ts';
import { reading, writing } from '../operation-options.ts';
import { raw } from '../raw.ts';
import { userById } from '../views/account-views.ts';
import { demandUser } from './demand-user.ts';

/** Sessions that one call of `pruneWebSessions` removes at most. */
const SLICE_ROWS = 2000;

export async function createSession(context: MongoContext, session: NewWebSession): Promise<WebSession> {
  const { models } = context;
  const { hash, userId, epoch, createdAt, endsAt } = session;
  demandUser((await userById(context, userId)) !== null, userId);
  const row = { _id: hash, userId, epoch, createdAt, usedAt: createdAt, endsAt };
  await raw(models.webSessions).insertOne(row, writing('web_sessions.insert'));
  const surplus = await models.webSessions
    .find({ userId, _id: { $ne: hash } }, { _id: 1 }, reading('web_sessions.surplus'))
    .sort({ usedAt: -1 })
    .skip(MAX_SESSIONS_OF_USER - 1)
    .lean();
  if (surplus.length > 0) {
    const ids = surplus.map(({ _id }) => _id);
    await raw(models.webSessions).deleteMany({ _id: { $in: ids } }, writing('web_sessions.remove'));
  }
  return { hash, userId, createdAt, usedAt: createdAt, endsAt };
}

export async function touchSession({ models }: MongoContext, hash: string, usedAt: number): Promise<void> {
  await raw(models.webSessions).updateOne({ _id: hash }, { $max: { usedAt } }, writing('web_sessions.touch'));
}

export async function endSession({ models }: MongoContext, hash: string): Promise<boolean> {
  return (await raw(models.webSessions).deleteOne({ _id: hash }, writing('web_sessions.end'))).deletedCount > 0;
}

/** The epoch ends them, in one write; also those that somebody is just about to make. */
export async function endSessionsOfUser(context: MongoContext, userId: number): Promise<void> {
  const { models } = context;
  const update = { $inc: { sessionEpoch: 1 } };
  const { matchedCount } = await raw(models.users).updateOne({ _id: userId }, update, writing('users.end_sessions'));
  demandUser(matchedCount > 0, userId);
  await removeSessionsOfUser(context, userId);
}

/** Only takes the room back: they have ended already. */
export async function removeSessionsOfUser({ models }: MongoContext, userId: number): Promise<void> {
  await raw(models.webSessions).deleteMany({ userId }, writing('web_sessions.of_user'));
}

/** Removes a slice of those whose time is over; answers how many. */
export async function pruneWebSessions({ models, now }: MongoContext): Promise<number> {
  const over = { endsAt: { $lte: now() } };
  const rows = await models.webSessions.find(over, { _id: 1 }, reading('web_sessions.over')).limit(SLICE_ROWS).lean();
  if (rows.length > 0) {
    const ids = rows.map(({ _id }) => _id);
    await raw(models.webSessions).deleteMany({ _id: { $in: ids } }, writing('web_sessions.remove'));
  }
  return rows.length;
}
