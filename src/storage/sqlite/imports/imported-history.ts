import type { ActivityEntry } from '../../../domain/errors/error-state.ts';
import type { ErrorNote, ImportedEvent, ImportedRelease } from '../../../domain/imports/import.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { withImportedActivity } from '../../state/imported-activity.ts';
import { activityOf } from '../errors/activity-entries.ts';
import { requireImported } from '../errors/imported-rows.ts';
import { logActivity } from '../updates/activity-rows.ts';
import { queueTerms } from '../updates/rank-queue.ts';
import { requireProject } from '../projects/project-views.ts';

export function addImportedEvents(
  { db }: WriteContext,
  projectId: number,
  errorId: string,
  events: readonly ImportedEvent[],
  now: number,
): void {
  const { id } = requireImported(db, projectId, errorId);
  const insert = db.prepare(
    `INSERT INTO imported_events (project_id, error_id, event_id, at, imported_at, payload) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING`,
  );
  let added = 0;
  for (const { eventId, at, payload } of events) {
    added += Number(insert.run(projectId, id, Buffer.from(eventId, 'hex'), at, now, payload).changes);
  }
  if (added > 0) queueTerms(db, id);
}

export function putNotes({ db }: WriteContext, projectId: number, errorId: string, notes: readonly ErrorNote[]): void {
  const { id } = requireImported(db, projectId, errorId);
  const put = db.prepare(
    'INSERT OR REPLACE INTO error_notes (error_id, external_id, author, at, text) VALUES (?, ?, ?, ?, ?)',
  );
  for (const { externalId, author, at, text } of notes) put.run(id, externalId, author, at, text);
}

export function putActivity(
  { db }: WriteContext,
  projectId: number,
  errorId: string,
  entries: readonly ActivityEntry[],
): void {
  const { id } = requireImported(db, projectId, errorId);
  const log = withImportedActivity(activityOf(db, id), entries);
  if (log === null) return;
  // The log is read in the order of its ids.
  db.run('DELETE FROM error_activity WHERE error_id = ?', id);
  for (const entry of log) logActivity(db, id, entry);
}

/** Adds releases of all environments, which an empty environment stands for. */
export function putReleases({ db }: WriteContext, projectId: number, releases: readonly ImportedRelease[]): void {
  requireProject(db, projectId);
  const put = db.prepare(
    `INSERT INTO releases (project_id, environment, release, first_seen, last_seen) VALUES (?, '', ?, ?, ?)
      ON CONFLICT DO UPDATE SET first_seen = min(first_seen, excluded.first_seen),
        last_seen = max(last_seen, excluded.last_seen)`,
  );
  for (const { release, firstSeen, lastSeen } of releases) put.run(projectId, release, firstSeen, lastSeen);
}
