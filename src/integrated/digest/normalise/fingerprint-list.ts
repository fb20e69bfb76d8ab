import { scalarText } from './bounds/lenient-text.ts';
import { MAX_FINGERPRINT } from './bounds/limits.ts';
import type { Notes } from './bounds/notes.ts';

const DEFAULT_FINGERPRINT = '{{ default }}';

/**
 * Normalises a fingerprint to texts. Anything but a list with a usable entry means default grouping. A legacy
 * `checksum` replaces the list. Values are never cut: that would join different errors.
 */
export function normaliseFingerprint(raw: unknown, checksum: unknown, notes: Notes): string[] {
  if (typeof checksum === 'string' && checksum.trim() !== '') {
    return [scalarText(checksum.trim()) ?? DEFAULT_FINGERPRINT];
  }
  const entries: unknown[] = Array.isArray(raw) ? raw : [];
  if (entries.length > MAX_FINGERPRINT) {
    notes.add('fingerprint', `more than ${MAX_FINGERPRINT}, the rest omitted`);
  }
  const list = entries
    .slice(0, MAX_FINGERPRINT)
    .map(scalarText)
    .filter((entry) => entry !== null);
  return list.length === 0 ? [DEFAULT_FINGERPRINT] : list;
}
