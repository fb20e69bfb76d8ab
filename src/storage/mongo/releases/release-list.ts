import { MAX_RELEASES_SORTED, type ReleaseHealth, type ReleaseQuery } from '../../../domain/releases/session.ts';
import type { Page } from '../../../domain/page.ts';
import { decodeCursor, queryHash, type Cursor } from '../../errors/cursor.ts';
import { hourOf } from '../../fold.ts';
import { HOURS_SHOWN } from '../../errors/frequency.ts';
import { sortedPage } from '../../errors/sorted-page.ts';
import { byVersion } from '../../../domain/releases/release-order.ts';
import { STATUS_CODES } from '../../errors/error-status.ts';
import type { MongoContext } from '../engine/context.ts';
import { key } from '../documents/document-keys.ts';
import { reading } from '../engine/operation-options.ts';
import type { QueryName } from '../engine/query-name.ts';
import { fromShort, releaseHash, releaseHoursKey, type ReleaseDocument } from '../documents/release-documents.ts';
import { beyond, mongoPage, orderOf } from '../engine/mongo-page.ts';

/** Members of a release that its health is made of. */
export const RELEASE_ROW = { r: 1, first: 1, last: 1, ev: 1, u: 1, cu: 1, c: 1 } as const;
const HASH = /^[0-9a-f]{32}$/;

export type ReleaseRow = Pick<ReleaseDocument, '_id' | 'r' | 'first' | 'last' | 'ev' | 'u' | 'cu' | 'c'>;

/** Returns one page of a project's releases; see the port. */
export async function listReleases(
  context: MongoContext,
  projectId: number,
  query: ReleaseQuery,
  now: number,
): Promise<Page<ReleaseHealth>> {
  const { sort = 'first_seen' } = query;
  const environment = query.environment ?? '';
  const hash = queryHash(['releases', projectId, environment, ...(sort === 'first_seen' ? [] : [sort])]);
  const isId = (id: unknown) => (sort === 'first_seen' ? typeof id === 'string' && HASH.test(id) : id === 0);
  const cursor = decodeCursor(query.cursor, hash, isId);
  const fetch = (from: Cursor | null, limit: number): Promise<ReleaseRow[]> =>
    context.collections.releases
      .find<ReleaseRow>(
        { p: projectId, e: environment, ...beyond(from, 'first', '_id', from && key(projectId, String(from.id), 16)) },
        reading('releases.list', RELEASE_ROW),
      )
      .sort({ first: orderOf(from), _id: orderOf(from) })
      .limit(limit)
      .toArray();
  const placeOf = (row: ReleaseRow) => ({ value: row.first, id: row._id.toString('hex').slice(8) });
  const page =
    sort === 'first_seen'
      ? await mongoPage(fetch, placeOf, cursor, query.limit, hash)
      : sortedPage(inVersionOrder(await fetch(null, MAX_RELEASES_SORTED)), cursor, query.limit, hash);
  return { ...page, items: await healthOf(context, projectId, query.environment, page.items, hourOf(now)) };
}

function inVersionOrder(rows: readonly ReleaseRow[]): ReleaseRow[] {
  return byVersion(rows.map((row) => ({ row, release: row.r, firstSeen: row.first }))).map(({ row }) => row);
}

/** Completes rows of releases. The hour ends the window of recent sessions. */
export async function healthOf(
  context: MongoContext,
  projectId: number,
  environment: string | null,
  rows: readonly ReleaseRow[],
  hour: number,
): Promise<ReleaseHealth[]> {
  const releases = rows.map(({ r }) => r);
  const [recent, fresh] = await Promise.all([
    recentSessions(context, projectId, environment ?? '', releases, hour),
    newErrors(context, projectId, releases, environment),
  ]);
  return rows.map((row) => ({
    ...fromShort(row.c ?? {}),
    release: row.r,
    firstSeen: row.first,
    lastSeen: row.last,
    events: row.ev,
    newErrors: fresh.get(row.r) ?? 0,
    users: row.u,
    crashedUsers: row.cu,
    sessions24h: recent(row.r),
    allSessions24h: recent(''),
  }));
}

/** Counts sessions that began in the 24 hours that end with `currentHour`, by release; the sum under the empty one. */
async function recentSessions(
  { collections }: MongoContext,
  projectId: number,
  environment: string,
  releases: readonly string[],
  currentHour: number,
): Promise<(release: string) => number> {
  if (releases.length === 0) return () => 0;
  const firstHour = currentHour - HOURS_SHOWN + 1;
  const days = new Set([Math.floor(firstHour / 24), Math.floor(currentHour / 24)]);
  const keys = ['', ...releases].flatMap((release) =>
    [...days].map((day) => releaseHoursKey({ projectId, environment, release }, day)),
  );
  const found = await collections.releaseHours
    .find({ _id: { $in: keys }, p: projectId }, reading('release_hours.recent', { d: 1, h: 1 }))
    .toArray();
  const sums = new Map<string, number>();
  for (const { _id, d, h } of found) {
    const release = _id.toString('hex').slice(8, 40);
    for (const [hour, { s = 0 }] of Object.entries(h)) {
      const at = d * 24 + Number(hour);
      if (at >= firstHour && at <= currentHour) sums.set(release, (sums.get(release) ?? 0) + s);
    }
  }
  return (release) => sums.get(releaseHash({ environment, release })) ?? 0;
}

/**
 * Counts errors first seen in the releases; with an environment only those seen there. A merged error counts once, by
 * its displayed row.
 */
async function newErrors(
  context: MongoContext,
  p: number,
  releases: readonly string[],
  environment: string | null,
): Promise<ReadonlyMap<string, number>> {
  if (releases.length === 0) return new Map();
  const first = { $in: releases };
  const alone = { p, 'first.release': first, into: null, ...(environment === null ? {} : { env: environment }) };
  const merged = {
    p,
    st: { $in: Object.values(STATUS_CODES) },
    g: { $exists: true },
    'g.first.release': first,
    ...(environment === null ? {} : { 'g.env': environment }),
  };
  const rows = await Promise.all([
    countBy(context, alone, '$first.release', 'errors.new_in_release'),
    countBy(context, merged, '$g.first.release', 'errors.merged_new_in_release'),
  ]);
  const counts = new Map<string, number>();
  for (const { _id, n } of rows.flat()) counts.set(_id, (counts.get(_id) ?? 0) + n);
  return counts;
}

function countBy(
  { collections }: MongoContext,
  match: Record<string, unknown>,
  member: string,
  name: QueryName,
): Promise<{ _id: string; n: number }[]> {
  const stages = [{ $match: match }, { $group: { _id: member, n: { $sum: 1 } } }];
  return collections.errors.aggregate<{ _id: string; n: number }>(stages, reading(name)).toArray();
}
