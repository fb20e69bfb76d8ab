import type { ErrorQuery } from '../../../domain/search/error-query.ts';
import { type Cursor, type Place, encodeCursor } from '../../errors/cursor.ts';
import type { MongoContext } from '../engine/context.ts';
import { ERROR_KEYS, orderKey } from '../documents/error-indexes.ts';
import { reading } from '../engine/operation-options.ts';
import { readBounded } from '../engine/page-bounds.ts';
import { withMergedTotals, ERROR_ROW, type ErrorRow } from '../errors/error-rows.ts';
import { between, beyond, orderOf as directionOf, type FetchRows } from '../engine/mongo-page.ts';
import type { SelectedErrors } from '../search/selected-errors.ts';

/** Order of a list: the member that its index has, below `g` for merged errors. */
export interface ListOrder {
  readonly member: string;
  /** Condition of the index that rows of the list must fulfil; null: all have the member. */
  readonly present: object | null;
  readonly valueOf: (row: ErrorRow) => number;
}

/** Returns the order of a list. Errors that are not ranked yet, or without events in the range, have no place in it. */
export function orderOf({ sort, range }: Pick<ErrorQuery, 'sort' | 'range'>): ListOrder {
  switch (sort) {
    case 'last_seen':
      return { member: 'last.at', present: null, valueOf: ({ last }) => last.at };
    case 'first_seen':
      return { member: 'first.at', present: null, valueOf: ({ first }) => first.at };
    case 'users':
      return { member: 'u', present: null, valueOf: ({ u }) => u };
    case 'matters':
      return { member: 'rk', present: { $exists: true }, valueOf: ({ rk = 0 }) => rk };
    case 'frequency':
      return range === undefined
        ? { member: 'c', present: null, valueOf: ({ c }) => c }
        : { member: `rg.${range}`, present: { $gt: 0 }, valueOf: ({ rg }) => rg?.[range] ?? 0 };
  }
}

/** Least and most rows that one read of a list with checks takes; each read takes four times as many as before. */
const LEAST_CHECKED = 100;
const MOST_CHECKED = 1600;

type PlaceOf = (row: ErrorRow) => Place & { id: number };

/** Returns what reads the rows of a list in its order. `hash`: of the query, for cached bounds of pages. */
export function errorPages(
  context: MongoContext,
  p: number,
  selected: SelectedErrors,
  order: ListOrder,
  hash: string,
): FetchRows<ErrorRow> {
  const placeOf = (row: ErrorRow) => ({ value: order.valueOf(row), id: row.id });
  const { only, check } = selected;
  if (only !== null) return readByIds(context, p, selected, order, placeOf);
  const plain = inOrder(context, p, selected, order, placeOf, hash);
  if (check === null) return plain;
  return async (from, limit) => {
    const kept: ErrorRow[] = [];
    let chunk = Math.max(limit * 2, LEAST_CHECKED);
    for (let at = from; ; chunk = Math.max(chunk, Math.min(chunk * 4, MOST_CHECKED))) {
      const rows = await plain(at, chunk);
      kept.push(...(await check(rows)));
      const last = rows.at(-1);
      if (last === undefined || rows.length < chunk || kept.length >= limit) return kept.slice(0, limit);
      at = { ...placeOf(last), direction: from?.direction ?? 'next', inclusive: false };
    }
  };
}

/**
 * Single errors, and displayed rows of merged ones; each in the order of its own indexes. The condition that all single
 * errors fulfil comes last: a server that tests conditions in their order then tests it for few.
 */
function sourcesOf({ filterOf }: SelectedErrors, { member, present }: ListOrder) {
  const having = (name: string) => (present === null ? {} : { [name]: present });
  return [
    {
      name: 'errors.list',
      member,
      filter: { ...filterOf(''), into: null },
      having: having(member),
      row: ERROR_ROW,
    },
    {
      name: 'errors.merged',
      member: `g.${member}`,
      filter: { ...filterOf('g.'), g: { $exists: true } },
      having: having(`g.${member}`),
      row: { ...ERROR_ROW, g: 1 },
    },
  ] as const;
}

