import type { CopyRows } from '../../copy/copy-rows.ts';
import type { CopyPartOf } from './copy-release-parts.ts';
import { TOKEN_COLUMNS, toToken } from '../engine/rows.ts';

const bool = (value: unknown): boolean => value === 1;
const hex = (value: unknown): string => Buffer.from(value as Uint8Array).toString('hex');
const text = (value: unknown): string | null => value as string | null;

/** Copy of users, and of what they sign in with. */
export const ACCOUNT_PARTS: { readonly [P in 'users' | 'tokens' | 'webSessions']: CopyPartOf<CopyRows[P]> } = {
  users: {
    count: 'SELECT count(*) FROM users',
    page: 'SELECT id AS page_key, * FROM users WHERE id > ? ORDER BY id',
    first: 0,
    toRow: (row) => ({
      id: row.id as number,
      username: row.username as string,
      name: row.name as string,
      admin: bool(row.admin),
      blocked: bool(row.blocked),
      passwordHash: row.password_hash as string,
      sessionEpoch: row.session_epoch as number,
      mustChangePassword: bool(row.must_change_password),
      email: text(row.email),
      createdAt: row.created_at as number,
    }),
  },
  tokens: {
    count: 'SELECT count(*) FROM access_tokens',
    page: `SELECT id AS page_key, hash, ${TOKEN_COLUMNS} FROM access_tokens WHERE id > ? ORDER BY id`,
    first: 0,
    toRow: (row) => ({ ...toToken(row), hash: hex(row.hash) }),
  },
  webSessions: {
    count: 'SELECT count(*) FROM web_sessions',
    page: 'SELECT hash AS page_key, * FROM web_sessions WHERE hash > ? ORDER BY hash',
    first: new Uint8Array(),
    toRow: (row) => ({
      hash: hex(row.hash),
      userId: row.user_id as number,
      epoch: row.epoch as number,
      createdAt: row.created_at as number,
      usedAt: row.used_at as number,
      endsAt: row.ends_at as number,
    }),
  },
};
