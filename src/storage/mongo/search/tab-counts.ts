import { MAX_TAB_COUNT, type ErrorSelection, type TabCounts } from '../../../domain/search/error-query.ts';
import type { Doc } from '../engine/batch-collections.ts';
import type { MongoContext } from '../engine/context.ts';
import { ERROR_KEYS, orderKey, type IndexKey } from '../documents/error-indexes.ts';
import { reading } from '../engine/operation-options.ts';
import { STATE_ROW, toStatusBefore, type StateRow } from './matching-errors.ts';
import { lookUpAll, selectionOf, type Checked, type SelectedErrors } from './selected-errors.ts';
import { statusCodes } from './sought.ts';

const NONE: TabCounts = { unresolved: 0, forReview: 0, resolved: 0, ignored: 0 };

/** Selection of all errors that ask for a review. */
const ASKING = {
  ...({ status: 'all', search: null, environment: null, release: null, level: null } as const),
  forReview: true,
} as const satisfies ErrorSelection;

/**
 * Counts the errors of each tab; each count ends at `bound`. Merged errors are few and read; so are single ones where an
 * index finds few that can match.
 */
export async function countTabs(
  context: MongoContext,
  p: number,
  selection: ErrorSelection,
  now: number,
  bound = MAX_TAB_COUNT,
): Promise<TabCounts> {
  const { forReview: _forReview, ...rest } = selection;
  const [looked, asking] = await Promise.all([lookUpAll(context, p, rest, now), lookUpAll(context, p, ASKING, now)]);
  if (looked === null || asking === null) return NONE;
  const every = selectionOf(context, p, statusCodes({ ...rest, status: 'all' }), looked);
  if (every === null) return NONE;
  if (every.only !== null) return tally(context, p, every, every.only, now, bound);
  const count = async (tab: Pick<ErrorSelection, 'status' | 'forReview'>): Promise<number> => {
    const conditions = tab.forReview === true ? [...looked.conditions, ...asking.conditions] : looked.conditions;
    const selected = selectionOf(context, p, statusCodes({ ...rest, ...tab }), { ...looked, conditions });
    return selected === null ? 0 : countSingle(context, p, selected, bound);
  };
  const [merged, unresolved, forReview, resolved, ignored] = await Promise.all([
    tally(context, p, every, null, now, bound),
    count({ status: 'unresolved' }),
    count({ status: 'unresolved', forReview: true }),
    count({ status: 'resolved' }),
    count({ status: 'ignored' }),
  ]);
  return added(merged, { unresolved, forReview, resolved, ignored }, bound);
}

function added(one: TabCounts, other: TabCounts, bound: number): TabCounts {
  const sum = (tab: keyof TabCounts) => Math.min(bound, one[tab] + other[tab]);
  return {
    unresolved: sum('unresolved'),
    forReview: sum('forReview'),
    resolved: sum('resolved'),
    ignored: sum('ignored'),
  };
}

/** Reads and counts errors of all tabs: merged ones, and with numbers also single ones. */
async function tally(
  context: MongoContext,
  p: number,
  { codes, filterOf, check }: SelectedErrors,
  only: readonly number[] | null,
  now: number,
  bound: number,
): Promise<TabCounts> {
  const st = { $in: [...codes] };
  const own = only === null ? { p, st } : { p, id: { $in: [...only] }, st };
  const read = (filter: Doc, name: 'errors.few' | 'errors.few_merged', index: IndexKey) =>
    context.collections.errors
      .find<StateRow>({ ...own, ...filter }, reading(name, STATE_ROW))
      .hint(index)
      .batchSize(bound)
      .toArray();
  const merged = read({ ...filterOf('g.'), g: { $exists: true } }, 'errors.few_merged', orderKey('g.last.at'));
  const single = only === null ? [] : read({ ...filterOf(''), into: null }, 'errors.few', ERROR_KEYS.byNumber);
  const rows = (await Promise.all([merged, single])).flat();
  const states = (check === null ? rows : await check(rows)).map((row) => toStatusBefore(row, now));
  const of = (status: (typeof states)[number]['status']) => states.filter((state) => state.status === status).length;
  const forReview = states.filter((state) => state.forReview).length;
  const counts = { unresolved: of('unresolved'), forReview, resolved: of('resolved'), ignored: of('ignored') };
  return added(NONE, counts, bound);
}

/** Counts single errors, up to `bound`. */
async function countSingle(
  context: MongoContext,
  p: number,
  { codes, filterOf, only, check }: SelectedErrors,
  bound: number,
): Promise<number> {
  const { errors } = context.collections;
  const hint = only === null ? orderKey('last.at') : ERROR_KEYS.byNumber;
  const ids = only === null ? {} : { id: { $in: [...only] } };
  const filter = { p, st: { $in: [...codes] }, ...ids, ...filterOf(''), into: null };
  if (check === null) return errors.countDocuments(filter, { ...reading('errors.count'), hint, limit: bound });
  const some = await someRows(context, filter, hint, bound);
  const having = await check(some);
  if (some.length < bound || having.length === some.length) return having.length;
  // Reads all errors, because no order tells which ones were read.
  const checked = new Set(some.map(({ id }) => id));
  const rows = errors
    .find<Checked>(filter, reading('errors.checked', { id: 1 }))
    .hint(hint)
    .batchSize(bound);
  let count = having.length;
  for await (const batch of inBatches(rows, bound)) {
    count += (await check(batch.filter(({ id }) => !checked.has(id)))).length;
    if (count >= bound) break;
  }
  return Math.min(count, bound);
}

/**
 * Reads `count` errors in any order. They come as one document: FerretDB takes three times as long for a thousand
 * small ones.
 */
async function someRows(
  { collections }: MongoContext,
  filter: Doc,
  hint: IndexKey,
  count: number,
): Promise<readonly Checked[]> {
  const stages = [
    { $match: filter },
    { $limit: count },
    { $group: { _id: null, rows: { $push: { _id: '$_id', id: '$id' } } } },
  ];
  const [found] = await collections.errors
    .aggregate<{ readonly rows: readonly Checked[] }>(stages, { ...reading('errors.some'), hint })
    .toArray();
  return found?.rows ?? [];
}

/** Reads rows in batches; a caller that stops closes the cursor. */
async function* inBatches<T>(rows: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
