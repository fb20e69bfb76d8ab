import type { ListParameters } from '../../api/errors-api.ts';
import { RANGES, type TimeRange } from './time-span.ts';

export const PAGE_SIZES = ['20', '50', '100'] as const;
export type PageSize = (typeof PAGE_SIZES)[number];
export const DEFAULT_PAGE_SIZE: PageSize = '20';

/** Query of the list. The address holds all of it, so that links show the same rows. */
export interface ListQuery {
  readonly status: NonNullable<ListParameters['status']>;
  readonly sort: NonNullable<ListParameters['sort']>;
  readonly level: NonNullable<ListParameters['level']> | '';
  readonly search: string;
  readonly environment: string;
  readonly release: string;
  /** RFC 3339 times; empty: no bound. */
  readonly first_seen_after: string;
  readonly first_seen_before: string;
  readonly last_seen_after: string;
  readonly last_seen_before: string;
  /** Empty: errors of any time, with all of their events. */
  readonly range: TimeRange | '';
  /** `true`: only errors that ask for a review. */
  readonly for_review: 'true' | '';
  readonly per_page: PageSize;
  readonly cursor: string;
  /** Number of the page, for display; empty on the first page, or when it is unknown. */
  readonly page: string;
}

export const STATUSES = ['unresolved', 'resolved', 'ignored', 'all'] as const satisfies readonly ListQuery['status'][];
export const SORTS = [
  'matters',
  'last_seen',
  'first_seen',
  'frequency',
  'users',
] as const satisfies readonly ListQuery['sort'][];
export const LEVELS = ['fatal', 'error', 'warning', 'info', 'debug'] as const satisfies readonly ListQuery['level'][];

/**
 * Sort that every backend supports, and that shows an error at its first event; `matters` shows it up to 30 seconds
 * later.
 */
export const DEFAULT_SORT = 'last_seen';

const DEFAULTS: ListQuery = {
  status: 'unresolved',
  sort: DEFAULT_SORT,
  level: '',
  search: '',
  environment: '',
  release: '',
  first_seen_after: '',
  first_seen_before: '',
  last_seen_after: '',
  last_seen_before: '',
  range: '',
  for_review: '',
  per_page: DEFAULT_PAGE_SIZE,
  cursor: '',
  page: '',
};

const TIME_BOUNDS = ['first_seen_after', 'first_seen_before', 'last_seen_after', 'last_seen_before'] as const;

/** RFC 3339 time with its zone. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:[\d:.]+(Z|[+-]\d\d:\d\d)$/;

/** Maximum length of a text parameter; the service has the same. */
export const MAX_TEXT = 200;
/** Maximum length of a search. */
export const MAX_SEARCH = 500;

/** Unpaired first half of a surrogate pair at the end. */
const HALF = /[\uD800-\uDBFF]+$/;

type Given = Readonly<Record<string, unknown>>;

function text(given: unknown, max = MAX_TEXT): string {
  const first: unknown = Array.isArray(given) ? given[0] : given;
  // Removes NUL and half characters, which the service refuses.
  return typeof first === 'string' ? first.replaceAll('\0', '').slice(0, max).replace(HALF, '') : '';
}

function time(given: unknown): string {
  const said = text(given, 40);
  return TIME.test(said) && !Number.isNaN(Date.parse(said)) ? said : '';
}

function oneOf<T extends string>(words: readonly T[], given: unknown): T | undefined {
  return words.find((word) => word === given);
}

function pageNumber(given: unknown): string {
  const said = text(given, 6);
  return /^[1-9]\d{0,5}$/.test(said) ? said : '';
}

/** Parses the stored preference for the page size. */
export function parsePageSize(stored: unknown): PageSize {
  return oneOf(PAGE_SIZES, stored) ?? DEFAULT_PAGE_SIZE;
}

/**
 * Parses an address; invalid values are ignored. Addresses of further pages ignore the preferred page size, so that
 * links show the same rows.
 */
