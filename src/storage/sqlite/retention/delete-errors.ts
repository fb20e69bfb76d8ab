import type { SqliteDatabase } from '../engine/database.ts';
import type { ErrorGroup } from '../errors/error-groups.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { loadGroups } from '../status/bulk-commands.ts';
import { sweepRowsOf } from './error-sweep.ts';
import { PayloadRemoval } from '../blocks/payload-removal.ts';
import { packBlocks } from '../blocks/sparse-blocks.ts';
import { requireRoomForDiscarded } from '../../refusals.ts';

/** Maximum rows that one slice of a removal deletes: some tens of milliseconds. */
const SWEEP_ROWS = 2000;
/** Keys of removed events stay, so that a repeat is not counted again. */
const NO_KEYS = -1;

/** Removes errors at once; `sweepErrors` removes their events and other rows later. Returns the number of errors. */
export function removeErrors(
  { db }: WriteContext,
  projectId: number,
  errorIds: readonly string[],
  discard: boolean,
  userId: number | null,
  now: number,
): number {
  const groups = loadGroups(db, projectId, errorIds);
  if (discard) requireRoom(db, projectId, groups.length);
  for (const group of groups) {
    if (discard) remember(db, projectId, group, userId, now);
    removeGroup(db, projectId, group);
  }
  return groups.length;
}

function requireRoom(db: SqliteDatabase, projectId: number, more: number): void {
  const count = db.number('SELECT count(*) FROM discarded_groups WHERE project_id = ?', projectId);
  requireRoomForDiscarded(count + more);
}

/** Remembers the group hashes that lead to an error, so that their events are dropped. */
function remember(
  db: SqliteDatabase,
  projectId: number,
  { root, members }: ErrorGroup,
  userId: number | null,
  now: number,
): void {
  const id = db.insert(
    `INSERT INTO discarded_groups (project_id, title, type, at, user_id)
      SELECT ?1, coalesce(g.title, e.title), iif(g.id IS NULL, e.type, g.type), ?2, ?3
        FROM errors e LEFT JOIN error_groups g ON g.id = e.id WHERE e.id = ?4`,
    ...[projectId, now, userId, root],
  );
  const ids = JSON.stringify(members);
  db.run(
    `INSERT OR IGNORE INTO discarded_hashes (group_hash, discarded_id)
      SELECT leaf, ?1 FROM errors WHERE id IN (SELECT value FROM json_each(?2))
      UNION SELECT group_hash, ?1 FROM group_aliases
        WHERE error_id IN (SELECT value FROM json_each(?2)) AND ended_at IS NULL`,
    id,
    ids,
  );
}

/** Removes rows of an error that others find it by. An import may bring the same issue again at once. */
function removeGroup(db: SqliteDatabase, projectId: number, { root, members }: ErrorGroup): void {
  const ids = JSON.stringify(members);
  const ofMembers = 'IN (SELECT value FROM json_each(?))';
  removeContinuations(db, projectId, ids);
  for (const table of ['group_aliases', 'external_references', 'imported_errors', 'rank_queue']) {
    db.run(`DELETE FROM ${table} WHERE error_id ${ofMembers}`, ids);
  }
  const texts = JSON.stringify(members.map(String));
  for (const table of ['alert_facts', 'alert_arms']) {
    db.run(`DELETE FROM ${table} WHERE project_id = ? AND error_id ${ofMembers}`, projectId, texts);
  }
  db.run(`INSERT INTO removed_errors (id, project_id) SELECT id, project_id FROM errors WHERE id ${ofMembers}`, ids);
  db.run('DELETE FROM error_groups WHERE id = ?', root);
  db.run(`DELETE FROM errors WHERE id ${ofMembers}`, ids);
}

/** Removes what mapped events went on with, unless it is dropped from now on: other faults must not be dropped too. */
function removeContinuations(db: SqliteDatabase, projectId: number, ids: string): void {
  db.run(
    `DELETE FROM continuations WHERE project_id = ?1 AND group_hash IN
      (SELECT leaf FROM errors WHERE id IN (SELECT value FROM json_each(?2))
        UNION SELECT group_hash FROM group_aliases WHERE error_id IN (SELECT value FROM json_each(?2)))
      AND NOT EXISTS (SELECT 1 FROM discarded_hashes d WHERE d.group_hash = continuations.group_hash)`,
    projectId,
    ids,
  );
}

/**
 * Removes one bounded slice of the rows of removed errors, and then stores the rest of their blocks without their
 * bodies; true when nothing is left.
 */
export function sweepErrors(context: WriteContext): boolean {
  const { db, pruning } = context;
  const removal = new PayloadRemoval(db, NO_KEYS);
  let left = SWEEP_ROWS;
  for (const row of db.all('SELECT id, project_id FROM removed_errors ORDER BY id LIMIT 200')) {
    const [id, projectId] = [row.id as number, row.project_id as number];
    left -= removeEvents(db, removal, projectId, id, left);
    if (left <= 0) break;
    const rows = sweepRowsOf(db, id, left);
    if (rows.done) db.run('DELETE FROM removed_errors WHERE id = ?', id);
    left -= rows.removed;
    if (left <= 0) break;
  }
  removal.finish(pruning.cleared);
  if (db.get('SELECT 1 FROM removed_errors') !== undefined) return false;
  packBlocks(context, pruning.cleared, () => true);
  return pruning.cleared.size === 0;
}

function removeEvents(
  db: SqliteDatabase,
  removal: PayloadRemoval,
  projectId: number,
  errorId: number,
  limit: number,
): number {
  const events = db.all(
    `SELECT v.id, k.event_id FROM events v LEFT JOIN event_keys k ON k.id = v.id WHERE v.error_id = ? LIMIT ?`,
    errorId,
    limit,
  );
  for (const { id, event_id: eventId } of events) {
    db.run('DELETE FROM event_reports WHERE project_id = ? AND event_id = ?', projectId, eventId ?? null);
    removal.remove(id as number, errorId);
  }
  return events.length;
}

export function restoreDiscarded({ db }: WriteContext, projectId: number, id: number): boolean {
  return db.run('DELETE FROM discarded_groups WHERE id = ? AND project_id = ?', id, projectId) > 0;
}
