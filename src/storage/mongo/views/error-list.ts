import {
  seenBounds,
  type ErrorQuery,
  type ErrorSort,
  type ErrorStatus,
  type Page,
  type TrackedError,
} from '../../../domain/tracked-error.ts';
import { decodeCursor, encodeCursor, queryHash, type Cursor, type Place } from '../../cursor.ts';
import { STATUS_CODES } from '../../error-status.ts';
import { hourOf } from '../../fold.ts';
import { HOURS_SHOWN } from '../../frequency.ts';
import { searchWords } from '../../search-text.ts';
import type { Collections } from '../collections.ts';
import type { MongoContext } from '../context.ts';
import { errorHoursKey, groupHashOf } from '../documents.ts';
import { reading } from '../operation-options.ts';
import type { QueryName } from '../query-names.ts';
import { membersOf } from './error-groups.ts';
import { asShown, ERROR_ROW, toTrackedError, type ErrorRow } from './error-rows.ts';
import { hourlyPoints, type HourCounts } from './hour-counts.ts';
import { shownImports } from './import-views.ts';
import { namedErrors } from './named-errors.ts';
import { assigneesOf } from './triage-views.ts';
import { between, beyond, mongoPage, orderOf } from './mongo-page.ts';

interface Sort {
  readonly member: string;
  readonly valueOf: (row: ErrorRow) => number;
}

const SORTS: Readonly<Record<ErrorSort, Sort>> = {
  last_seen: { member: 'last.at', valueOf: ({ last }) => last.at },
  first_seen: { member: 'first.at', valueOf: ({ first }) => first.at },
  frequency: { member: 'c', valueOf: ({ c }) => c },
  users: { member: 'u', valueOf: ({ u }) => u },
  matters: { member: 'last.at', valueOf: ({ last }) => last.at },
};

/** Maximum characters of a search word: the server limits patterns. No stored text has a longer word. */
const MAX_WORD_LENGTH = 16_000;

/** Returns one page of a project's errors; see the port for rows that move meanwhile. */
export async function listErrors(
  context: MongoContext,
  projectId: number,
  query: ErrorQuery,
  now: number,
): Promise<Page<TrackedError>> {
  const words = searchWords(query.search);
  const { status, sort, environment, release, level } = query;
  const hash = queryHash([projectId, status, sort, environment, release, level, ...seenBounds(query), ...words]);
  const cursor = decodeCursor(query.cursor, hash, Number.isSafeInteger);
  const { member, valueOf } = SORTS[sort];
  const named = await namedErrors(context, projectId, query.search);
  const codes = status === 'all' ? Object.values(STATUS_CODES) : [STATUS_CODES[status]];
  // Single errors, and displayed rows of merged ones; each in the order of its own indexes.
  const sources = [
    { name: 'errors.list', member, filter: { into: null, ...filterOf(query, words, named, '') }, row: ERROR_ROW },
    {
      name: 'errors.merged',
      member: `g.${member}`,
      filter: { g: { $exists: true }, ...filterOf(query, words, named, 'g.') },
      row: { ...ERROR_ROW, g: 1 },
    },
  ] as const;
  const placeOf = (row: ErrorRow) => ({ value: valueOf(row), id: row.id });

  const hopeless = words.some((word) => word.length > MAX_WORD_LENGTH);

  // Each status is a range of the sort's index, read in order. A list of all statuses merges the first rows of the
  // ranges.
  const read = async (
    rangesOf: (member: string) => readonly object[],
    order: 1 | -1,
    limit: number,
  ): Promise<ErrorRow[]> => {
    const arms = sources.flatMap((source) =>
      rangesOf(source.member).map((range) =>
        context.collections.errors
          .find<ErrorRow>({ p: projectId, ...source.filter, ...range }, reading(source.name, source.row))
          .sort({ [source.member]: order, id: order })
          .limit(limit)
          .toArray(),
      ),
    );
    return merge((await Promise.all(arms)).flat().map(asShown), placeOf, order).slice(0, limit);
  };
  const readAll = (from: Cursor | null, limit: number): Promise<ErrorRow[]> => {
    const rangesOf = (by: string) => codes.map((st) => ({ st, ...beyond(from, by, 'id', from?.id) }));
    return read(rangesOf, orderOf(from), limit);
  };
  const readNear = (from: Cursor | null, limit: number, bound: Place): Promise<ErrorRow[]> => {
    const st = codes.length === 1 ? codes[0] : { $in: codes };
    const rangesOf = (by: string) => between(from, bound, by, 'id').map((range) => ({ st, ...range }));
    return read(rangesOf, orderOf(from), limit);
  };
  const fetch = async (from: Cursor | null, limit: number): Promise<ErrorRow[]> => {
    if (hopeless) return [];
    const key = `${hash} ${limit} ${from === null ? '' : encodeCursor(from, '')}`;
    const bound = context.pageBounds.get(key);
    const near = bound === undefined ? [] : await readNear(from, limit, bound);
    const rows = near.length === limit ? near : await readAll(from, limit);
    const last = rows.length === limit ? rows.at(-1) : undefined;
    if (last === undefined) context.pageBounds.delete(key);
    else context.pageBounds.set(key, placeOf(last));
    return rows;
  };
  const page = await mongoPage(fetch, placeOf, cursor, query.limit, hash);
  const toItem = await itemsOf(context, projectId, page.items, hourOf(now));
  return { ...page, items: page.items.map(toItem) };
}

