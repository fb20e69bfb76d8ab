import type { ErrorFilter, ErrorQuery, SeenFilter } from '../../domain/search/error-query.ts';

/** Filters of lists, except the status, which every tracker knows, times (`seen-bounds.ts`), and those of errgate. */
export type TrackerFilter = Exclude<ErrorFilter, 'status' | SeenFilter | 'range' | 'for_review' | 'conditions'>;

export interface SearchTerms extends Pick<ErrorQuery, 'status' | Exclude<TrackerFilter, 'environment'>> {
  /** Absent when the environment is a separate parameter. */
  readonly environment?: string | null;
  /** Words for bounds of times; default none. */
  readonly bounds?: readonly string[];
  /** Words for other conditions; default none. */
  readonly words?: readonly string[];
}

/**
 * Quotes text so that all trackers read it literally. A backslash stays only where it cannot start an escape; quotes
 * and wildcards are escaped.
 */
export function quoted(text: string): string {
  const plain = text
    .replace(/[\u0000-\u001f\u007f]+/g, ' ')
    .replace(/\\(?=[\\"*]|$)/g, '')
    .replace(/["*]/g, '\\$&');
  return `"${plain}"`;
}

/** Quotes the beginning of a text, with a wildcard behind it. */
export function quotedStart(text: string): string {
  return `${quoted(text).slice(0, -1)}*"`;
}

/** Splits a search into words. Colons separate too: some trackers ignore quotes and would read a filter. */
function words(search: string): string[] {
  return search.split(/[\s:\u0000-\u001f\u007f]+/).filter((word) => quoted(word) !== '""');
}

/** Text of each filter, in the order of the query: one tracker reads everything after the first plain word as text. */
const TERMS = {
  level: (level) => [`level:${level}`],
  environment: (environment) => [`environment:${quoted(environment)}`],
  release: (release) => [`release:${quoted(release)}`],
  search: (search) => words(search).map(quoted),
} as const satisfies Record<TrackerFilter, (value: string) => string[]>;

/** Filters in the order in which capabilities name them. */
export const TRACKER_FILTERS: readonly TrackerFilter[] = ['environment', 'release', 'level', 'search'];

const IN_QUERY_ORDER = Object.keys(TERMS) as readonly TrackerFilter[];

/** Builds the query text of a list. */
export function searchQuery(query: SearchTerms): string {
  const terms = IN_QUERY_ORDER.flatMap((filter): readonly string[] => {
    const value = query[filter] ?? null;
    return value === null ? [] : TERMS[filter](value);
  });
  const status = query.status === 'all' ? [] : [`is:${query.status}`];
  return [...status, ...(query.bounds ?? []), ...(query.words ?? []), ...terms].join(' ');
}
