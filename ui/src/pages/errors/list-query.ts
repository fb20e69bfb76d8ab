import type { ListParameters } from '../../api/errors-api.ts';

/** What the list shows; all of it stands in the address, so that a link shows the same. */
export interface ListQuery {
  readonly status: NonNullable<ListParameters['status']>;
  readonly sort: NonNullable<ListParameters['sort']>;
  readonly level: NonNullable<ListParameters['level']> | '';
  readonly search: string;
  readonly environment: string;
  readonly release: string;
  readonly cursor: string;
}

export const STATUSES = ['unresolved', 'resolved', 'ignored', 'all'] as const satisfies readonly ListQuery['status'][];
export const SORTS = ['last_seen', 'first_seen', 'frequency', 'users'] as const satisfies readonly ListQuery['sort'][];
export const LEVELS = ['fatal', 'error', 'warning', 'info', 'debug'] as const satisfies readonly ListQuery['level'][];

const DEFAULTS: ListQuery = {
  status: 'unresolved',
  sort: 'last_seen',
  level: '',
  search: '',
  environment: '',
  release: '',
  cursor: '',
};

/** Longest text that the service takes. */
export const MAX_TEXT = 200;

type Given = Readonly<Record<string, unknown>>;

function text(given: unknown, max = MAX_TEXT): string {
  const first: unknown = Array.isArray(given) ? given[0] : given;
  return typeof first === 'string' ? first.slice(0, max) : '';
}

function oneOf<T extends string>(words: readonly T[], given: unknown): T | undefined {
  return words.find((word) => word === given);
}

/** Reads an address; what makes no sense there is as if it was not there. */
export function parseListQuery(given: Given): ListQuery {
  return {
    status: oneOf(STATUSES, given.status) ?? DEFAULTS.status,
    sort: oneOf(SORTS, given.sort) ?? DEFAULTS.sort,
    level: oneOf(LEVELS, given.level) ?? DEFAULTS.level,
    search: text(given.search),
    environment: text(given.environment),
    release: text(given.release),
    cursor: text(given.cursor, 1024),
  };
}

/** The address of a query: only what is not usual stands in it. */
export function toLocationQuery(query: ListQuery): Record<string, string> {
  const names = Object.keys(DEFAULTS) as (keyof ListQuery)[];
  return Object.fromEntries(names.filter((name) => query[name] !== DEFAULTS[name]).map((name) => [name, query[name]]));
}

/** What is sent to the service. */
export function toParameters(query: ListQuery): ListParameters {
  const { status, sort, level, search, environment, release, cursor } = query;
  return {
    status,
    sort,
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
