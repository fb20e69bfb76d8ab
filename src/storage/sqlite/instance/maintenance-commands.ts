import { firstAuditId } from '../../../domain/audit/audit-event.ts';
import type { PruneLimits, PruneProgress } from '../../../domain/ports/stores/maintenance-store.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { getMeta } from '../engine/meta.ts';
import { sweepErrors } from '../retention/delete-errors.ts';
import { sweepProject } from '../retention/remove-project.ts';
import { packEvents } from '../blocks/pack-events.ts';
import { pruneAlerts } from '../retention/prune-alerts.ts';
import { pruneCrowded } from '../blocks/prune-crowded.ts';
import { pruneKeys, pruneOldEvents } from '../blocks/prune-events.ts';
import { pruneImportedEvents, pruneImportRows } from '../retention/prune-imports.ts';
import { pruneReports, pruneSessions } from '../blocks/prune-sessions.ts';
import { HOUR_MS } from '../../../domain/durations.ts';

/** Maximum rows removed per table and call: some tens of milliseconds of one write transaction. */
const SLICE_ROWS = 2000;
/** Maximum free pages returned to the file system per call: 8 MB. */
const VACUUM_PAGES = 2000;

/** Returns the key of a lease, whose `meta` row has its end (milliseconds since the epoch) and its owner. */
const leaseKey = (name: string): string => `lease:${name}`;

export function acquireLease({ db, now }: WriteContext, name: string, owner: string, ttlMs: number): boolean {
  const lease = readLease(db, name);
  if (lease !== null && lease.owner !== owner && lease.until > now()) {
    return false;
  }
  db.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', leaseKey(name), `${now() + ttlMs} ${owner}`);
  return true;
}

export function releaseLease({ db }: WriteContext, name: string, owner: string): void {
  if (readLease(db, name)?.owner === owner) {
    db.run('DELETE FROM meta WHERE key = ?', leaseKey(name));
  }
}

function readLease(db: SqliteDatabase, name: string): { until: number; owner: string } | null {
  const value = getMeta(db, leaseKey(name));
  const space = value?.indexOf(' ') ?? -1;
  return value === null ? null : { until: Number(value.slice(0, space)), owner: value.slice(space + 1) };
}

/** Removes one slice of expired data, and returns free space to the file system. */
export function prune(context: WriteContext, limits: PruneLimits): PruneProgress {
  const { db } = context;
  const { oldestLeft, ...byAge } = pruneOldEvents(context, limits);
  const imported = pruneImportedEvents(db, oldestLeft);
  const byCap = pruneCrowded(context, limits);
  const payloads = {
    events: byAge.events + byCap.events + imported.events,
    bytes: byAge.bytes + byCap.bytes + imported.bytes,
    keys: byAge.keys + byCap.keys,
  };
  const idle = payloads.events === 0 && !byCap.busy;
  if (limits.payloadsOnly === true) {
    const vacuumed = giveBackSpace(db);
    return { ...payloads, done: idle && vacuumed };
  }
  const keys = pruneKeys(context, limits.keysReceivedBefore);
  const hours = db.run(
    'DELETE FROM error_hours WHERE (error_id, hour) IN (SELECT error_id, hour FROM error_hours WHERE hour < ? LIMIT ?)',
    Math.floor(limits.hoursBefore / HOUR_MS),
    SLICE_ROWS,
  );
  const outcomes = db.run(
    `DELETE FROM outcomes WHERE (project_id, hour, key_id, category, outcome, reason) IN
      (SELECT project_id, hour, key_id, category, outcome, reason FROM outcomes WHERE hour < ? LIMIT ?)`,
    Math.floor(limits.outcomesBefore / HOUR_MS),
    SLICE_ROWS,
  );
  const others = pruneImportRows(db, limits, SLICE_ROWS) + pruneAlerts(db, limits, SLICE_ROWS) + pruneAudit(db, limits);
  const rest = others + pruneSessions(db, limits, SLICE_ROWS) + (idle ? pruneReports(db, limits, SLICE_ROWS) : 0);
  const webSessions = db.run(
    'DELETE FROM web_sessions WHERE hash IN (SELECT hash FROM web_sessions WHERE ends_at <= ? LIMIT ?)',
    context.now(),
    SLICE_ROWS,
  );
  const swept = sweepOneProject(context) && sweepErrors(context);
  const names = context.userNames.prune(db, context.now(), SLICE_ROWS);
  const packed = !idle || limits.packReceivedBefore === undefined || packEvents(context, limits.packReceivedBefore);
  const vacuumed = giveBackSpace(db);
  const done = idle && packed && hours + outcomes + rest + webSessions + names === 0 && keys.done && swept && vacuumed;
  return { ...payloads, keys: payloads.keys + keys.removed, done };
}

/** Removes old events of the audit log; returns their number. */
function pruneAudit(db: SqliteDatabase, { auditBefore }: PruneLimits): number {
  if (auditBefore === undefined) return 0;
  const old = 'SELECT id FROM audit_events WHERE id < ? ORDER BY id LIMIT ?';
  return db.run(`DELETE FROM audit_events WHERE id IN (${old})`, firstAuditId(auditBefore), SLICE_ROWS);
}

/**
 * Continues removals that a crash interrupted, up to one slice of a large project; true when no removed project is
 * left.
 */
function sweepOneProject(context: WriteContext): boolean {
  const removed = context.db.get('SELECT id FROM removed_projects LIMIT 1');
  return removed === undefined || (sweepProject(context, removed.id as number) && sweepOneProject(context));
}

/** Returns free pages to the file system; true when none is left. */
function giveBackSpace(db: SqliteDatabase): boolean {
  const free = db.number('PRAGMA freelist_count');
  if (free > 0) {
    db.connection.exec(`PRAGMA incremental_vacuum(${VACUUM_PAGES})`);
  }
  return free <= VACUUM_PAGES;
}
