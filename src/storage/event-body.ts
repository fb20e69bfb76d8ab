import type { NormalisedEvent } from '../domain/event.ts';
import { BodyBlock } from '../lib/body-block.ts';
import { decodeText, encodeText } from '../lib/payload-codec.ts';

/** Body of a stored event, and its size as JSON in bytes, which is the cost of reading it. */
export interface EventBody {
  readonly event: NormalisedEvent;
  readonly bytes: number;
}

/** Decodes the body of an event that is stored by itself. */
export function ownBody(payload: Uint8Array): EventBody {
  return parse(decodeText(payload));
}

/** Returns the JSON of a body that is stored by itself; null when its bytes are damaged, so that nobody can read it. */
export function ownJson(payload: Uint8Array): string | null {
  try {
    return decodeText(payload).toString('utf8');
  } catch {
    return null;
  }
}

/**
 * Returns bodies of a block as payloads that stand by themselves, in the order of the ids; null when the block is
 * damaged or does not have all of them.
 */
export function payloadsOf(bodies: Uint8Array, eventIds: readonly string[]): Uint8Array[] | null {
  try {
    const block = new BodyBlock(bodies);
    const found = eventIds.flatMap((eventId) => block.find(eventId) ?? []);
    return found.length < eventIds.length ? null : found.map((json) => encodeText(json));
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
