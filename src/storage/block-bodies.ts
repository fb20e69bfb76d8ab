import { LRUCache } from 'lru-cache';
import { BodyBlock } from '../lib/body-block.ts';
import { decodeText } from '../lib/payload-codec.ts';

/** Blocks whose bodies stay inflated: at most 64 KB of text each. Events of a block lie close together. */
const MAX_BLOCKS = 256;

/** Reads the bodies of many events that share blocks, each block once while its events are near each other. */
export class BlockBodies {
  readonly #blocks = new LRUCache<string, ReadonlyMap<string, Buffer>>({ max: MAX_BLOCKS });

  has(id: string): boolean {
    return this.#blocks.has(id);
  }

  /** Adds a block; a damaged one has no bodies. */
  add(id: string, bodies: Uint8Array): void {
    this.#blocks.set(id, bodiesOf(bodies));
  }

  /** Returns the JSON of a body in an added block; null when the block does not have it. */
  find(id: string, eventId: string): Buffer | null {
    return this.#blocks.get(id)?.get(eventId) ?? null;
  }
}

function bodiesOf(bodies: Uint8Array): ReadonlyMap<string, Buffer> {
  try {
    return new BodyBlock(bodies).bodies();
  } catch {
    return new Map();
  }
}

/** Returns the JSON of a body that is stored by itself; null when its bytes are damaged. */
export function ownBytes(payload: Uint8Array): Buffer | null {
  try {
    return decodeText(payload);
  } catch {
    return null;
  }
}
