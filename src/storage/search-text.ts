import type { LastOccurrence } from './fold.ts';

/**
 * Returns the text that searches read, in lower case by JavaScript's rules, because SQLite's LIKE ignores case for
 * ASCII only.
 */
export function searchText({
  title,
  message,
  type,
  culprit,
}: Pick<LastOccurrence, 'title' | 'message' | 'type' | 'culprit'>): string {
  return [title, message, type, culprit]
    .filter((text) => text !== null)
    .join('\n')
    .toLowerCase();
}

/** Returns the words of a search in lower case, each once; all of them must occur. */
export function searchWords(search: string | null): string[] {
  const words = (search ?? '').toLowerCase().split(/\s+/u);
  return [...new Set(words.filter((word) => word !== ''))];
}

/** Returns the event id that a whole search is, as 32 lower-case hex digits; dashes as in a UUID are allowed. */
export function eventIdIn(search: string): string | null {
  const digits = search.trim().toLowerCase().replaceAll('-', '');
  return /^[0-9a-f]{32}$/.test(digits) ? digits : null;
}
