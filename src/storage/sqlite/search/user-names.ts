import { hashOfIdentity, hashOfName, IDENTITIES } from '../../../lib/user-hash.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import { getMeta } from '../engine/meta.ts';
import { MAX_USERS_OF_NAME } from '../../limits.ts';

/** Returns the hashes in hex of at most MAX_USERS_OF_NAME users with an id, e-mail address, user name or IP address. */
export function usersNamed(db: SqliteDatabase, projectId: number, name: string): string[] {
  const salt = getMeta(db, 'user_salt');
  if (salt === null) return [];
  const text = name.trim();
  const own = IDENTITIES.map((kind) => hashOfIdentity(salt, projectId, `${kind}:${text}`));
  const named = db.all(
    `SELECT lower(hex(user_hash)) AS hash FROM user_names WHERE project_id = ? AND name_hash = ? LIMIT ${MAX_USERS_OF_NAME}`,
    projectId,
    Buffer.from(hashOfName(salt, projectId, text), 'hex'),
  );
  return [...new Set([...own, ...named.map(({ hash }) => hash as string)])];
}
