import { parseJsonObject } from './lenient-json.ts';
import { scanEvent } from './scan-event.ts';

/** Members of an event on which the answer depends, and its JSON. */
export interface ReadEvent {
  readonly eventId: unknown;
  readonly type: unknown;
  /** Text of the event; differs from the input only where that was no JSON. */
  readonly bytes: Buffer;
}

/** Reads one JSON object. It is parsed only where a scan cannot decide. Null and repairs as `parseJsonObject`. */
export function readEvent(json: Buffer): ReadEvent | null {
  const members = scanEvent(json);
  if (members !== null) return { eventId: members.eventId, type: members.type, bytes: json };
  const parsed = parseJsonObject(json);
  return parsed === null
    ? null
    : { eventId: parsed.value['event_id'], type: parsed.value['type'], bytes: parsed.bytes };
}
