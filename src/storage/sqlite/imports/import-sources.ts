import type { ImportSource, NewImportSource } from '../../../domain/imports/import.ts';
import { MAX_RESERVED_NUMBER } from '../../errors/error-id.ts';
import { hourOf } from '../../fold.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import { sourceById } from '../errors/import-views.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { requireProject } from '../projects/project-views.ts';
import { unknownImportSource } from '../../refusals.ts';

export function addImportSource({ db }: WriteContext, source: NewImportSource, now: number): ImportSource {
  requireProject(db, source.projectId);
  const known = [source.projectId, source.kind, source.url, source.organization, source.project] as const;
  db.run(
    `INSERT INTO import_sources (project_id, kind, url, organization, project, external_project_id, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
      SET external_project_id = coalesce(excluded.external_project_id, external_project_id)`,
    ...known,
    source.externalProjectId,
    now,
  );
  const id = db.number(
    `SELECT id FROM import_sources
      WHERE project_id = ? AND kind = ? AND url = ? AND organization = ? AND project = ?`,
    ...known,
  );
  return requireSource(db, id);
}

/** Returns the source; throws `not_found` when there is none. */
export function requireSource(db: SqliteDatabase, id: number): ImportSource {
  const source = sourceById(db, id);
  if (source === null) throw unknownImportSource(id);
  return source;
}

/**
 * Sets the time up to which the tracker gets every event. What it got until now stays known there, also when the time
 * is moved back or removed.
 */
export function setBothReceiveUntil({ db, now }: WriteContext, sourceId: number, until: number | null): void {
  const { projectId } = requireSource(db, sourceId);
  const before = knownUntil(db, projectId);
  const own = db.get('SELECT known_until FROM import_sources WHERE id = ?', sourceId)?.known_until ?? null;
  const gone = own === null ? null : Math.min(own as number, now());
  const next = until === null ? gone : Math.max(until, gone ?? until);
  db.run('UPDATE import_sources SET both_receive_until = ?, known_until = ? WHERE id = ?', until, next, sourceId);
  if (next === null || (before !== null && next <= before)) return;
  if (next >= now()) {
    const sql = 'UPDATE errors SET known_both = count - base_count, known_marked = 0 WHERE project_id = ?';
    db.run(sql, projectId);
  } else {
    recountKnownUntil(db, projectId, next);
  }
}

/** Returns the time up to which the project's trackers got every event; null: never. */
export function knownUntil(db: SqliteDatabase, projectId: number): number | null {
  return db.get('SELECT max(known_until) AS until FROM import_sources WHERE project_id = ?', projectId)?.until as
    number | null;
}

/**
 * Counts own events received up to a time in the past: all but those that are stored, or were counted in an hour, after
 * it. Payloads may have been removed, so the greater number of later ones is right.
 */
function recountKnownUntil(db: SqliteDatabase, projectId: number, until: number): void {
  const sql = `SELECT e.id, e.count - e.base_count AS own, e.known_both, e.known_marked,
      (SELECT count(*) FROM events v WHERE v.error_id = e.id AND v.received_at > ?1) AS stored,
      (SELECT coalesce(sum(h.count), 0) FROM error_hours h WHERE h.error_id = e.id AND h.hour > ?2) AS counted,
      (SELECT count(*) FROM known_events k WHERE k.error_id = e.id AND k.known = 1 AND k.received_at > ?1) AS marked
    FROM errors e WHERE e.project_id = ?3 AND e.count > e.base_count`;
  const update = db.prepare('UPDATE errors SET known_both = ?, known_marked = ? WHERE id = ?');
  for (const row of db.all(sql, until, hourOf(until), projectId)) {
    const [own, both, marked] = [row.own as number, row.known_both as number, row.marked as number];
    const earlier = own - Math.max(row.stored as number, row.counted as number, marked);
    update.run(Math.max(earlier, both + (row.known_marked as number) - marked), marked, row.id as number);
  }
}

/** SQLite keeps the greatest number ever given in a table of its own; without a row none was given yet. */
export function reserveErrorNumbers({ db }: WriteContext, upTo: number): void {
  if (upTo > MAX_RESERVED_NUMBER) return;
  const known = db.run("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'errors'", upTo);
  if (known === 0) db.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('errors', ?)", upTo);
}
