import type { mongo } from 'mongoose';
import { prepareEvents } from '../../src/storage/mongo/batch/new-events.ts';
import type { EventDocument } from '../../src/storage/mongo/documents.ts';
import { openCollections } from '../../src/storage/mongo/collections.ts';
import { makeIndexes } from '../../src/storage/mongo/indexes.ts';
import { BATCH, eventMaker } from './seed.ts';
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
 * Measures the engine alone: bulk inserts of the event documents of a batch over mongoose's connection. The collection
 * has the indexes of the store; there are no errors, users, charts or tags.
 */
export async function measureCeiling(uri: string, events: number): Promise<CeilingFigures> {
  const fresh = mongoStore(uri);
  try {
    return await withConnection(fresh.url, async (connection) => {
      const collections = openCollections(connection);
      await makeIndexes(collections);
      const collection = collections.events;
      // Twice the number of events, because both runs insert their own half.
      const batches = bulks(2 * events);
      const half = batches.length / 2;
      const oneWriter = await insertedPerSecond(collection, batches.slice(0, half), 1);
      const fourWriters = await insertedPerSecond(collection, batches.slice(half), 4);

      const started = performance.now();
      const middle = batches[half]?.[0]?.r ?? 0;
      const { deletedCount } = await collection.deleteMany({ r: { $lt: middle } }, CONFIRMED);
      const deleted = (deletedCount * 1000) / (performance.now() - started);
      const dropStarted = performance.now();
      await collection.drop();
      return { oneWriter, fourWriters, deleted, dropMs: performance.now() - dropStarted };
    });
  } finally {
    await fresh.remove();
  }
}

function bulks(events: number): EventDocument[][] {
  const make = eventMaker(1, 50, events);
  return Array.from({ length: Math.ceil(events / BATCH) }, (_, batch) => {
    const digested = Array.from({ length: BATCH }, (__, index) => make(batch * BATCH + index));
    return prepareEvents(digested)
      .map(({ document }) => ({ ...document, s: 1, n: batch + 1 }))
      .sort((a, b) => Buffer.compare(a._id.buffer, b._id.buffer));
  });
}

async function insertedPerSecond(
  collection: mongo.Collection<EventDocument>,
  batches: readonly EventDocument[][],
  writers: number,
): Promise<number> {
  let next = 0;
  const write = async (): Promise<void> => {
    for (let batch = batches[next++]; batch !== undefined; batch = batches[next++]) {
      const operations = batch.map((document) => ({ insertOne: { document } }));
      const { insertedCount } = await collection.bulkWrite(operations, CONFIRMED);
      if (insertedCount !== batch.length) throw new Error('a bare bulk did not insert everything');
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: writers }, write));
  return (batches.length * BATCH * 1000) / (performance.now() - started);
}
