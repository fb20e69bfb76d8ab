import type { NormalisedEvent } from '../domain/event.ts';
import type { UserOfEvent } from '../domain/tracked-error.ts';
import { decodePayload } from '../lib/payload-codec.ts';

/** Bytes of payloads, as stored, that are read for one answer: very large events are not worth the wait. */
const MAX_BYTES = 262_144;

export interface EventWithPayload {
  readonly eventId: string;
  readonly at: number;
  readonly payload: Uint8Array;
}

/** Whom events name, in their order; those that name nobody are left out. */
export function usersOfEvents(events: Iterable<EventWithPayload>): UserOfEvent[] {
  const users: UserOfEvent[] = [];
  let left = MAX_BYTES;
  for (const { eventId, at, payload } of events) {
    const { user } = decodePayload(payload) as NormalisedEvent;
    if (user !== null) users.push({ eventId, at, user });
    left -= payload.length;
    if (left <= 0) break;
  }
  return users;
}
