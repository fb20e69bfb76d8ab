import type { LastOccurrence } from '../fold.ts';

/**
 * Returns the text that searches read, with the host of the event's address, in lower case by JavaScript's rules,
 * because SQLite's LIKE ignores case for ASCII only.
 */
export function searchText({
  title,
  message,
  type,
  culprit,
  host = null,
}: Pick<LastOccurrence, 'title' | 'message' | 'type' | 'culprit' | 'host'>): string {
  return [title, message, type, culprit, host]
    .filter((text) => text !== null)
    .join('\n')
    .toLowerCase();
}

/** Words in quotes, which must occur side by side; at least one character in them. */
const PHRASE = /(?<=^|\s)"([^"]*[^"\s][^"]*)"(?=\s|$)/gu;

/**
 * Returns the words of a search in lower case, each once; all of them must occur. Words in quotes are one, without the
 * quotes; other quotes are characters like any.
 */
export function searchWords(search: string | null): string[] {
  const text = (search ?? '').toLowerCase();
  const phrases = [...text.matchAll(PHRASE)].map(([, words = '']) => words.trim());
  const words = text.replaceAll(PHRASE, ' ').split(/\s+/u);
  return [...new Set([...phrases, ...words].filter((word) => word !== ''))];
}

/** Returns the event id that a whole search is, as 32 lower-case hex digits; dashes as in a UUID are allowed. */
export function eventIdIn(search: string): string | null {
  const digits = search.trim().toLowerCase().replaceAll('-', '');
  return /^[0-9a-f]{32}$/.test(digits) ? digits : null;
}
