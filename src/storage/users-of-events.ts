import type { NormalisedEvent } from '../domain/event.ts';
import type { UserOfEvent } from '../domain/tracked-error.ts';
import { decodeSized } from '../lib/payload-codec.ts';

/** Maximum bytes of JSON read for one answer, so that very large events do not delay other requests. */
const MAX_BYTES = 1024 * 1024;

export interface EventWithPayload {
  readonly eventId: string;
  readonly at: number;
  readonly payload: Uint8Array;
}

/** Collects the users of events, in order; skips events without a user. */
export class UsersOfEvents {
  readonly users: UserOfEvent[] = [];
  #left = MAX_BYTES;

  /** Adds the user of an event. Returns false when no further event should be read. */
  take({ eventId, at, payload }: EventWithPayload): boolean {
    const { value, bytes } = decodeSized(payload);
    const { user } = value as NormalisedEvent;
    if (user !== null) this.users.push({ eventId, at, user });
    this.#left -= bytes;
    return this.#left > 0;
  }
}
