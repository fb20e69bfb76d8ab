import type { ErrorQuery } from '../domain/tracked-error.ts';

/** Filters of lists, except the status, which every tracker knows. */
export const ERROR_FILTERS = ['environment', 'release', 'level', 'search'] as const;
export type ErrorFilter = (typeof ERROR_FILTERS)[number];

export interface SearchTerms extends Pick<ErrorQuery, 'status' | 'level' | 'release' | 'search'> {
  /** Absent when the environment is a separate parameter. */
  readonly environment?: string | null;
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

/** Splits a search into words. Colons separate too: some trackers ignore quotes and would read a filter. */
function words(search: string): string[] {
  return search.split(/[\s:\u0000-\u001f\u007f]+/).filter((word) => quoted(word) !== '""');
}

/** Filters come first: one tracker reads everything after the first plain word as text. */
export function searchQuery(query: SearchTerms): string {
  return [
    query.status === 'all' ? null : `is:${query.status}`,
    query.level === null ? null : `level:${query.level}`,
    query.environment === undefined || query.environment === null ? null : `environment:${quoted(query.environment)}`,
    query.release === null ? null : `release:${quoted(query.release)}`,
    ...words(query.search ?? '').map(quoted),
  ]
    .filter((part) => part !== null)
    .join(' ');
}
