import type { mongo } from 'mongoose';
import type { DigestedBatch } from '../../src/domain/ingest/digest.ts';
import type { BatchCollections } from '../../src/storage/mongo/engine/batch-collections.ts';
import { batchCollections } from '../../src/storage/mongo/batch/mongo-collections.ts';
import { storeBlocks } from '../../src/storage/mongo/batch/new-blocks.ts';
import { prepareEvents } from '../../src/storage/mongo/batch/prepared-events.ts';
import { blockRef } from '../../src/storage/mongo/documents/block-document.ts';
import type { EventDocument } from '../../src/storage/mongo/documents/documents.ts';
import { openCollections } from '../../src/storage/mongo/engine/collections.ts';
import { makeIndexes } from '../../src/storage/mongo/engine/indexes.ts';
import { BATCH, eventMaker, packed } from './seed.ts';
import { mongoStore, withConnection } from './stores.ts';

/** Write options of the store. */
const CONFIRMED = { writeConcern: { w: 'majority', j: true }, ordered: false } as const;

export interface CeilingFigures {
  /** Events per second with sequential bulks, as a digest sends them. */
  readonly oneWriter: number;
  /** Events per second with four concurrent bulks. */
  readonly fourWriters: number;
  /** Documents per second of one `deleteMany` by time of receipt, which is the work of a TTL monitor. */
  readonly deleted: number;
  /** Milliseconds to drop the collection with the other half, which is the cost of dropping a partition. */
  readonly dropMs: number;
}

/**
 * Measures the engine alone: inserts of the blocks of a batch, then a bulk of its event documents, over mongoose's
 * connection. The collections have the indexes of the store; there are no errors, users, charts or tags.
 */
export async function measureCeiling(uri: string, events: number): Promise<CeilingFigures> {
  const fresh = mongoStore(uri);
  try {
    return await withConnection(fresh.url, async (connection) => {
      const collections = openCollections(connection);
      await makeIndexes(collections);
      const target = { events: collections.events, blocks: batchCollections(connection) };
      // Twice the number of events, because both runs insert their own half.
      const batches = bulks(2 * events);
      const half = batches.length / 2;
      const oneWriter = await insertedPerSecond(target, batches.slice(0, half), 1);
      const fourWriters = await insertedPerSecond(target, batches.slice(half), 4);

      const started = performance.now();
      const middle = batches[half]?.events[0]?.receivedAt ?? 0;
      const { deletedCount } = await target.events.deleteMany({ r: { $lt: middle } }, CONFIRMED);
      const deleted = (deletedCount * 1000) / (performance.now() - started);
      const dropStarted = performance.now();
      await target.events.drop();
      return { oneWriter, fourWriters, deleted, dropMs: performance.now() - dropStarted };
    });
  } finally {
    await fresh.remove();
  }
}

type Bulk = Pick<DigestedBatch, 'events' | 'blocks'>;

interface Target {
  readonly events: mongo.Collection<EventDocument>;
  readonly blocks: Pick<BatchCollections, 'eventBlocks'>;
}

function bulks(events: number): Bulk[] {
  const make = eventMaker(1, 50, events);
  return Array.from({ length: Math.ceil(events / BATCH) }, (_, batch) =>
    packed(Array.from({ length: BATCH }, (__, index) => make(batch * BATCH + index))),
  );
}

async function insertedPerSecond(target: Target, batches: readonly Bulk[], writers: number): Promise<number> {
  const claim = { journalId: 'bench', slot: 1 };
  const prepared = batches.map(({ events, blocks = [] }, n) => ({ events: prepareEvents(events), blocks, n: n + 1 }));
  let next = 0;
  const write = async (): Promise<void> => {
    for (let batch = prepared[next++]; batch !== undefined; batch = prepared[next++]) {
      const { events, blocks, n } = batch;
      const stored = await storeBlocks(blocks, target.blocks, { ...claim, n }, Date.now());
      const documents = events.map(({ event: { payload }, document }): EventDocument => {
        const block = typeof payload === 'number' ? stored[payload] : undefined;
        return { ...document, ...(block === undefined ? {} : { d: blockRef(block._id) }), s: claim.slot, n };
      });
      documents.sort((a, b) => Buffer.compare(a._id.buffer, b._id.buffer));
      const operations = documents.map((document) => ({ insertOne: { document } }));
      const { insertedCount } = await target.events.bulkWrite(operations, CONFIRMED);
      if (insertedCount !== events.length) throw new Error('a bare bulk did not insert everything');
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: writers }, write));
  return (batches.length * BATCH * 1000) / (performance.now() - started);
}
