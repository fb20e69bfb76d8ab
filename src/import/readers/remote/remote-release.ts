import type { ImportedRelease } from '../../../domain/imports/import.ts';
import { isRecord } from '../../../lib/own-property.ts';
import { clampedTime, lineText } from './remote-values.ts';

/** Maximum characters of a release, as of events; longer ones are left out. */
const MAX_RELEASE = 200;

/** Reads a release; null without a version. Times later than `at` (milliseconds) become it. */
export function remoteRelease(row: unknown, at: number): ImportedRelease | null {
  const release = isRecord(row) ? lineText(row.version, MAX_RELEASE + 1) : null;
  if (!isRecord(row) || release === null || release.length > MAX_RELEASE) return null;
  const time = (...values: unknown[]): number | null => {
    for (const value of values) {
      const found = clampedTime(value, at);
      if (found !== null) return found;
    }
    return null;
  };
  const firstSeen = time(row.firstEvent, row.dateReleased, row.date_released, row.dateCreated) ?? at;
  return { release, firstSeen, lastSeen: Math.max(firstSeen, time(row.lastEvent) ?? firstSeen) };
}
