import type { PruneLimits } from '../../../domain/ports/maintenance-store.ts';
import { HOUR_MS } from '../../fold.ts';
import type { MongoContext } from '../context.ts';
import { key, type Binary } from '../documents.ts';
import { WITH_PAYLOAD } from '../models/event.ts';
import { reading, writing } from '../operation-options.ts';
import { raw } from '../raw.ts';
import { SLICE_ROWS, type PruneWalk } from './prune-walk.ts';

const DAY_HOURS = 24;
/** Releases that one call removes with all that belongs to them. */
const RELEASES_AT_ONCE = 50;

type Row = { readonly _id: Binary; readonly p: number };

/** One slice of sessions, hours and releases that are to go; answers how many of them went. */
export async function pruneSessions({ models }: MongoContext, { sessions }: PruneLimits): Promise<number> {
  if (sessions === undefined) return 0;
  const rows = await models.sessionRows
    .find({ hr: { $lt: Math.floor(sessions.startedBefore / HOUR_MS) } }, { p: 1 }, reading('session_rows.old'))
    .limit(SLICE_ROWS)
    .lean<Row[]>();
  await removeAll(rows, (filter) => raw(models.sessionRows).deleteMany(filter, writing('session_rows.delete')));
  // A document holds a whole day, and goes when all of it is old.
  const day = Math.floor(sessions.seenBefore / HOUR_MS / DAY_HOURS);
  const hours = await models.releaseHours
    .find({ d: { $lt: day } }, { p: 1 }, reading('release_hours.old'))
    .limit(SLICE_ROWS)
    .lean<Row[]>();
  await removeAll(hours, (filter) => raw(models.releaseHours).deleteMany(filter, writing('release_hours.delete')));
  return rows.length + hours.length + (await pruneReleases({ models }, sessions.seenBefore));
}

/** Their users go first, so that a crash leaves nothing behind; hours go by their own age. */
async function pruneReleases({ models }: Pick<MongoContext, 'models'>, before: number): Promise<number> {
  const old = { last: { $lt: before } };
  const releases = await models.releases
    .find(old, { p: 1 }, reading('releases.old'))
    .limit(RELEASES_AT_ONCE)
    .lean<Row[]>();
  for (const { _id, p } of releases) {
    const hash = _id.toString('hex').slice(8);
    const range = { $gte: key(p, hash + '00'.repeat(13), 29), $lte: key(p, hash + 'ff'.repeat(13), 29) };
    await raw(models.releaseUsers).deleteMany({ _id: range, p }, writing('releases.delete'));
    // One that was seen again meanwhile stays, and counts its people anew.
    await raw(models.releases).deleteOne({ _id, p, ...old }, writing('releases.delete'));
  }
  return releases.length;
}

/**
 * One slice of a walk over all reports: those whose event has no payload any more go, and those whose event never
 * came. Answers how many went.
 */
export async function pruneReports(
  { models }: MongoContext,
  walk: PruneWalk,
  { unmatchedReportsBefore }: PruneLimits,
): Promise<number> {
  if (walk.reportsDone) return 0;
  const reports = await models.eventReports
    .find(walk.reportsAfter === null ? {} : { _id: { $gt: walk.reportsAfter } }, { p: 1, rcv: 1 })
    .setOptions(reading('reports.walk'))
    .sort({ _id: 1 })
    .limit(SLICE_ROWS)
    .lean<(Row & { readonly rcv: number })[]>();
  const ids = reports.map(({ _id }) => _id);
  const filter = { _id: { $in: ids }, p: { $in: [...new Set(reports.map(({ p }) => p))] } };
  const [known, stored] = await Promise.all([
    models.events.find(filter, { _id: 1 }, reading('events.with_payload')).lean(),
    models.events.find({ ...filter, ...WITH_PAYLOAD }, { _id: 1 }, reading('events.with_payload')).lean(),
  ]);
  const readable = new Map(known.map(({ _id }) => [_id.toString('hex'), false]));
  stored.forEach(({ _id }) => readable.set(_id.toString('hex'), true));
  const gone = reports.filter(({ _id, rcv }) => {
    return !(readable.get(_id.toString('hex')) ?? rcv >= (unmatchedReportsBefore ?? Number.MIN_SAFE_INTEGER));
  });
  await removeAll(gone, (each) => raw(models.eventReports).deleteMany(each, writing('reports.delete')));
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