export function parseListQuery(given: Given, preferred: PageSize = DEFAULT_PAGE_SIZE): ListQuery {
  const cursor = text(given.cursor, 1024);
  return {
    status: oneOf(STATUSES, given.status) ?? DEFAULTS.status,
    sort: oneOf(SORTS, given.sort) ?? DEFAULTS.sort,
    level: oneOf(LEVELS, given.level) ?? DEFAULTS.level,
    search: text(given.search, MAX_SEARCH),
    environment: text(given.environment),
    release: text(given.release),
    first_seen_after: time(given.first_seen_after),
    first_seen_before: time(given.first_seen_before),
    last_seen_after: time(given.last_seen_after),
    last_seen_before: time(given.last_seen_before),
    range: oneOf(RANGES, given.range) ?? DEFAULTS.range,
    for_review: given.for_review === 'true' ? 'true' : '',
    per_page: oneOf(PAGE_SIZES, given.per_page) ?? (cursor === '' ? preferred : DEFAULT_PAGE_SIZE),
    cursor,
    page: cursor === '' ? '' : pageNumber(given.page),
  };
}

const NAMES = Object.keys(DEFAULTS) as (keyof ListQuery)[];

/** Builds the address of a query, without default values for the given page size. */
export function toLocationQuery(query: ListQuery, preferred = DEFAULT_PAGE_SIZE): Record<string, string> {
  const isSaid = (name: keyof ListQuery): boolean =>
    query[name] !== DEFAULTS[name] || (name === 'per_page' && query.cursor === '' && preferred !== DEFAULT_PAGE_SIZE);
  return Object.fromEntries(NAMES.filter(isSaid).map((name) => [name, query[name]]));
}

/** Address that matches the parsed query; null when the given address already does. */
export function corrected<T>(
  given: Readonly<Record<string, T>>,
  query: ListQuery,
  preferred = DEFAULT_PAGE_SIZE,
): Record<string, T | string> | null {
  const meant = toLocationQuery(query, preferred);
  const wrong = NAMES.filter((name) => (name in given ? given[name] !== query[name] : name in meant));
  if (wrong.length === 0) return null;
  const others = Object.entries(given).filter(([name]) => !(NAMES as readonly string[]).includes(name));
  return { ...Object.fromEntries(others), ...meant };
}

/** Builds the parameters of the request. */
export function toParameters(query: ListQuery): ListParameters {
  const { status, sort, level, search, environment, release, per_page: size, cursor } = query;
  return {
    status,
    sort,
    per_page: Number(size),
    ...(level === '' ? {} : { level }),
    ...(search.trim() === '' ? {} : { search: search.trim() }),
    ...(environment === '' ? {} : { environment }),
    ...(release === '' ? {} : { release }),
    ...Object.fromEntries(TIME_BOUNDS.filter((name) => query[name] !== '').map((name) => [name, query[name]])),
    ...(query.range === '' ? {} : { range: query.range }),
    ...(query.for_review === '' ? {} : { for_review: true }),
    ...(cursor === '' ? {} : { cursor }),
  };
}

/** Whether any filter besides the tab is set. */
export function isFiltered(query: ListQuery): boolean {
  const { level, search, environment, release } = query;
  const times = TIME_BOUNDS.map((name) => query[name]);
  return [level, search.trim(), environment, release, query.range, ...times].some((value) => value !== '');
}

/** Number of filters that narrow screens hide behind a button: all but the tab, the search and the order. */
export function activeFilters(query: ListQuery): number {
  const { level, environment, release, range } = query;
  const seen = TIME_BOUNDS.some((name) => query[name] !== '') ? 'seen' : '';
  return [level, environment, release, range, seen].filter((value) => value !== '').length;
}

export const NO_FILTERS = {
  level: '',
  search: '',
  environment: '',
  release: '',
  first_seen_after: '',
  first_seen_before: '',
  last_seen_after: '',
  last_seen_before: '',
  range: '',
  cursor: '',
} as const;
