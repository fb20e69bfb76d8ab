import type { NormalisedEvent } from '../../domain/events/event.ts';
import { MAX_BYTES_OF_PAGE } from '../../domain/events/event-list.ts';
import type { EventBody } from './event-body.ts';

/** Bodies of the events of one page, in the order of reading. */
export class BodiesOfPage<Id> {
  readonly #events = new Map<Id, NormalisedEvent | null>();
  #left = MAX_BYTES_OF_PAGE;

  /** Number of events taken, which is the size of the page. */
  get size(): number {
    return this.#events.size;
  }

  /** Adds an event; null: its body was removed. Returns false when no further event should be read. */
  take(id: Id, body: EventBody | null): boolean {
    this.#events.set(id, body?.event ?? null);
    this.#left -= body?.bytes ?? 0;
    return this.#left > 0;
  }

  of(id: Id): NormalisedEvent | null {
    return this.#events.get(id) ?? null;
  }
}
