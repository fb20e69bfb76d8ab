import type { ErrorQuery } from '../domain/tracked-error.ts';

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
export function searchQuery(query: Pick<ErrorQuery, 'status' | 'level' | 'release' | 'search'>): string {
  return [
    query.status === 'all' ? null : `is:${query.status}`,
    query.level === null ? null : `level:${query.level}`,
    query.release === null ? null : `release:${quoted(query.release)}`,
    ...words(query.search ?? '').map(quoted),
  ]
    .filter((part) => part !== null)
    .join(' ');
}
