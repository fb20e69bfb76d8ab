/** Keys of the search that are tags, too: the search knows them by themselves. */
const OWN_KEYS: ReadonlySet<string> = new Set(['environment', 'level', 'release', 'user']);

function valueText(value: string): string {
  return /^[^\s"\\=*[]+$/.test(value) ? value : `"${value.replaceAll(/["\\*]/g, '\\$&')}"`;
}

/**
 * Writes a condition of the search by `key:value`: `user:ada@example.com`, `tag:browser="Firefox 140"`. Null for tags
 * whose name the search cannot spell.
 */
export function searchTerm(key: string, value: string): string | null {
  if (value.trim() === '' || value.includes('\n')) return null;
  if (OWN_KEYS.has(key)) return `${key}:${valueText(value)}`;
  return /^[^\s"=]+$/.test(key) ? `tag:${key}=${valueText(value)}` : null;
}
