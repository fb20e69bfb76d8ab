import type { PruneLimits } from '../../../domain/ports/stores/maintenance-store.ts';
import type { MongoContext } from '../engine/context.ts';
import { key, type Binary } from '../documents/document-keys.ts';
import { WITH_PAYLOAD } from '../documents/documents.ts';
import { reading, writing } from '../engine/operation-options.ts';
import { SLICE_ROWS, type PruneWalk } from './prune-walk.ts';
import { HOUR_MS } from '../../../domain/durations.ts';

const DAY_HOURS = 24;
/** Maximum releases removed per call, with all their data. */
const RELEASES_AT_ONCE = 50;

type Row = { readonly _id: Binary; readonly p: number };

/** Removes one slice of expired sessions, hours and releases; returns the number removed. */
export async function pruneSessions({ collections }: MongoContext, { sessions }: PruneLimits): Promise<number> {
  if (sessions === undefined) return 0;
  const rows = await collections.sessionRows
    .find<Row>({ hr: { $lt: Math.floor(sessions.startedBefore / HOUR_MS) } }, reading('session_rows.old', { p: 1 }))
    .limit(SLICE_ROWS)
    .toArray();
  await removeAll(rows, (filter) => collections.sessionRows.deleteMany(filter, writing('session_rows.delete')));
  // A document contains a whole day, and is removed when all of it is old.
  const day = Math.floor(sessions.seenBefore / HOUR_MS / DAY_HOURS);
  const hours = await collections.releaseHours
    .find<Row>({ d: { $lt: day } }, reading('release_hours.old', { p: 1 }))
    .limit(SLICE_ROWS)
    .toArray();
  await removeAll(hours, (filter) => collections.releaseHours.deleteMany(filter, writing('release_hours.delete')));
  return rows.length + hours.length + (await pruneReleases({ collections }, sessions.seenBefore));
}

/**
 * Removes releases, their users first, so that a crash leaves no rows of a removed one. Hours are removed by their own
 * age.
 */
async function pruneReleases({ collections }: Pick<MongoContext, 'collections'>, before: number): Promise<number> {
  const old = { last: { $lt: before } };
  const releases = await collections.releases
    .find<Row>(old, reading('releases.old', { p: 1 }))
    .limit(RELEASES_AT_ONCE)
    .toArray();
  for (const { _id, p } of releases) {
    const hash = _id.toString('hex').slice(8);
    const range = { $gte: key(p, hash + '00'.repeat(13), 29), $lte: key(p, hash + 'ff'.repeat(13), 29) };
    await collections.releaseUsers.deleteMany({ _id: range, p }, writing('releases.delete'));
    // Keeps a release that was seen again meanwhile. Its users count as new when they are seen again.
    await collections.releases.deleteOne({ _id, p, ...old }, writing('releases.delete'));
  }
  return releases.length;
}

/**
 * Removes one slice of a walk over all reports: those whose event has no payload any more or never arrived. Returns the
 * number removed.
 */
export async function pruneReports(
  { collections }: MongoContext,
  walk: PruneWalk,
  { unmatchedReportsBefore }: PruneLimits,
): Promise<number> {
  if (walk.reportsDone) return 0;
  const reports = await collections.eventReports
    .find<Row & { readonly rcv: number }>(
      walk.reportsAfter === null ? {} : { _id: { $gt: walk.reportsAfter } },
      reading('reports.walk', { p: 1, rcv: 1 }),
    )
    .sort({ _id: 1 })
    .limit(SLICE_ROWS)
    .toArray();
  const ids = reports.map(({ _id }) => _id);
  const filter = { _id: { $in: ids }, p: { $in: [...new Set(reports.map(({ p }) => p))] } };
  const [known, stored] = await Promise.all([
    collections.events.find(filter, reading('events.with_payload', { _id: 1 })).toArray(),
    collections.events.find({ ...filter, ...WITH_PAYLOAD }, reading('events.with_payload', { _id: 1 })).toArray(),
  ]);
  const readable = new Map(known.map(({ _id }) => [_id.toString('hex'), false]));
  stored.forEach(({ _id }) => readable.set(_id.toString('hex'), true));
  const gone = reports.filter(({ _id, rcv }) => {
    return !(readable.get(_id.toString('hex')) ?? rcv >= (unmatchedReportsBefore ?? Number.MIN_SAFE_INTEGER));
  });
  await removeAll(gone, (each) => collections.eventReports.deleteMany(each, writing('reports.delete')));
  walk.reportsAfter = ids.at(-1) ?? walk.reportsAfter;
  walk.reportsDone = reports.length < SLICE_ROWS;
  return gone.length;
}

async function removeAll(
  rows: readonly Row[],
  remove: (filter: { p: number; _id: { $in: Binary[] } }) => Promise<unknown>,
): Promise<void> {
  for (const p of new Set(rows.map((row) => row.p))) {
    await remove({ p, _id: { $in: rows.filter((row) => row.p === p).map(({ _id }) => _id) } });
  }
}
