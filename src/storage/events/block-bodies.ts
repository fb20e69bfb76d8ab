import { LRUCache } from 'lru-cache';
import { BodyBlock } from '../../lib/bodies/body-block.ts';
import { decodeText } from '../../lib/bodies/payload-codec.ts';

/** Blocks that are kept: at most 64 KB of text each. Events of a block lie close together. */
const MAX_BLOCKS = 256;

/** Block that is inflated when its first body is looked for; a damaged one has no bodies. */
export class LazyBlock {
  readonly #encoded: Uint8Array;
  #bodies: ReadonlyMap<string, Buffer> | null = null;

  constructor(encoded: Uint8Array) {
    this.#encoded = encoded;
  }

  /** Returns the JSON of a body; null when the block does not have it. */
  find(eventId: string): Buffer | null {
    this.#bodies ??= bodiesOf(this.#encoded);
    return this.#bodies.get(eventId) ?? null;
  }
}

/** Keeps the blocks that were used last, so that each is read and inflated once while its events are near each other. */
export class RecentBlocks {
  readonly #blocks = new LRUCache<string, LazyBlock>({ max: MAX_BLOCKS });

  get(id: string): LazyBlock | null {
    return this.#blocks.get(id) ?? null;
  }

  add(id: string, encoded: Uint8Array): LazyBlock {
    const block = new LazyBlock(encoded);
    this.#blocks.set(id, block);
    return block;
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