/** Merges rows in the list's order. Takes a row once that moved between ranges while they were read. */
function merge(rows: readonly ErrorRow[], placeOf: (row: ErrorRow) => Place & { id: number }, order: 1 | -1) {
  const once = new Map(rows.map((row) => [row.id, row]));
  return [...once.values()].sort((left, right) => {
    const [a, b] = [placeOf(left), placeOf(right)];
    return order * (a.value - b.value || a.id - b.id);
  });
}

/**
 * Returns conditions beside the index's range, checked for each row in order. `names`: errors that the whole search
 * names, which need not have its words.
 */
function filterOf(
  query: ErrorQuery,
  words: readonly string[],
  names: readonly number[],
  prefix: '' | 'g.',
): Record<string, unknown> {
  const { level, environment, release } = query;
  const found = words.map((word) => ({ [`${prefix}last.q`]: { $regex: literal(word) } }));
  const named = names.length === 0 ? found : [{ $or: [{ $and: found }, { id: { $in: [...names] } }] }];
  const all = [...seenFilters(query, prefix), ...(words.length === 0 ? [] : named)];
  return {
    ...(level === null ? {} : { [`${prefix}last.level`]: level }),
    ...(environment === null ? {} : { [`${prefix}env`]: environment }),
    ...(release === null ? {} : { [`${prefix}rel`]: release }),
    ...(all.length === 0 ? {} : { $and: all }),
  };
}

/** Returns the bounds of times, each on its own: the range of a page has a bound of the sort's member too. */
function seenFilters(query: ErrorQuery, prefix: '' | 'g.'): object[] {
  const [firstAfter, firstBefore, lastAfter, lastBefore] = seenBounds(query);
  return [
    { member: 'first.at', bound: { $gte: firstAfter } },
    { member: 'first.at', bound: { $lte: firstBefore } },
    { member: 'last.at', bound: { $gte: lastAfter } },
    { member: 'last.at', bound: { $lte: lastBefore } },
  ]
    .filter(({ bound }) => Object.values(bound).every((at) => at !== null))
    .map(({ member, bound }) => ({ [`${prefix}${member}`]: bound }));
}

/** Returns a pattern that matches the word itself: no character of a search has a special meaning. */
function literal(word: string): string {
  return word.replace(/[\0!-/:-@[-^`{-~]/g, (sign) => (sign === '\0' ? '\\x00' : `\\${sign}`));
}

/**
 * Returns the items of a page's rows, with counts of the 24 hours that end with `currentHour` and names in a former
 * tracker: one query each for all errors of the page.
 */
async function itemsOf(
  context: MongoContext,
  p: number,
  rows: readonly ErrorRow[],
  currentHour: number,
): Promise<(row: ErrorRow) => TrackedError> {
  const merged = rows.filter(({ g }) => g !== undefined).map(({ id }) => id);
  const members = merged.length === 0 ? [] : await membersOf(context, p, merged);
  const shownAs = new Map(
    [...rows.map(({ _id, id }) => ({ _id, into: id })), ...members].map(({ _id, into }) => [groupHashOf(_id), into]),
  );
  const days = new Set([currentHour - HOURS_SHOWN + 1, currentHour].map((hour) => Math.floor(hour / 24)));
  const keys = [...shownAs.keys()].flatMap((groupHash) => [...days].map((day) => errorHoursKey(p, groupHash, day)));
  const [found, imports, assignee] = await Promise.all([
    keys.length === 0
      ? []
      : context.collections.errorHours
          .find({ _id: { $in: keys }, p }, reading('hours.of_page', { d: 1, h: 1 }))
          .toArray(),
    shownImports(context, p, [
      ...rows.filter(({ g }) => g === undefined).map((row) => ({ ...row, shownAs: row.id })),
      ...members.map((row) => ({ ...row, shownAs: row.into ?? 0 })),
    ]),
    assigneesOf(context, p, rows),
  ]);
  const counted = new Map<number, HourCounts[]>();
  for (const document of found) {
    const shown = shownAs.get(groupHashOf(document._id)) ?? 0;
    counted.set(shown, [...(counted.get(shown) ?? []), document]);
  }
  return (row) => {
    const { hours, externalIds } = imports(row.id);
    const points = hourlyPoints([...(counted.get(row.id) ?? []), ...hours], currentHour);
    return toTrackedError(row, points, externalIds, assignee(row));
  };
}

/** Counts single and merged errors; reads each index up to the limit. */
export async function countErrors(
  { collections }: MongoContext,
  projectId: number,
  status: ErrorStatus,
  limit: number,
): Promise<number> {
  const inStatus = { p: projectId, st: STATUS_CODES[status] };
  const counts = await Promise.all([
    count(collections, 'errors.count', { ...inStatus, into: null }, limit),
    count(collections, 'errors.count_merged', { ...inStatus, g: { $exists: true } }, limit),
  ]);
  return Math.min(limit, counts[0] + counts[1]);
}

function count({ errors }: Collections, name: QueryName, filter: object, limit: number): Promise<number> {
  return errors.countDocuments(filter, { ...reading(name), limit });
}
