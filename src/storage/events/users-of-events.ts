import type { UserOfEvent } from '../../domain/events/tracked-event.ts';
import type { EventBody } from './event-body.ts';

/** Maximum bytes of JSON read for one answer, so that very large events do not delay other requests. */
const MAX_BYTES = 1024 * 1024;

export interface EventWithBody {
  readonly eventId: string;
  readonly at: number;
  readonly body: EventBody;
}

/** Collects the users of events, in order; skips events without a user. */
export class UsersOfEvents {
  readonly users: UserOfEvent[] = [];
  #left = MAX_BYTES;

  /** Adds the user of an event. Returns false when no further event should be read. */
  take({ eventId, at, body }: EventWithBody): boolean {
    const { user } = body.event;
    if (user !== null) this.users.push({ eventId, at, user });
    this.#left -= body.bytes;
    return this.#left > 0;
  }
}
