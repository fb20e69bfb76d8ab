/** How many are remembered. */
export const MAX_RECENT = 5;

/** The newest first, each once, whatever case it was typed in. */
export function withSearch(recent: readonly string[], search: string): string[] {
  const wanted = search.trim();
  if (wanted === '') return [...recent];
  const others = recent.filter((text) => text.toLowerCase() !== wanted.toLowerCase());
  return [wanted, ...others].slice(0, MAX_RECENT);
}

/** What was stored, as far as it is what we store. */
export function parseRecent(stored: string | null): string[] {
  if (stored === null) return [];
  try {
    const value: unknown = JSON.parse(stored);
    if (!Array.isArray(value)) return [];
    return value.filter((text): text is string => typeof text === 'string').slice(0, MAX_RECENT);
  } catch {
    return [];
  }
}
