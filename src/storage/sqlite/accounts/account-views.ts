import type { AccessToken, User } from '../../../domain/projects/account.ts';
import type { Credentials, SignedIn } from '../../../domain/ports/stores/web-session-store.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import { orNull, TOKEN_COLUMNS, toToken, toUser, USER_COLUMNS } from '../engine/rows.ts';

export function userById(db: SqliteDatabase, id: number): User | null {
  return orNull(db.get(`SELECT ${USER_COLUMNS} FROM users WHERE id = ?`, id), toUser);
}

export function userByName(db: SqliteDatabase, username: string): User | null {
  return orNull(db.get(`SELECT ${USER_COLUMNS} FROM users WHERE username = ?`, username), toUser);
}

export function passwordHash(db: SqliteDatabase, userId: number): string | null {
  return orNull(db.get('SELECT password_hash FROM users WHERE id = ?', userId), (row) => row.password_hash as string);
}

export function listUsers(db: SqliteDatabase): User[] {
  return db.all(`SELECT ${USER_COLUMNS} FROM users ORDER BY id`).map(toUser);
}

export function tokenById(db: SqliteDatabase, id: number): AccessToken | null {
  return orNull(db.get(`SELECT ${TOKEN_COLUMNS} FROM access_tokens WHERE id = ?`, id), toToken);
}

export function tokenByHash(db: SqliteDatabase, hash: string): AccessToken | null {
  const row = db.get(`SELECT ${TOKEN_COLUMNS} FROM access_tokens WHERE hash = ?`, Buffer.from(hash, 'hex'));
  return orNull(row, toToken);
}

export function listTokens(db: SqliteDatabase, userId: number | null): AccessToken[] {
  const sql = `SELECT ${TOKEN_COLUMNS} FROM access_tokens`;
  const rows = userId === null ? db.all(`${sql} ORDER BY id`) : db.all(`${sql} WHERE user_id = ? ORDER BY id`, userId);
  return rows.map(toToken);
}

export function credentials(db: SqliteDatabase, username: string): Credentials | null {
  const sql = `SELECT ${USER_COLUMNS}, password_hash, session_epoch, must_change_password FROM users WHERE username = ?`;
  return orNull(db.get(sql, username), (row) => ({
    user: toUser(row),
    passwordHash: row.password_hash as string,
    epoch: row.session_epoch as number,
    mustChangePassword: row.must_change_password === 1,
  }));
}

export function sessionByHash(db: SqliteDatabase, hash: string): SignedIn | null {
  const sql = `SELECT u.*, s.created_at AS began_at, s.used_at, s.ends_at
    FROM web_sessions s JOIN users u ON u.id = s.user_id AND u.session_epoch = s.epoch WHERE s.hash = ?`;
  return orNull(db.get(sql, Buffer.from(hash, 'hex')), (row) => ({
    session: {
      hash,
      userId: row.id as number,
      createdAt: row.began_at as number,
      usedAt: row.used_at as number,
      endsAt: row.ends_at as number,
    },
    user: toUser(row),
    mustChangePassword: row.must_change_password === 1,
  }));
}
