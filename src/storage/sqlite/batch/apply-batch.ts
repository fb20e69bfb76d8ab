import type {
  BatchId,
  BatchResult,
  DigestedBatch,
  DigestedEvent,
  OutcomeCount,
} from '../../../domain/ingest/digest.ts';
import { foldBatch, hourOf, OutcomeSums } from '../../fold.ts';
import { ReleaseFold } from '../../releases/fold-releases.ts';
import { reportOutcome, sessionOutcome } from '../../releases/session-outcomes.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { BlockRows, IN_BLOCK } from '../blocks/block-rows.ts';
import { ErrorRows } from './error-rows.ts';
import { countKnownThere } from '../imports/known-events.ts';
import { ReleaseRows } from './release-rows.ts';
import { addReport } from './report-rows.ts';
import { addSession } from './session-rows.ts';
import { addTags } from './tag-rows.ts';

/**
 * Applies a recorded batch inside the caller's transaction. The journal's row, the events and all derived data become
 * durable together or not at all.
 */
export function applyBatch(context: WriteContext, batchId: BatchId, batch: DigestedBatch): BatchResult {
  const { db } = context;
  const known = claim(context, batchId);
  if (known !== 'new') {
    return { kind: known };
  }
  const outcomes = new OutcomeSums();
  for (const outcome of batch.outcomes) {
    outcomes.add(outcome);
  }
  const errors = new ErrorRows(context, batch.blocks);
  const newEvents = insertNewEvents(db, batch, errors, outcomes);
  const newUsers = insertUsers(db, newEvents, errors);
  context.userNames.add(db, newEvents);
  for (const delta of foldBatch(newEvents, newUsers).values()) {
    const errorId = errors.idOf(delta.groupHash);
    errors.add(errorId, delta);
    addHours(db, errorId, delta.hours);
    addTags(db, errorId, delta.tags);
  }
  for (const [projectId, rules] of errors.importing()) {
    const events = newEvents.filter((event) => event.projectId === projectId);
    countKnownThere(db, rules, events, (groupHash) => errors.idOf(groupHash));
  }
  addReleases(db, batch, newEvents, errors, outcomes);
  errors.settle();
  addOutcomes(db, outcomes.values());
  return {
    kind: 'applied',
    stored: newEvents.length,
    duplicates: batch.events.length - newEvents.length - errors.refused,
    newErrors: errors.created,
  };
}

/**
 * Returns the result of a batch when the store has it, else null. A batch is one transaction: it is stored completely
 * or not at all.
 */
export function completeBatch(context: WriteContext, batchId: BatchId): BatchResult | null {
  return isLast(context, batchId) ? { kind: 'already_applied' } : null;
}

/** Compares the batch id with the journal's row, and updates the row when the batch is the next one. */
function claim(context: WriteContext, batchId: BatchId): 'new' | 'already_applied' | 'foreign' {
  if (isLast(context, batchId)) {
    return 'already_applied';
  }
  const { db, now } = context;
  const { journalId, n, hash } = blobs(batchId);
  if (n !== db.number('SELECT n FROM journals WHERE journal_id = ?', journalId) + 1) {
    return 'foreign';
  }
  const sql = 'INSERT OR REPLACE INTO journals (journal_id, n, hash, applied_at) VALUES (?, ?, ?, ?)';
  db.run(sql, journalId, n, hash, now());
  return 'new';
}

/**
 * Returns true for the journal's last batch, and writes its row again. A process killed during the commit may have left
 * the batch unsynced; this transaction makes all earlier data durable. The time always increases, because SQLite does
 * not write an unchanged row.
 */
function isLast({ db, now }: WriteContext, batchId: BatchId): boolean {
  const { journalId, n, hash } = blobs(batchId);
  const sql = 'UPDATE journals SET applied_at = max(?, applied_at + 1) WHERE journal_id = ? AND n = ? AND hash = ?';
  return db.run(sql, now(), journalId, n, hash) > 0;
}

function blobs({ journalId, n, hash }: BatchId) {
  return { journalId: Buffer.from(journalId, 'hex'), n, hash: Buffer.from(hash, 'hex') };
}