/** Reads the few errors that can match once, and sorts them in memory. */
function readByIds(
  { collections }: MongoContext,
  p: number,
  selected: SelectedErrors,
  order: ListOrder,
  placeOf: PlaceOf,
): FetchRows<ErrorRow> {
  let all: Promise<ErrorRow[]> | null = null;
  const load = async (): Promise<ErrorRow[]> => {
    const ids = [...(selected.only ?? [])];
    const own = { id: { $in: ids }, st: { $in: [...selected.codes] } };
    const finds = sourcesOf(selected, order).map(({ filter, having, row }) =>
      collections.errors
        .find<ErrorRow>({ p, $and: [own, filter, having] }, reading('errors.by_numbers', row))
        .hint(ERROR_KEYS.byNumber)
        .batchSize(ids.length)
        .toArray(),
    );
    const rows = (await Promise.all(finds)).flat();
    return merge((selected.check === null ? rows : await selected.check(rows)).map(withMergedTotals), placeOf, -1);
  };
  return async (from, limit) => {
    const rows = await (all ??= load());
    const ordered = directionOf(from) === -1 ? rows : rows.toReversed();
    return ordered.filter((row) => isBeyond(placeOf(row), from)).slice(0, limit);
  };
}

function isBeyond(place: Place, from: Cursor | null): boolean {
  if (from === null) return true;
  const order = place.value - from.value || Number(place.id) - Number(from.id);
  return order === 0 ? from.inclusive : from.direction === 'previous' ? order > 0 : order < 0;
}

/**
 * Each status is a range of the sort's index, read in order. A list of all statuses merges the first rows of the
 * ranges.
 */
function inOrder(
  context: MongoContext,
  p: number,
  selected: SelectedErrors,
  listOrder: ListOrder,
  placeOf: PlaceOf,
  hash: string,
): FetchRows<ErrorRow> {
  const sources = sourcesOf(selected, listOrder);
  const { codes } = selected;
  const read = async (
    rangesOf: (member: string) => readonly object[],
    order: 1 | -1,
    limit: number,
  ): Promise<ErrorRow[]> => {
    const arms = sources.flatMap((source) =>
      rangesOf(source.member).map((range) =>
        context.collections.errors
          .find<ErrorRow>({ p, ...withBoth(source.having, range), ...source.filter }, reading(source.name, source.row))
          .hint(orderKey(source.member))
          .sort({ [source.member]: order, id: order })
          .limit(limit)
          .batchSize(limit)
          .toArray(),
      ),
    );
    return merge((await Promise.all(arms)).flat().map(withMergedTotals), placeOf, order).slice(0, limit);
  };
  const readAll = (from: Cursor | null, limit: number): Promise<ErrorRow[]> => {
    const rangesOf = (by: string) => codes.map((st) => ({ st, ...beyond(from, by, 'id', from?.id) }));
    return read(rangesOf, directionOf(from), limit);
  };
  const readToKnownEnd = (from: Cursor | null, limit: number, bound: Place): Promise<ErrorRow[]> => {
    const st = codes.length === 1 ? codes[0] : { $in: [...codes] };
    const rangesOf = (by: string) => between(from, bound, by, 'id').map((range) => ({ st, ...range }));
    return read(rangesOf, directionOf(from), limit);
  };
  return (from, limit) =>
    readBounded(
      context.pageBounds,
      `${hash} ${limit} ${from === null ? '' : encodeCursor(from, '')}`,
      limit,
      (bound) => (bound === null ? readAll(from, limit) : readToKnownEnd(from, limit, bound)),
      placeOf,
    );
}

/** Joins the condition of the index with a range of the same member. */
function withBoth(having: Record<string, object>, range: object): object {
  const [[member, present] = []] = Object.entries(having);
  if (member === undefined || present === undefined) return range;
  const given = (range as Record<string, unknown>)[member];
  if (given === undefined) return { ...range, ...having };
  if (typeof given !== 'object' || given === null) return range;
  return { ...range, [member]: { ...present, ...given } };
}

/** Merges rows in the list's order. Takes a row once that moved between ranges while they were read. */
function merge(rows: readonly ErrorRow[], placeOf: PlaceOf, order: 1 | -1): ErrorRow[] {
  const once = new Map(rows.map((row) => [row.id, row]));
  return [...once.values()].sort((left, right) => {
    const [a, b] = [placeOf(left), placeOf(right)];
    return order * (a.value - b.value || a.id - b.id);
  });
}
