import type { Page } from '../../domain/page.ts';
import type { Call } from './route.ts';

type Linked = Pick<Call<unknown>, 'url' | 'rawParameters' | 'path'>;
type Scalars = Readonly<Record<string, string | number>>;

/** Returns the requested address with its parameters, including the path's `id`, and with the given ones replaced. */
function addressWith({ url, rawParameters, path }: Linked, changed: Scalars): string {
  const merged = new Map<string, string>();
  for (const [name, value] of Object.entries(rawParameters)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      merged.set(name, String(value));
    }
  }
  if (path.id !== undefined) merged.set('id', path.id);
  for (const [name, value] of Object.entries(changed)) merged.set(name, String(value));
  const sorted = [...merged].sort(([a], [b]) => (a < b ? -1 : 1));
  return `${url}?${new URLSearchParams(sorted).toString()}`;
}

/** Builds one entry of a `Link` header. */
function link(call: Linked, rel: string, changed: Scalars): string {
  return `<${addressWith(call, changed)}>; rel="${rel}"`;
}

/** Returns the `Link` header of a list with cursors; absent when all rows are on one page. */
export function cursorLinks(
  call: Linked,
  { previous, next }: Pick<Page<unknown>, 'previous' | 'next'>,
  perPage: number,
): Readonly<Record<string, string>> {
  const links = [
    previous === null ? null : link(call, 'prev', { cursor: previous, per_page: perPage }),
    next === null ? null : link(call, 'next', { cursor: next, per_page: perPage }),
  ].filter((entry) => entry !== null);
  return links.length === 0 ? {} : { Link: links.join(', ') };
}

const DEFAULT_PER_PAGE = 20;
const MAX_PER_PAGE = 100;

/** Returns the page size, at most the host's maximum. */
export function pageSize(asked: number): number {
  return Math.min(asked, MAX_PER_PAGE);
}

/** Maximum number of rows for which the host reports a total. */
const MAX_COUNTED = 10_000;

/** Returns a positive integer, else the fallback: the list routes do not refuse other values. */
function positive(value: unknown, fallback: number): number {
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isSafeInteger(number) && number > 0 ? number : fallback;
}

export interface OffsetPage<T> {
  readonly items: readonly T[];
  readonly headers: Readonly<Record<string, string>>;
}

/** Rows of a page that is asked for by `page` and `per_page`. */
export interface OffsetRows {
  readonly page: number;
  readonly perPage: number;
  /** Rows before it. */
  readonly skip: number;
}

/** Returns the rows that are asked for. */
export function offsetRows({ rawParameters }: Pick<Linked, 'rawParameters'>): OffsetRows {
  const perPage = pageSize(positive(rawParameters.per_page, DEFAULT_PER_PAGE));
  const page = positive(rawParameters.page, 1);
  return { page, perPage, skip: (page - 1) * perPage };
}

/** Cuts one page by `page` and `per_page` and describes it in the host's headers. */
export function offsetPage<T>(call: Linked, all: readonly T[]): OffsetPage<T> {
  const { skip, perPage } = offsetRows(call);
  return { items: all.slice(skip, skip + perPage), headers: offsetHeaders(call, all.length) };
}

/** Describes a page of a list in the host's headers. `total`: rows of the whole list. */
export function offsetHeaders(call: Linked, total: number): OffsetPage<unknown>['headers'] {
  const { page, perPage } = offsetRows(call);
  const last = Math.max(1, Math.ceil(total / perPage));
  const previous = page > 1 && page <= last ? page - 1 : null;
  const next = page < last ? page + 1 : null;
  const at = (rel: string, number: number): string => link(call, rel, { page: number, per_page: perPage });
  const counted = total <= MAX_COUNTED;
  const links = [
    previous === null ? null : at('prev', previous),
    next === null ? null : at('next', next),
    at('first', 1),
    counted ? at('last', last) : null,
  ];
  return {
    'X-Per-Page': String(perPage),
    'X-Page': String(page),
    'X-Next-Page': next === null ? '' : String(next),
    'X-Prev-Page': previous === null ? '' : String(previous),
    Link: links.filter((entry) => entry !== null).join(', '),
    ...(counted ? { 'X-Total': String(total), 'X-Total-Pages': String(last) } : {}),
  };
}
