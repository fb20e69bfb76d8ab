import type { NormalisedEvent } from '../domain/event.ts';
import type { UserOfEvent } from '../domain/tracked-error.ts';
import { decodeSized } from '../lib/payload-codec.ts';

/** Bytes of JSON that are read for one answer: very large events are not worth the wait of all others. */
const MAX_BYTES = 1024 * 1024;

export interface EventWithPayload {
  readonly eventId: string;
  readonly at: number;
  readonly payload: Uint8Array;
}

/** Gathers whom events name, in their order; those that name nobody are left out. */
export class UsersOfEvents {
  readonly users: UserOfEvent[] = [];
  #left = MAX_BYTES;

  /** False when no more events are to be read. */
  take({ eventId, at, payload }: EventWithPayload): boolean {
    const { value, bytes } = decodeSized(payload);
    const { user } = value as NormalisedEvent;
    if (user !== null) this.users.push({ eventId, at, user });
    this.#left -= bytes;
    return this.#left > 0;
  }
}
