import type { Credentials, SignedIn } from '../../../domain/ports/web-session-store.ts';
import type { SqliteDatabase } from '../database.ts';
import { orNull, toUser, USER_COLUMNS } from '../rows.ts';

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
