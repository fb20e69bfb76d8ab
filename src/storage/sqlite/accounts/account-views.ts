import type { AccessToken } from '../../../domain/projects/account.ts';
import type { SignedIn } from '../../../domain/ports/stores/web-session-store.ts';
import { tokens, toToken, toUser, users } from '../../records/kinds/account-kinds.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import { orNull } from '../engine/rows.ts';
import { toRecord } from '../records/record-rows.ts';

// Read by each request, so each is one statement; the other methods about accounts are rules over records.

export function tokenByHash(db: SqliteDatabase, hash: string): AccessToken | null {
  const row = db.get('SELECT * FROM access_tokens WHERE hash = ?', Buffer.from(hash, 'hex'));
  return orNull(row, (found) => toToken(toRecord(tokens, found)));
}

export function sessionByHash(db: SqliteDatabase, hash: string): SignedIn | null {
  const sql = `SELECT u.*, s.created_at AS began_at, s.used_at, s.ends_at, s.browser, s.address, s.second_factor,
      s.identity_id, s.checked_at
    FROM web_sessions s JOIN users u ON u.id = s.user_id AND u.session_epoch = s.epoch WHERE s.hash = ?`;
  return orNull(db.get(sql, Buffer.from(hash, 'hex')), (row) => {
    const user = toRecord(users, row);
    const [createdAt, usedAt, endsAt] = [row.began_at, row.used_at, row.ends_at] as [number, number, number];
    const [browser, address] = [row.browser, row.address] as [string | null, string | null];
    const [identityId, checkedAt] = [row.identity_id, row.checked_at] as [number | null, number | null];
    const secondFactor = row.second_factor === 1;
    const from = { browser, address, secondFactor, identityId, checkedAt };
    const session = { hash, userId: user.id, createdAt, usedAt, endsAt, ...from };
    return { session, user: toUser(user), mustChangePassword: user.mustChangePassword && identityId === null };
  });
}
