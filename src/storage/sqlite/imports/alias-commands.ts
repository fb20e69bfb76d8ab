import type { AliasResult, NewAlias } from '../../../domain/imports/import.ts';
import { IMPORTED_GROUPING_VERSION } from '../../imports/imported-group-hash.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { requireImported } from '../errors/imported-rows.ts';

export function addAliases(
  { db }: WriteContext,
  projectId: number,
  errorId: string,
  aliases: readonly NewAlias[],
  now: number,
): AliasResult[] {
  const { id, group } = requireImported(db, projectId, errorId);
  return aliases.map((alias) => addAlias(db, projectId, { id, root: group.root }, alias, now));
}

function addAlias(
  db: SqliteDatabase,
  projectId: number,
  { id, root }: { id: number; root: number },
  { groupHash, groupingVersion, origin, weak, takesOver, isFormer }: NewAlias,
  now: number,
): AliasResult {
  const hash = Buffer.from(groupHash, 'hex');
  const rootOf = 'coalesce(e.merged_into, e.id) AS root';
  const known = db.get(
    `SELECT a.error_id, a.ended_at, e.grouping_version, ${rootOf} FROM group_aliases a JOIN errors e ON e.id = a.error_id
      WHERE a.group_hash = ? AND a.project_id = ?`,
    hash,
    projectId,
  );
  if (known !== undefined && known.ended_at !== null) return { kind: 'ended' };
  // Events of this group hash are counted in an error of this store, which another group hash has begun.
  const begun = known === undefined || known.grouping_version === IMPORTED_GROUPING_VERSION ? undefined : known;
  const isOther = known !== undefined && begun === undefined && known.root !== root;
  const own =
    db.get(`SELECT e.id, ${rootOf} FROM errors e WHERE e.leaf = ? AND e.project_id = ?`, hash, projectId) ??
    (begun === undefined ? undefined : { id: begun.error_id, root: begun.root });
  if (isFormer === true && own === undefined && (known === undefined || isOther)) return { kind: 'absent' };
  if (isOther && takesOver !== true) return { kind: 'taken', errorId: String(known.error_id) };
  if (isOther) {
    const sql = 'UPDATE group_aliases SET error_id = ?, origin = ?, weak = ?, created_at = ? WHERE group_hash = ?';
    db.run(sql, id, origin, weak ? 1 : 0, now, hash);
  }
  if (known === undefined) {
    db.run(
      `INSERT INTO group_aliases (group_hash, project_id, error_id, grouping_version, origin, weak, created_at)
        VALUES (?, ?, ?, ?, ?, ?, ?)`,
      ...[hash, projectId, id, groupingVersion, origin, weak ? 1 : 0, now],
    );
  }
  if (own !== undefined && own.root !== root) return { kind: 'own_error', errorId: String(own.id) };
  return { kind: known === undefined || isOther ? 'added' : 'kept' };
}

export function endAlias({ db, now }: WriteContext, projectId: number, groupHash: string): boolean {
  const sql = 'UPDATE group_aliases SET ended_at = ? WHERE group_hash = ? AND project_id = ? AND ended_at IS NULL';
  return db.run(sql, now(), Buffer.from(groupHash, 'hex'), projectId) > 0;
}

/**
 * Ends the aliases that joined errors which a person separates, so that no further pass merges them again. `leaving`:
 * the separated ones of `members`.
 */
export function endAliasesBetween(
  { db, now }: WriteContext,
  members: readonly number[],
  leaving: readonly number[],
): void {
  const rows = db.all(
    `SELECT a.group_hash, a.error_id, e.id FROM group_aliases a JOIN errors e ON e.leaf = a.group_hash
      WHERE a.error_id IN (SELECT value FROM json_each(?)) AND a.ended_at IS NULL AND e.id <> a.error_id`,
    JSON.stringify(members),
  );
  const separated = new Set(leaving);
  const all = new Set(members);
  for (const row of rows) {
    const [imported, own] = [row.error_id as number, row.id as number];
    if (all.has(own) && (separated.has(imported) || separated.has(own))) {
      db.run('UPDATE group_aliases SET ended_at = ? WHERE group_hash = ?', now(), row.group_hash as Uint8Array);
    }
  }
}
