import { choicesOf, statusesIn, type SearchCondition } from '../../../domain/search/search-condition.ts';
import { startOf } from '../../../domain/search/time-range.ts';
import type { ErrorSelection } from '../../../domain/search/error-query.ts';
import { ERROR_STATUSES, type ErrorStatus } from '../../../domain/errors/error-status.ts';
import { STATUS_CODES } from '../../errors/error-status.ts';
import { searchWords } from '../../search/search-text.ts';
import { exactTag } from '../../search/sought-tags.ts';
import { conditionOf, markFilter, tagFilter } from './error-conditions.ts';
import { LISTED, type Filter, type FilterScope, type Listed } from './listed-tables.ts';
import { namedErrors } from '../errors/named-errors.ts';

/** Returns the statuses that a selection allows. */
export function statusesOf({ status, conditions = [] }: ErrorSelection): ErrorStatus[] {
  return ERROR_STATUSES.filter(
    (each) =>
      (status === 'all' || each === status) &&
      conditions.every((condition) => statusesIn(condition)?.includes(each) !== condition.not),
  );
}

/** Returns the codes of the statuses that a selection allows. */
export function codesOf(selection: ErrorSelection): number[] {
  return statusesOf(selection).map((status) => STATUS_CODES[status]);
}

/** Builds the filters of a selection, one per table of LISTED. */
export function filtersOf(scope: FilterScope, selection: ErrorSelection): Filter[] {
  const named = namedErrors(scope.db, scope.projectId, selection.search);
  return LISTED.map((listed) => filterOf(scope, selection, named, listed));
}

/** `named`: errors that the whole search names, which need not have its words. */
function filterOf(scope: FilterScope, selection: ErrorSelection, named: readonly number[], listed: Listed): Filter {
  const filters = [
    ...(selection.level === null ? [] : [{ sql: 'level = ?', values: [selection.level] }]),
    ...boundFilters(scope, selection),
    ...(selection.forReview === true ? [markFilter('for_review', scope, listed)] : []),
    ...[...(selection.conditions ?? [])]
      .sort((a, b) => costOf(a) - costOf(b))
      .flatMap((condition) => conditionOf(condition, scope, listed) ?? []),
    ...tagFilters(selection, listed),
    ...wordFilters(searchWords(selection.search), named),
  ];
  return {
    sql: filters.map(({ sql }) => `AND ${sql}`).join(' '),
    values: filters.flatMap(({ values }) => values),
  };
}

/** Conditions that mostly leave few errors go first: what they leave out is not looked at further. */
const FIRST = ['user', 'file', 'function', 'url.host', 'url.path', 'mark', 'assignee'];

function costOf(condition: SearchCondition): number {
  const field = choicesOf(condition)[0]?.field ?? '';
  return FIRST.includes(field) ? FIRST.indexOf(field) : FIRST.length;
}

function boundFilters({ now, sortColumn }: FilterScope, selection: ErrorSelection): Filter[] {
  const range = selection.range === undefined ? undefined : startOf(selection.range, now);
  const bounds = [
    ['first_seen', '>=', selection.firstSeenAfter],
    ['first_seen', '<=', selection.firstSeenBefore],
    ['last_seen', '>=', selection.lastSeenAfter],
    ['last_seen', '<=', selection.lastSeenBefore],
    ['last_seen', '>=', range],
  ] as const;
  return bounds.flatMap(([name, compare, bound]) =>
    // Only the sort's index is read in order; the sign keeps a bound of another column from choosing its index.
    bound === undefined ? [] : [{ sql: `${name === sortColumn ? '' : '+'}${name} ${compare} ?`, values: [bound] }],
  );
}

function tagFilters({ environment, release }: ErrorSelection, { rows }: Listed): Filter[] {
  const tags = Object.entries({ environment, release });
  return tags.flatMap(([key, value]) => (value === null ? [] : [tagFilter(rows, exactTag(key, value))]));
}

/**
 * Words are compared in lower case against the row's search text; no character of a search has a special meaning. They
 * are passed as one JSON value, so SQL does not limit their number.
 */
function wordFilters(words: readonly string[], named: readonly number[]): Filter[] {
  if (words.length === 0) return [];
  const found = 'NOT EXISTS (SELECT 1 FROM json_each(?) w WHERE instr(e.search_text, w.value) = 0)';
  const values = [JSON.stringify(words)];
  return named.length === 0
    ? [{ sql: found, values }]
    : [
        {
          sql: `(${found} OR e.id IN (SELECT value FROM json_each(?)))`,
          values: [...values, JSON.stringify(named)],
        },
      ];
}
