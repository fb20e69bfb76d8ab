import type { AccessToken, NewAccessToken, NewUser, User, UserPatch } from '../../../domain/projects/account.ts';
import { AppError } from '../../../domain/app-error.ts';
import {
  MAX_SESSIONS_OF_USER,
  type NewWebSession,
  type WebSession,
} from '../../../domain/ports/stores/web-session-store.ts';
import { tokenById, userById, userByName } from './account-views.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { unknownUser } from '../../refusals.ts';

export function createUser(context: WriteContext, user: NewUser): User {
  const { db } = context;
  if (userByName(db, user.username) !== null) {
    throw new AppError('conflict', `the username "${user.username}" is taken: choose another one`);
  }
  const createdAt = context.now();
  const { email = null } = user;
  const id = db.insert(
    `INSERT INTO users (username, name, admin, password_hash, must_change_password, email, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)`,
    user.username,
    user.name,
    user.admin ? 1 : 0,
    user.passwordHash,
    user.mustChangePassword === true ? 1 : 0,
    email,
    createdAt,
  );
  return { id, username: user.username, name: user.name, admin: user.admin, blocked: false, email, createdAt };
}

export function setPasswordHash(context: WriteContext, userId: number, hash: string, mustChange = false): void {
  endSessionsOfUser(context, userId);
  const sql = 'UPDATE users SET password_hash = ?, must_change_password = ? WHERE id = ?';
  context.db.run(sql, hash, mustChange ? 1 : 0, userId);
}

export function setUserBlocked(context: WriteContext, userId: number, blocked: boolean): void {
  endSessionsOfUser(context, userId);
  context.db.run('UPDATE users SET blocked = ? WHERE id = ?', blocked ? 1 : 0, userId);
}

export function updateUser({ db }: WriteContext, userId: number, patch: UserPatch): User | null {
  const before = userById(db, userId);
  if (before === null) return null;
  const after = { ...before, ...patch };
  const sql = 'UPDATE users SET name = ?, admin = ?, email = ? WHERE id = ?';
  db.run(sql, after.name, after.admin ? 1 : 0, after.email, userId);
  return after;
}

export function createToken(context: WriteContext, token: NewAccessToken): AccessToken {
  const { db } = context;
  requireUser(userById(db, token.userId) === null ? 0 : 1, token.userId);
  const id = db.insert(
    `INSERT INTO access_tokens (user_id, name, description, hash, scopes, created_at, expires_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)`,
    token.userId,
    token.name,
    token.description ?? null,
    Buffer.from(token.hash, 'hex'),
    JSON.stringify(token.scopes),
    context.now(),
    token.expiresAt,
  );
  const created = tokenById(db, id);
  if (created === null) {
    throw new AppError('internal', 'the new token cannot be read back');
  }
  return created;
}

/** Revokes a token; the time of the first revocation stays. */
export function revokeToken(context: WriteContext, id: number): boolean {
  return (
    context.db.run('UPDATE access_tokens SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?', context.now(), id) > 0
  );
}

export function touchToken({ db }: WriteContext, id: number, usedAt: number): void {
  db.run('UPDATE access_tokens SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?', usedAt, id);
}

export function createSession(context: WriteContext, session: NewWebSession): WebSession {
  const { db } = context;
  const { hash, userId, epoch, createdAt, endsAt } = session;
  requireUser(userById(db, userId) === null ? 0 : 1, userId);
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

/** Ends all sessions of a user. Through the new epoch, sessions that are being created end too. */
export function endSessionsOfUser({ db }: WriteContext, userId: number): void {
  requireUser(db.run('UPDATE users SET session_epoch = session_epoch + 1 WHERE id = ?', userId), userId);
  db.run('DELETE FROM web_sessions WHERE user_id = ?', userId);
}

/** Throws `not_found` when no row was found. */
function requireUser(found: number, userId: number): void {
  if (found === 0) {
    throw unknownUser(userId);
  }
}
