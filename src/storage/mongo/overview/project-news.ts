import { NEW_FOR_MS, REVIEW_FOR_MS } from '../../../domain/errors/error-marks.ts';
import { MAX_NEWS, MAX_UNRESOLVED, NEWS_HOURS, type ProjectNews } from '../../../domain/projects/project-news.ts';
import { STATUS_CODES } from '../../errors/error-status.ts';
import { requireFewProjects } from '../../few-projects.ts';
import { hourOf } from '../../fold.ts';
import type { Doc } from '../engine/batch-collections.ts';
import { OUTCOMES_BY_PROJECT } from '../engine/collections.ts';
import type { MongoContext } from '../engine/context.ts';
import { ERROR_KEYS, orderKey, type IndexKey } from '../documents/error-indexes.ts';
import { reading } from '../engine/operation-options.ts';
import type { QueryName } from '../engine/query-name.ts';
import { lastSeenOf } from './last-seen.ts';
import { HOUR_MS } from '../../../domain/durations.ts';

/** Projects of one query. An engine that compares each row with the list of projects takes longer for a longer one. */
const PROJECTS_OF_QUERY = 25;
/** Rows that one query counts for its projects; where there are more, each project is counted on its own. */
const MAX_COUNTED_TOGETHER = 20_000;

/** Reads indexes of first occurrences, regressions and last occurrences; see the port. */
export async function projectNews(
  context: MongoContext,
  projectIds: readonly number[],
  now: number,
): Promise<ReadonlyMap<number, ProjectNews>> {
  requireFewProjects(projectIds);
  const parts = [];
  for (let from = 0; from < projectIds.length; from += PROJECTS_OF_QUERY) {
    parts.push(newsOf(context, projectIds.slice(from, from + PROJECTS_OF_QUERY), now));
  }
  return new Map((await Promise.all(parts)).flat());
}

async function newsOf(
  context: MongoContext,
  ids: readonly number[],
  now: number,
): Promise<(readonly [number, ProjectNews])[]> {
  const unresolved = { st: STATUS_CODES.unresolved };
  const after = { $gt: now - NEW_FOR_MS };
  const merged = { g: { $exists: true } };
  const count = (name: QueryName, filter: Doc, index: IndexKey, most: number) =>
    countEach(context, ids, { name, filter: { ...unresolved, ...filter }, index, most });
  const [open, openMerged, fresh, freshMerged, regressed, lastSeen, accepted] = await Promise.all([
    count('errors.open', { into: null }, orderKey('last.at'), MAX_UNRESOLVED),
    count('errors.open_merged', merged, orderKey('g.last.at'), MAX_UNRESOLVED),
    count('errors.new_lately', { 'first.at': after, into: null }, orderKey('first.at'), MAX_NEWS),
    count('errors.merged_new_lately', { 'g.first.at': after, ...merged }, orderKey('g.first.at'), MAX_NEWS),
    count(
      'errors.regressed_lately',
      { 'reg.at': { $gt: now - REVIEW_FOR_MS }, $or: [{ into: null }, merged] },
      ERROR_KEYS.regressed,
      MAX_NEWS,
    ),
    lastSeenOf(context, ids),
    acceptedOf(context, ids, hourOf(now)),
  ]);
  return ids.map((p) => [
    p,
    {
      unresolved: Math.min(MAX_UNRESOLVED, open(p) + openMerged(p)),
      newErrors: Math.min(MAX_NEWS, fresh(p) + freshMerged(p)),
      regressed: regressed(p),
      lastSeen: lastSeen.get(p) ?? null,
      accepted: accepted.get(p) ?? new Map<number, number>(),
    },
  ]);
}

interface Counted {
  readonly name: QueryName;
  /** Filter without the projects. */
  readonly filter: Doc;
  readonly index: IndexKey;
  /** Where counting stops in each project. */
  readonly most: number;
}

async function countEach(
  { collections: { errors } }: MongoContext,
  ids: readonly number[],
  { name, filter, index: hint, most }: Counted,
): Promise<(p: number) => number> {
  const stages = [
    { $match: { p: { $in: [...ids] }, ...filter } },
    { $limit: MAX_COUNTED_TOGETHER },
    { $group: { _id: '$p', n: { $sum: 1 } } },
  ];
  const options = { ...reading(name), hint };
  const rows = await errors.aggregate<{ readonly _id: number; readonly n: number }>(stages, options).toArray();
  const all = rows.reduce((sum, { n }) => sum + n, 0);
  const counts =
    all < MAX_COUNTED_TOGETHER
      ? rows.map(({ _id, n }) => [_id, Math.min(most, n)] as const)
      : await Promise.all(
          ids.map(
            async (p) => [p, await errors.countDocuments({ p, ...filter }, { ...options, limit: most })] as const,
          ),
        );
  const byProject = new Map(counts);
  return (p) => byProject.get(p) ?? 0;
}

/** Returns the accepted events by start of the hour, by project. */
async function acceptedOf(
  { collections }: MongoContext,
  ids: readonly number[],
  hour: number,
): Promise<ReadonlyMap<number, Map<number, number>>> {
  const stages = [
    { $match: { p: { $in: [...ids] }, hr: { $gt: hour - NEWS_HOURS, $lte: hour }, o: 'accepted', c: 'error' } },
    { $group: { _id: { p: '$p', hr: '$hr' }, q: { $sum: '$q' } } },
  ];
  type Row = { readonly _id: { readonly p: number; readonly hr: number }; readonly q: number };
  const rows = await collections.outcomes
    .aggregate<Row>(stages, { ...reading('outcomes.accepted'), hint: OUTCOMES_BY_PROJECT })
    .toArray();
  const found = new Map(ids.map((p) => [p, new Map<number, number>()]));
  for (const { _id, q } of rows) found.get(_id.p)?.set(_id.hr * HOUR_MS, q);
  return found;
}
