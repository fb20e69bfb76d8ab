import type { FrequencyPoint } from '../../../domain/errors/tracked-error.ts';
import type { ErrorStatus } from '../../../domain/errors/error-status.ts';
import { isRecord } from '../../../lib/own-property.ts';
import { countOf, listOf, timeOf } from '../../../thirdparty/map/values.ts';
import type { RemoteComment } from '../../tracker-reader.ts';
import { clampedTime, lineText, longText, MAX_NAME } from '../remote/remote-values.ts';

/** Changes of the status, by the name of the turning point. */
const STATUS_KINDS: ReadonlyMap<unknown, ErrorStatus> = new Map([
  ['resolved', 'resolved'],
  ['muted', 'ignored'],
  ['regressed', 'unresolved'],
  ['unmuted', 'unresolved'],
  ['reopened', 'unresolved'],
]);

/** What the history of an issue tells. */
export interface BugsinkHistory {
  readonly comments: readonly RemoteComment[];
  /** Times of the newest change to each status; milliseconds. */
  readonly changedAt: ReadonlyMap<ErrorStatus, number>;
}

/** Reads the rows of a history. Times later than `at` (milliseconds) become it. */
export function historyOf(rows: readonly unknown[], at: number): BugsinkHistory {
  const comments: RemoteComment[] = [];
  const changedAt = new Map<ErrorStatus, number>();
  for (const row of rows) {
    if (!isRecord(row)) continue;
    const time = clampedTime(row.timestamp, at) ?? at;
    const status = STATUS_KINDS.get(row.kind);
    if (status !== undefined) changedAt.set(status, Math.max(time, changedAt.get(status) ?? 0));
    const [id, text] = [lineText(row.id, 64), longText(row.comment)];
    if (id === null || text === null) continue;
    comments.push({ id, author: lineText(row.user_display_name, MAX_NAME) ?? 'unknown', at: time, text });
  }
  return { comments, changedAt };
}

/** Reads the counts per hour of an answer, oldest first, as starts in seconds; null for other forms. */
export function hourlyCounts(body: unknown): FrequencyPoint[] | null {
  if (!isRecord(body) || !Array.isArray(body.buckets)) return null;
  return listOf(body.buckets).flatMap((bucket): FrequencyPoint[] => {
    const start = isRecord(bucket) ? timeOf(bucket.timestamp) : null;
    const count = isRecord(bucket) ? countOf(bucket.count) : null;
    return start === null || count === null ? [] : [[Math.floor(start / 1000), count]];
  });
}
