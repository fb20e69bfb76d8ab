import { MAX_SESSIONS_OF_USER, type NewWebSession, type WebSession } from '../../../domain/ports/web-session-store.ts';
import type { MongoContext } from '../context.ts';
import { reading, writing } from '../operation-options.ts';
import { userById } from '../views/account-views.ts';
import { demandUser } from './demand-user.ts';

/** Sessions that one call of `pruneWebSessions` removes at most. */
const SLICE_ROWS = 2000;

export async function createSession(context: MongoContext, session: NewWebSession): Promise<WebSession> {
  const { collections } = context;
  const { hash, userId, epoch, createdAt, endsAt } = session;
  demandUser((await userById(context, userId)) !== null, userId);
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

/** The epoch ends them, in one write; also those that somebody is just about to make. */
export async function endSessionsOfUser(context: MongoContext, userId: number): Promise<void> {
  const { collections } = context;
  const update = { $inc: { sessionEpoch: 1 } };
  const { matchedCount } = await collections.users.updateOne({ _id: userId }, update, writing('users.end_sessions'));
  demandUser(matchedCount > 0, userId);
  await removeSessionsOfUser(context, userId);
}

/** Only takes the room back: they have ended already. */
export async function removeSessionsOfUser({ collections }: MongoContext, userId: number): Promise<void> {
  await collections.webSessions.deleteMany({ userId }, writing('web_sessions.of_user'));
}

/** Removes a slice of those whose time is over; answers how many. */
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
