import type { ErrorQuery } from '../domain/tracked-error.ts';

/** What lists are narrowed down by, besides the status, which every tracker knows. */
export const ERROR_FILTERS = ['environment', 'release', 'level', 'search'] as const;
export type ErrorFilter = (typeof ERROR_FILTERS)[number];

export interface SearchTerms extends Pick<ErrorQuery, 'status' | 'level' | 'release' | 'search'> {
  /** Left out where the environment is a parameter of its own. */
  readonly environment?: string | null;
}

/**
 * Text in quotes that no tracker reads as anything but text. A backslash stays only where it cannot be taken for
 * the beginning of an escape; quotes and wildcards are escaped.
 */
export function quoted(text: string): string {
  const plain = text
    .replace(/[\u0000-\u001f\u007f]+/g, ' ')
    .replace(/\\(?=[\\"*]|$)/g, '')
    .replace(/["*]/g, '\\$&');
  return `"${plain}"`;
}

/**
 * The words of a search. Colons separate too: behind one, a tracker that forgets about quotes when it looks for
 * filters would see a filter.
 */
function words(search: string): string[] {
  return search.split(/[\s:\u0000-\u001f\u007f]+/).filter((word) => quoted(word) !== '""');
}

/** Filters first: one of the trackers takes everything behind the first plain word for plain text. */
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
