import { BlockReader, ownBody, type EventBody } from '../../events/event-body.ts';
import type { MongoContext } from '../engine/context.ts';
import { blockOf } from '../documents/block-document.ts';
import { eventIdOf } from '../documents/document-keys.ts';
import type { EventDocument } from '../documents/documents.ts';
import { reading } from '../engine/operation-options.ts';

type StoredEvent = Pick<EventDocument, '_id' | 'd'>;

/** Reads the bodies of events for one answer. Events that share a block cost one read of it. */
export class EventBodies {
  readonly #context: MongoContext;
  readonly #blocks = new BlockReader<string>();

  constructor(context: MongoContext) {
    this.#context = context;
  }

  /**
   * Returns the body of an event; null when its payload was pruned. Retention may move a body between the reads of the
   * event and of its block; then the event is read once more.
   */
  async read(p: number, event: StoredEvent): Promise<EventBody | null> {
    if (event.d === undefined) return null;
    const found = await this.#read(p, event);
    if (found !== null) return found;
    const filter = { _id: event._id, p };
    const again = await this.#context.collections.events.findOne(filter, reading('events.by_id', { d: 1 }));
    return again === null ? null : this.#read(p, again);
  }

  /** Reads the blocks of several events at once. */
  async load(p: number, events: readonly StoredEvent[]): Promise<void> {
    const refs = events.flatMap(({ d }) => (d === undefined ? [] : (blockOf(p, d) ?? [])));
    const missing = new Map(refs.map((ref) => [ref.toString('hex'), ref]));
    const ids = [...missing].filter(([id]) => !this.#blocks.has(id)).map(([, ref]) => ref);
    if (ids.length === 0) return;
    const blocks = this.#context.collections.eventBlocks;
    const found = blocks.find({ _id: { $in: ids }, p }, reading('blocks.of_events', { d: 1 }));
    for await (const { _id, d } of found) this.#blocks.add(_id.toString('hex'), d.buffer);
  }

  async #read(p: number, { _id, d }: StoredEvent): Promise<EventBody | null> {
    if (d === undefined) return null;
    const blockId = blockOf(p, d);
    if (blockId === null) return ownBody(d.buffer);
    const id = blockId.toString('hex');
    if (!this.#blocks.has(id)) {
      const filter = { _id: blockId, p };
      const block = await this.#context.collections.eventBlocks.findOne(filter, reading('blocks.by_id', { d: 1 }));
      if (block === null) return null;
      this.#blocks.add(id, block.d.buffer);
    }
    return this.#blocks.read(id, eventIdOf(_id));
  }
}
