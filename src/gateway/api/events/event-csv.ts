import type { EventSummary } from '../../../domain/tracked-error.ts';
import { csvRecord } from '../../../lib/csv.ts';
import { isoTime } from '../../http/iso-time.ts';

const COLUMNS = [
  ...(['event_id', 'error_id', 'timestamp', 'received_at', 'message', 'level', 'release', 'environment'] as const),
  ...(['user_id', 'username', 'email', 'user_name', 'ip_address'] as const),
  ...(['transaction', 'url', 'browser', 'os', 'runtime', 'device', 'server_name'] as const),
] as const;

/** Names of the columns, as the first record. */
export const EVENT_CSV_HEAD = csvRecord(COLUMNS);

/** Returns the last record of a list that was not read to its end: without an id, its message says so. */
export function cutOffEventRecord(events: number): string {
  const text = `There are more events: the list was cut off after ${events}. Narrow the filters.`;
  return csvRecord(COLUMNS.map((column) => (column === 'message' ? text : null)));
}

/** Returns the record of an event; without its body only ids and times. */
export function eventCsvRecord({ eventId, errorId, at, receivedAt, columns }: EventSummary): string {
  const user = columns?.user ?? null;
  return csvRecord(
    [
      ...[eventId, errorId, isoTime(at), isoTime(receivedAt)],
      ...[columns?.message, columns?.level, columns?.release, columns?.environment],
      ...[user?.id, user?.username, user?.email, user?.name, user?.ip_address],
      ...[columns?.transaction, columns?.url, columns?.browser, columns?.os, columns?.runtime, columns?.device],
      columns?.serverName,
    ].map((value) => value ?? null),
  );
}
