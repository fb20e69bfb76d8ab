import PQueue from 'p-queue';
import type { MattersLimits } from '../../../domain/ports/stores/overview-store.ts';
import type { TrackedError } from '../../../domain/errors/tracked-error.ts';
import type { ErrorSelection } from '../../../domain/search/error-query.ts';
import { queryHash, type Place } from '../../errors/cursor.ts';
import { STATUS_CODES } from '../../errors/error-status.ts';
import { requireFewProjects } from '../../few-projects.ts';
import { selectionHash } from '../../search/selection-hash.ts';
import type { MongoContext } from '../engine/context.ts';
import { orderKey } from '../documents/error-indexes.ts';
import { reading } from '../engine/operation-options.ts';
import { withMergedTotals, ERROR_ROW, type ErrorRow } from '../errors/error-rows.ts';
import { between } from '../engine/mongo-page.ts';
import { itemsOf } from './error-items.ts';
import { errorPages, orderOf } from './error-pages.ts';
import { selectedErrors } from '../search/selected-errors.ts';

const UNRESOLVED = {
  ...({ status: 'unresolved', search: null, environment: null, release: null, level: null } as const),
} satisfies ErrorSelection;
const QUERY = { ...UNRESOLVED, sort: 'matters', cursor: null } as const;
const ORDER = orderOf(QUERY);

const SOURCES = [
  { name: 'errors.matter', member: 'rk', own: { into: null }, row: ERROR_ROW },
  { name: 'errors.merged_matter', member: 'g.rk', own: { g: { $exists: true } }, row: { ...ERROR_ROW, g: 1 } },
] as const;

/** Projects that are read on their own at the same time. */
const READS_AT_ONCE = 8;

/** Place behind all errors. */
const END: Place = { value: Number.MIN_SAFE_INTEGER, id: 0 };

const placeOf = (row: ErrorRow) => ({ value: ORDER.valueOf(row), id: row.id });
const compare = (a: Place, b: Place): number => b.value - a.value || Number(b.id) - Number(a.id);

/**
 * Reads the errors of many projects together, down to the place where the answer ended last time; a project that had
 * its whole share above it is read on its own. Where that gives too few, each project is read on its own. See the port.
 */
export async function errorsThatMatter(
  context: MongoContext,
  projectIds: readonly number[],
  limits: MattersLimits,
  now: number,
): Promise<TrackedError[]> {
  requireFewProjects(projectIds);
  const { pageBounds } = context;
  const page = `errors.matter ${queryHash([limits.limit, limits.perProject, ...projectIds])}`;
  const bound = pageBounds.get(page);
  const rows =
    (bound === undefined ? null : await readTo(context, projectIds, limits, bound, now)) ??
    first(await readEach(context, projectIds, limits.perProject, now), limits);
  const last = rows.length < limits.limit ? undefined : rows.at(-1);
  pageBounds.set(page, last === undefined ? END : placeOf(last));
  const toItem = await itemsOf(context, rows, undefined, now);
  return rows.map(toItem);
}

/** Returns the first rows in order, within both limits. */
function first(rows: readonly ErrorRow[], { limit, perProject }: MattersLimits): ErrorRow[] {
  const taken = new Map<number, number>();
  return [...rows]
    .sort((a, b) => compare(placeOf(a), placeOf(b)))
    .filter(({ p }) => {
      const of = (taken.get(p) ?? 0) + 1;
      taken.set(p, of);
      return of <= perProject;
    })
    .slice(0, limit);
}

/** Returns the rows down to a place; null: they are too few, or some may be missing. */
async function readTo(
  context: MongoContext,
  projectIds: readonly number[],
  limits: MattersLimits,
  bound: Place,
  now: number,
): Promise<ErrorRow[] | null> {
  const { limit, perProject } = limits;
  const full = new Set(
    projectIds.filter((p) => compare(context.pageBounds.get(shareOf(p, perProject)) ?? END, bound) < 0),
  );
  const others = projectIds.filter((p) => !full.has(p));
  const most = limit + perProject;
  const [alone, together] = await Promise.all([
    readEach(context, [...full], perProject, now),
    readTogether(context, others, bound, most),
  ]);
  // Behind the last row of a read that ended early there may be more.
  const end = together.length < most ? bound : placeOf(together.at(-1) as ErrorRow);
  const rows = first(
    [...alone, ...together].filter((row) => compare(placeOf(row), end) <= 0),
    limits,
  );
  return rows.length === limit || end === END ? rows : null;
}

/** Name under which the place is remembered where the share of a project ends; absent: it has fewer errors. */
const shareOf = (p: number, perProject: number) => `errors.share ${perProject} ${p}`;

async function readEach(
  context: MongoContext,
  projectIds: readonly number[],
  perProject: number,
  now: number,
): Promise<ErrorRow[]> {
  const { pageBounds } = context;
  const queue = new PQueue({ concurrency: READS_AT_ONCE });
  const found = await queue.addAll(
    projectIds.map((p) => async () => {
      const selected = await selectedErrors(context, p, UNRESOLVED, now);
      if (selected === null) return [];
      const hash = selectionHash(p, { ...QUERY, limit: perProject });
      const rows = await errorPages(context, p, selected, ORDER, hash)(null, perProject);
      const last = rows.length < perProject ? undefined : rows.at(-1);
      if (last === undefined) pageBounds.delete(shareOf(p, perProject));
      else pageBounds.set(shareOf(p, perProject), placeOf(last));
      return rows;
    }),
  );
  return found.flat();
}

/** Reads the first rows of projects down to a place, at most `most`. */
async function readTogether(
  { collections }: MongoContext,
  projectIds: readonly number[],
  bound: Place,
  most: number,
): Promise<ErrorRow[]> {
  if (projectIds.length === 0) return [];
  const among = { p: { $in: [...projectIds] }, st: STATUS_CODES.unresolved };
  const finds = SOURCES.flatMap(({ name, member, own, row }) =>
    between(null, bound, member, 'id').map((range) =>
      collections.errors
        .find<ErrorRow>({ ...among, ...range, ...own }, reading(name, row))
        .hint(orderKey(member))
        .sort({ [member]: -1, id: -1 })
        .limit(most)
        .batchSize(most)
        .toArray(),
    ),
  );
  const rows = (await Promise.all(finds)).flat().map(withMergedTotals);
  // An error that moved between the ranges while they were read is there twice.
  const once = new Map(rows.map((row) => [row.id, row]));
  return [...once.values()].sort((a, b) => compare(placeOf(a), placeOf(b))).slice(0, most);
}
