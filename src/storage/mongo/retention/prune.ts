import { firstAuditId } from '../../../domain/audit/audit-event.ts';
import type { PruneLimits, PruneProgress } from '../../../domain/ports/stores/maintenance-store.ts';
import type { MongoContext } from '../engine/context.ts';
import type { Binary } from '../documents/document-keys.ts';
import { pruneAlerts } from '../alerts/fact-commands.ts';
import { pruneDeletedErrors, pruneUserNames } from './prune-lists.ts';
import { pruneImportedEvents, pruneMarks } from './prune-imports.ts';
import { reading, writing } from '../engine/operation-options.ts';
import { packEvents } from '../blocks/pack-events.ts';
import { pruneCrowded } from '../blocks/prune-crowded.ts';
import { pruneKeys, pruneOldEvents } from '../blocks/prune-events.ts';
import { pruneReports, pruneSessions } from '../blocks/prune-sessions.ts';
import { SLICE_ROWS, type PruneWalk } from '../blocks/prune-walk.ts';
import { finishGroupMove } from '../status/move-commands.ts';
import { sweepRemoved } from './remove-project.ts';
import { sweepBlocks } from '../blocks/sweep-blocks.ts';
import { HOUR_MS } from '../../../domain/durations.ts';

const DAY_HOURS = 24;

/**
 * Removes one slice of all expired data. `walk`: positions of this process. Two processes at once are correct too and
 * only repeat work.
 */
export async function prune(context: MongoContext, walk: PruneWalk, limits: PruneLimits): Promise<PruneProgress> {
  const old = await pruneOldEvents(context, walk, limits);
  // Both kinds of bodies go by age, whichever is older.
  const { receivedBefore } = limits;
  const importedBefore = receivedBefore === null ? null : Math.min(receivedBefore, walk.payloadsFrom);
  const imported = await pruneImportedEvents(context, importedBefore);
  const capped = await pruneCrowded(context, walk, limits);
  const payloads = {
    events: old.events + imported.events + capped.events,
    bytes: old.bytes + imported.bytes + capped.bytes,
    keys: old.keys + capped.keys,
  };
  const idle = old.events === 0 && imported.events === 0 && !old.busy && !capped.busy;
  // Leaves the other walks where they are: the work of the minute comes between the slices of an hourly run.
  if (limits.payloadsOnly === true) return { ...payloads, done: idle };
  // Old payloads are removed with their keys, so other keys come later.
  const keys =
    old.events === 0 ? await pruneKeys(context, walk, limits.keysReceivedBefore) : { removed: 0, done: false };
  const rest =
    (await pruneHours(context, limits.hoursBefore)) +
    (await pruneOutcomes(context, limits.outcomesBefore)) +
    (await pruneSessions(context, limits)) +
    (await pruneWebSessions(context)) +
    (await pruneMarks(context, walk, limits.keysReceivedBefore)) +
    (await pruneAlerts(context, limits)) +
    (await pruneAudit(context, limits)) +
    (await pruneUserNames(context)) +
    (await pruneDeletedErrors(context)) +
    (idle ? await pruneReports(context, walk, limits) : 0);
  const { packReceivedBefore } = limits;
  const packed = !idle || packReceivedBefore === undefined || (await packEvents(context, walk, packReceivedBefore));
  const blocksSwept = !idle || (await sweepBlocks(context, walk));
  await finishGroupMove(context);
  const swept = await sweepRemoved(context);
  const done = idle && packed && blocksSwept && keys.done && rest === 0 && swept && walk.reportsDone;
  if (done) walk.startOver();
  return { ...payloads, keys: payloads.keys + keys.removed, done };
}

/** Removes hours. A document contains a whole day, and is removed when all of it is old. */
async function pruneHours({ collections }: MongoContext, before: number): Promise<number> {
  const old = { d: { $lt: Math.floor(before / HOUR_MS / DAY_HOURS) } };
  const rows = await collections.errorHours
    .find(old, reading('hours.old', { p: 1 }))
    .limit(SLICE_ROWS)
    .toArray();
  return removeAll(rows, (filter) => collections.errorHours.deleteMany(filter, writing('hours.delete')));
}

async function pruneOutcomes({ collections }: MongoContext, before: number): Promise<number> {
  const old = { hr: { $lt: Math.floor(before / HOUR_MS) } };
  const rows = await collections.outcomes
    .find(old, reading('outcomes.old', { p: 1 }))
    .limit(SLICE_ROWS)
    .toArray();
  return removeAll(rows, (filter) => collections.outcomes.deleteMany(filter, writing('outcomes.delete')));
}

/** Removes sessions of browsers whose time is over. */
async function pruneWebSessions({ collections, now }: MongoContext): Promise<number> {
  const over = { endsAt: { $lte: now() } };
  const rows = await collections.webSessions
    .find(over, reading('web_sessions.over', { _id: 1 }))
    .limit(SLICE_ROWS)
    .toArray();
  if (rows.length > 0) {
    const ids = rows.map(({ _id }) => _id);
    await collections.webSessions.deleteMany({ _id: { $in: ids } }, writing('web_sessions.remove_over'));
  }
  return rows.length;
}

/** Removes old events of the audit log. */
async function pruneAudit({ collections }: MongoContext, { auditBefore }: PruneLimits): Promise<number> {
  if (auditBefore === undefined) return 0;
  const rows = await collections.auditEvents
    .find({ _id: { $lt: firstAuditId(auditBefore) } }, reading('audit_events.old', { _id: 1 }))
    .sort({ _id: 1 })
    .limit(SLICE_ROWS)
    .toArray();
  if (rows.length === 0) return 0;
  const ids = rows.map(({ _id }) => _id);
  return (await collections.auditEvents.deleteMany({ _id: { $in: ids } }, writing('audit_events.prune'))).deletedCount;
}

async function removeAll(
  rows: readonly { readonly _id: Binary; readonly p: number }[],
  remove: (filter: { p: number; _id: { $in: Binary[] } }) => Promise<unknown>,
): Promise<number> {
  for (const p of new Set(rows.map((row) => row.p))) {
    await remove({ p, _id: { $in: rows.filter((row) => row.p === p).map(({ _id }) => _id) } });
  }
  return rows.length;
}
