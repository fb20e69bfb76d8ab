import { BlockReader, ownBody, type EventBody } from '../../event-body.ts';
import type { MongoContext } from '../context.ts';
import { blockOf, eventIdOf, type EventDocument } from '../documents.ts';
import { reading } from '../operation-options.ts';

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

  async #read(p: number, { _id, d }: StoredEvent): Promise<EventBody | null> {
    if (d === undefined) return null;
    const blockId = blockOf(p, d);
    if (blockId === null) return ownBody(d.buffer);
    const id = blockId.toString('hex');
    if (this.#blocks.has(id)) return this.#blocks.read(id, eventIdOf(_id));
    const filter = { _id: blockId, p };
    const block = await this.#context.collections.eventBlocks.findOne(filter, reading('blocks.by_id', { d: 1 }));
    if (block === null) return null;
    this.#blocks.add(id, block.d.buffer);
    return this.#blocks.read(id, eventIdOf(_id));
  }
}
