import { isRecord } from '../../../lib/own-property.ts';
import { eventIdOf, filledText } from '../../../thirdparty/map/values.ts';
import type { RemoteComment, RemoteReport } from '../../tracker-reader.ts';
import { clampedTime, lineText, longText, MAX_NAME } from './remote-values.ts';

/** Reads a comment; null without text or id. Times later than `at` (milliseconds) become it. */
export function remoteComment(row: unknown, at: number): RemoteComment | null {
  if (!isRecord(row) || (filledText(row.type) ?? 'note') !== 'note') return null;
  const id = lineText(row.id, 64);
  const text = longText(isRecord(row.data) ? row.data.text : (row.body ?? row.text));
  if (id === null || text === null) return null;
  const user = isRecord(row.user) ? row.user : {};
  const names = [user.name, user.username, user.email, row.userName, row.userEmail];
  const author = names.map((name) => lineText(name, MAX_NAME)).find((name) => name !== null);
  return { id, author: author ?? 'unknown', at: clampedTime(row.dateCreated, at) ?? at, text };
}

/** Reads a user report; null without comments. */
export function remoteReport(row: unknown, at: number): RemoteReport | null {
  const comments = isRecord(row) ? longText(row.comments) : null;
  if (!isRecord(row) || comments === null) return null;
  const event = isRecord(row.event) ? (row.event.eventID ?? row.event.eventId) : null;
  return {
    eventId: eventIdOf(row.eventID ?? row.eventId ?? event),
    name: lineText(row.name, MAX_NAME),
    email: lineText(row.email, MAX_NAME),
    comments,
    at: clampedTime(row.dateCreated, at) ?? at,
  };
}
