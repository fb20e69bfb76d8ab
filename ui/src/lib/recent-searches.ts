import { parseStoredList } from './stored.ts';

/** How many are remembered. */
export const MAX_RECENT = 5;

/** The newest first, each once, whatever case it was typed in. */
export function withSearch(recent: readonly string[], search: string): string[] {
  const wanted = search.trim();
  if (wanted === '') return [...recent];
  const others = recent.filter((text) => text.toLowerCase() !== wanted.toLowerCase());
  return [wanted, ...others].slice(0, MAX_RECENT);
}

/** What was stored, no more than are remembered. */
export function parseRecent(stored: string | null): string[] {
  return parseStoredList(stored, (text) => typeof text === 'string').slice(0, MAX_RECENT);
}