/** Stores events that are not stored yet, in order. Of events with the same id in a project the first one stays. */
function insertNewEvents(
  db: SqliteDatabase,
  { events, blocks }: DigestedBatch,
  errors: ErrorRows,
  outcomes: OutcomeSums,
): DigestedEvent[] {
  const insertKey = db.prepareForColumns(
    'INSERT INTO event_keys (id, project_id, event_id, received_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const insertEvent = db.prepareForColumns(
    'INSERT INTO events (id, error_id, at, received_at, payload, block_id) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const blockRows = new BlockRows(db);
  // A key is pruned only after its payload, so the greatest id of the keys is the greatest of both.
  let id = db.number('SELECT coalesce(max(id), 0) FROM event_keys');
  const stored: DigestedEvent[] = [];
  for (const event of events) {
    if (!errors.hasProject(event.projectId)) {
      errors.refused += 1;
      outcomes.add(eventOutcome(event, 'filtered', 'project_deleted'));
      continue;
    }
    const key = insertKey.run(id + 1, event.projectId, Buffer.from(event.eventId, 'hex'), event.receivedAt);
    if (Number(key.changes) === 0) {
      outcomes.add(eventOutcome(event, 'filtered', 'duplicate'));
      continue;
    }
    id += 1;
    const counted = errors.adopted(event);
    if (errors.isDiscarded(counted)) {
      errors.refused += 1;
      outcomes.add(eventOutcome(event, 'filtered', 'discarded_error'));
      continue;
    }
    const { payload } = event;
    const inBlock = typeof payload === 'number';
    const blockId = inBlock ? blockRows.add(payload, id) : null;
    insertEvent.run(id, errors.idFor(counted), event.at, event.receivedAt, inBlock ? IN_BLOCK : payload, blockId);
    outcomes.add(eventOutcome(event, 'accepted', ''));
    stored.push(counted);
  }
  blockRows.insert(blocks ?? []);
  return stored;
}

function eventOutcome(event: DigestedEvent, outcome: OutcomeCount['outcome'], reason: string): OutcomeCount {
  const { projectId, keyId, receivedAt } = event;
  return { projectId, keyId, category: 'error', outcome, reason, at: receivedAt, quantity: 1 };
}

/** Adds missing (error, user) rows; returns the number added per group hash. */
function insertUsers(db: SqliteDatabase, events: readonly DigestedEvent[], errors: ErrorRows): Map<string, number> {
  const insert = db.prepareForColumns(
    'INSERT INTO error_users (error_id, user_hash) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const added = new Map<string, number>();
  const seen = new Set<string>();
  for (const { groupHash, userHash } of events) {
    if (userHash === null || seen.size === seen.add(groupHash + userHash).size) {
      continue;
    }
    const { changes } = insert.run(errors.idOf(groupHash), Buffer.from(userHash, 'hex'));
    if (Number(changes) > 0) {
      added.set(groupHash, (added.get(groupHash) ?? 0) + 1);
    }
  }
  return added;
}

/** Adds sessions, user reports, and the changes of new events and sessions to their releases. */
function addReleases(
  db: SqliteDatabase,
  batch: DigestedBatch,
  newEvents: readonly DigestedEvent[],
  projects: Pick<ErrorRows, 'hasProject'>,
  outcomes: OutcomeSums,
): void {
  const releases = new ReleaseRows(db);
  const fold = new ReleaseFold();
  for (const event of newEvents) {
    fold.addEvent(event);
  }
  for (const session of batch.sessions ?? []) {
    const known = projects.hasProject(session.projectId);
    outcomes.add(sessionOutcome(session, known ? addSession(db, session, releases, fold) : 'project_deleted'));
  }
  for (const report of batch.reports ?? []) {
    const known = projects.hasProject(report.projectId);
    outcomes.add(reportOutcome(report, known ? addReport(db, report) : 'project_deleted'));
  }
  for (const delta of fold.values()) {
    releases.write(delta);
  }
}

function addHours(db: SqliteDatabase, errorId: number, hours: ReadonlyMap<number, number>): void {
  const upsert = db.prepareForColumns(
    `INSERT INTO error_hours (error_id, hour, count) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET count = count + excluded.count`,
  );
  for (const [hour, count] of hours) {
    upsert.run(errorId, hour, count);
  }
}

function addOutcomes(db: SqliteDatabase, outcomes: Iterable<OutcomeCount>): void {
  const upsert = db.prepareForColumns(
    `INSERT INTO outcomes (project_id, hour, key_id, category, outcome, reason, quantity) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET quantity = quantity + excluded.quantity`,
  );
  for (const { projectId, at, keyId, category, outcome, reason, quantity } of outcomes) {
    upsert.run(projectId, hourOf(at), keyId, category, outcome, reason, quantity);
  }
}
