import type { ListParameters } from '../../api/errors-api.ts';

export const PAGE_SIZES = ['20', '50', '100'] as const;
export type PageSize = (typeof PAGE_SIZES)[number];
export const DEFAULT_PAGE_SIZE: PageSize = '20';

/** What the list shows; all of it stands in the address, so that a link shows the same. */
export interface ListQuery {
  readonly status: NonNullable<ListParameters['status']>;
  readonly sort: NonNullable<ListParameters['sort']>;
  readonly level: NonNullable<ListParameters['level']> | '';
  readonly search: string;
  readonly environment: string;
  readonly release: string;
  readonly per_page: PageSize;
  readonly cursor: string;
}

export const STATUSES = ['unresolved', 'resolved', 'ignored', 'all'] as const satisfies readonly ListQuery['status'][];
export const SORTS = ['last_seen', 'first_seen', 'frequency', 'users'] as const satisfies readonly ListQuery['sort'][];
export const LEVELS = ['fatal', 'error', 'warning', 'info', 'debug'] as const satisfies readonly ListQuery['level'][];

/** Every backend knows it. */
export const DEFAULT_SORT = 'last_seen';

const DEFAULTS: ListQuery = {
  status: 'unresolved',
  sort: DEFAULT_SORT,
  level: '',
  search: '',
  environment: '',
  release: '',
  per_page: DEFAULT_PAGE_SIZE,
  cursor: '',
};

/** Longest text that the service takes. */
export const MAX_TEXT = 200;

/** The first half of a character that two are written as. */
const HALF = /[\uD800-\uDBFF]+$/;

type Given = Readonly<Record<string, unknown>>;

function text(given: unknown, max = MAX_TEXT): string {
  const first: unknown = Array.isArray(given) ? given[0] : given;
  // Without NUL, and without half a character at its end: the service takes neither.
  return typeof first === 'string' ? first.replaceAll('\0', '').slice(0, max).replace(HALF, '') : '';
}

function oneOf<T extends string>(words: readonly T[], given: unknown): T | undefined {
  return words.find((word) => word === given);
}

/** Parses the stored preference for the page size. */
export function parsePageSize(stored: unknown): PageSize {
  return oneOf(PAGE_SIZES, stored) ?? DEFAULT_PAGE_SIZE;
}

/**
 * Parses an address; invalid values are ignored. A page after the first has the size of its address, whatever is
 * preferred: a link shows the same rows.
 */
export function parseListQuery(given: Given, preferred: PageSize = DEFAULT_PAGE_SIZE): ListQuery {
  const cursor = text(given.cursor, 1024);
  return {
    status: oneOf(STATUSES, given.status) ?? DEFAULTS.status,
    sort: oneOf(SORTS, given.sort) ?? DEFAULTS.sort,
    level: oneOf(LEVELS, given.level) ?? DEFAULTS.level,
    search: text(given.search),
    environment: text(given.environment),
    release: text(given.release),
    per_page: oneOf(PAGE_SIZES, given.per_page) ?? (cursor === '' ? preferred : DEFAULT_PAGE_SIZE),
    cursor,
  };
}

const NAMES = Object.keys(DEFAULTS) as (keyof ListQuery)[];

/** Builds the address of a query, without default values for the given page size. */
export function toLocationQuery(query: ListQuery, preferred = DEFAULT_PAGE_SIZE): Record<string, string> {
  const isSaid = (name: keyof ListQuery): boolean =>
    query[name] !== DEFAULTS[name] || (name === 'per_page' && query.cursor === '' && preferred !== DEFAULT_PAGE_SIZE);
  return Object.fromEntries(NAMES.filter(isSaid).map((name) => [name, query[name]]));
}

/** The address as it should have been for the query that was read from it; null where it says just that. */
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

/** What is sent to the service. */
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
    ...(cursor === '' ? {} : { cursor }),
  };
}

/** Whether anything but the status narrows the list down. */
export function isFiltered({ level, search, environment, release }: ListQuery): boolean {
  return [level, search.trim(), environment, release].some((value) => value !== '');
}

export const NO_FILTERS = { level: '', search: '', environment: '', release: '', cursor: '' } as const;
