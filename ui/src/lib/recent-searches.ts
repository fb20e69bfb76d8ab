import { parseStoredList } from './stored.ts';

/** Maximum of remembered searches. */
export const MAX_RECENT = 5;

/** Adds a search at the front, and removes its earlier copy regardless of case. */
export function withSearch(recent: readonly string[], search: string): string[] {
  const wanted = search.trim();
  if (wanted === '') return [...recent];
  const others = recent.filter((text) => text.toLowerCase() !== wanted.toLowerCase());
  return [wanted, ...others].slice(0, MAX_RECENT);
}

/** Parses the stored searches, up to the maximum. */
export function parseRecent(stored: string | null): string[] {
  return parseStoredList(stored, (text) => typeof text === 'string').slice(0, MAX_RECENT);
}
