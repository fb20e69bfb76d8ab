import { MAX_SESSIONS_OF_USER, type NewWebSession, type WebSession } from '../../../domain/ports/web-session-store.ts';
import { userById } from '../views/account-views.ts';
import type { WriteContext } from '../write-context.ts';
import { demandUser } from './demand-user.ts';

export function createSession(context: WriteContext, session: NewWebSession): WebSession {
  const { db } = context;
  const { hash, userId, epoch, createdAt, endsAt } = session;
  demandUser(userById(db, userId) === null ? 0 : 1, userId);
  db.run(
    `DELETE FROM web_sessions WHERE hash IN
      (SELECT hash FROM web_sessions WHERE user_id = ? ORDER BY used_at DESC LIMIT -1 OFFSET ?)`,
    userId,
    MAX_SESSIONS_OF_USER - 1,
  );
  db.run(
    'INSERT INTO web_sessions (hash, user_id, epoch, created_at, used_at, ends_at) VALUES (?, ?, ?, ?, ?, ?)',
    Buffer.from(hash, 'hex'),
    userId,
    epoch,
    createdAt,
    createdAt,
    endsAt,
  );
  return { hash, userId, createdAt, usedAt: createdAt, endsAt };
}

export function touchSession({ db }: WriteContext, hash: string, usedAt: number): void {
  db.run('UPDATE web_sessions SET used_at = max(used_at, ?) WHERE hash = ?', usedAt, Buffer.from(hash, 'hex'));
}

export function endSession({ db }: WriteContext, hash: string): boolean {
  return db.run('DELETE FROM web_sessions WHERE hash = ?', Buffer.from(hash, 'hex')) > 0;
}

/** The epoch ends also those that somebody is just about to make. */
export function endSessionsOfUser({ db }: WriteContext, userId: number): void {
  demandUser(db.run('UPDATE users SET session_epoch = session_epoch + 1 WHERE id = ?', userId), userId);
  db.run('DELETE FROM web_sessions WHERE user_id = ?', userId);
}
