import type { NormalisedEvent } from '../../domain/events/event.ts';
import { BodyBlock, type Body } from '../../lib/bodies/body-block.ts';
import { decodeText } from '../../lib/bodies/payload-codec.ts';

/** Form of an event id. */
export const EVENT_ID = /^[0-9a-f]{32}$/;

/** Body of a stored event, and its size as JSON in bytes, which is the cost of reading it. */
export interface EventBody {
  readonly event: NormalisedEvent;
  readonly bytes: number;
}

/** Decodes the body of an event that is stored by itself. */
export function ownBody(payload: Uint8Array): EventBody {
  return parse(decodeText(payload));
}

/** Returns the JSON of a body that is stored by itself; null when its bytes are damaged. */
export function ownJson(payload: Uint8Array): string | null {
  try {
    return decodeText(payload).toString('utf8');
  } catch {
    return null;
  }
}

/** Returns events with their bodies from a block; null when it is damaged or does not have all of them. */
export function withBodies<T extends Pick<Body, 'eventId'>>(
  bodies: Uint8Array,
  events: readonly T[],
): (T & Body)[] | null {
  try {
    const block = new BodyBlock(bodies);
    const found = events.flatMap((event) => {
      const json = block.find(event.eventId);
      return json === null ? [] : { ...event, json: json.toString('utf8') };
    });
    return found.length < events.length ? null : found;
  } catch {
    return null;
  }
}

/** Returns the event ids of a block; null when it is damaged or does not have any. */
export function eventIdsIn(bodies: Uint8Array): string[] | null {
  try {
    const ids = new BodyBlock(bodies).eventIds();
    return ids.length > 0 && ids.every((id) => EVENT_ID.test(id)) ? ids : null;
  } catch {
    return null;
  }
}

/** Reads the bodies of events that share blocks, and inflates each block once. Lives as long as one answer. */
export class BlockReader<Id> {
  readonly #blocks = new Map<Id, BodyBlock>();

  has(id: Id): boolean {
    return this.#blocks.has(id);
  }

  add(id: Id, bodies: Uint8Array): void {
    this.#blocks.set(id, new BodyBlock(bodies));
  }

  /** Returns the body of an event in an added block; null when the block does not have it. */
  read(id: Id, eventId: string): EventBody | null {
    const json = this.#blocks.get(id)?.find(eventId) ?? null;
    return json === null ? null : parse(json);
  }
}

function parse(json: Buffer): EventBody {
  return { event: JSON.parse(json.toString('utf8')) as NormalisedEvent, bytes: json.length };
}
