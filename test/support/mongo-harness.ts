import { rm } from 'node:fs/promises';
import type { Store } from '../../src/domain/ports/store.ts';
import { COLLECTIONS } from '../../src/storage/mongo/collections.ts';
import type { MongoContext } from '../../src/storage/mongo/context.ts';
import { createMongoStore } from '../../src/storage/mongo/mongo-store.ts';
import { openContext } from '../../src/storage/mongo/open-context.ts';
import { openStore } from '../../src/storage/open-store.ts';
import { TestDatabases, withClient } from './mongo-engine.ts';
import { makeDataDir, type StoreHarness, type StoreSource } from './store-harness.ts';

/** Number of runs; `npm run test:full` uses 120. */
const MODEL_RUNS = Number(process.env['ERRGATE_TEST_MODEL_RUNS'] ?? 30);

const { name: CONTROL } = COLLECTIONS.control;

/** Store of one gateway, and the connection below it for what no method shows. */
export interface OpenedMongo {
  readonly context: MongoContext;
  readonly store: Store;
  /** Closes the store and removes its data dir. */
  readonly close: () => Promise<void>;
}

/** Opens a store of a new or existing database in a data dir of its own. `now`: its clock. */
export async function openMongo(url: string, now: () => number = Date.now): Promise<OpenedMongo> {
  const dataDir = await makeDataDir();
  const context = await openContext(url, 'set_up', now);
  const store = createMongoStore(context, { hosts: 'the engine', dataDir });
  return {
    context,
    store,
    async close() {
      await store.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Opens stores in one database, which is emptied before each. Creating collections and indexes takes a second. After
 * `remove` the next store gets another database: an engine may still remember the collections of a removed one.
 */
export class MongoSource implements StoreSource {
  readonly #databases: TestDatabases;
  #url: string | null = null;

  constructor(uri: string) {
    this.#databases = new TestDatabases(uri);
  }

  async open(): Promise<StoreHarness> {
    const url = (this.#url ??= this.#databases.create());
    await empty(url);
    const opened: { store: Store; dataDir: string }[] = [];
    // Each connection gets its own data dir, like other gateways.
    const open = async () => {
      const dataDir = await makeDataDir();
      const store = await openStore({ url, dataDir });
      opened.push({ store, dataDir });
      return store;
    };
    return {
      store: await open(),
      modelRuns: MODEL_RUNS,
      other: open,
      async dispose() {
        for (const { store, dataDir } of opened) {
          await store.close();
          await rm(dataDir, { recursive: true, force: true });
        }
      },
    };
  }

  async remove(): Promise<void> {
    this.#url = null;
    await this.#databases.dropAll();
  }
}

/**
 * Removes every document but the schema version, which is all that a new database has. Without it each opening would
 * look for every index, which takes twice as long as emptying.
 */
async function empty(url: string): Promise<void> {
  await withClient(url, async (client) => {
    const db = client.db();
    for (const { collectionName: name } of await db.collections())
      await db.collection<{ _id: string }>(name).deleteMany(name === CONTROL ? { _id: { $ne: 'schema' } } : {});
  });
}
