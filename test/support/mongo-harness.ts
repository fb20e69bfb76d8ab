import { rm } from 'node:fs/promises';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { MongoContext } from '../../src/storage/mongo/engine/context.ts';
import { createMongoStore } from '../../src/storage/mongo/mongo-store.ts';
import { openContext } from '../../src/storage/mongo/open-context.ts';
import { IN_FULL_RUN } from './full-run.ts';
import { ReadyDatabase } from './ready-databases.ts';
import { makeDataDir, type StoreHarness, type StoreSource } from './store-harness.ts';

/** Number of runs; `npm run test:full` uses 120. */
const MODEL_RUNS = Number(process.env['ERRGATE_TEST_MODEL_RUNS'] ?? 5);

/** Store of one gateway, and the connection below it for what no method shows. */
export interface OpenedMongo {
  readonly context: MongoContext;
  readonly store: Store;
  /** Closes the store and removes its data dir. */
  readonly close: () => Promise<void>;
}

/** Opens a store of a new or existing database in a data dir of its own. `now`: its clock. */
export async function openMongo(url: string, now: () => number = Date.now): Promise<OpenedMongo> {
  return opened(await openContext(url, 'set_up', now));
}

/**
 * Opens a store of an empty database, which the next user of the engine at `uri` gets after `close`. All writes must go
 * through the store or its connection. The connection has the option `monitorCommands`.
 */
export async function openEmptyMongo(uri: string, now: () => number = Date.now): Promise<OpenedMongo> {
  const database = ReadyDatabase.take(uri);
  const { close, ...rest } = await opened(await database.open(now));
  return {
    ...rest,
    async close() {
      await close();
      await database.release();
    },
  };
}

async function opened(context: MongoContext): Promise<OpenedMongo> {
  const dataDir = await makeDataDir();
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

/** Opens stores in databases of this process, which are emptied in between. */
export class MongoSource implements StoreSource {
  readonly #uri: string;

  constructor(uri: string) {
    this.#uri = uri;
  }

  async open(): Promise<StoreHarness> {
    const database = ReadyDatabase.take(this.#uri);
    const stores: OpenedMongo[] = [];
    // Each connection gets its own data dir, like other gateways.
    const open = async () => {
      const store = await opened(await database.open(Date.now));
      stores.push(store);
      return store.store;
    };
    return {
      store: await open(),
      modelRuns: MODEL_RUNS,
      largeSizes: IN_FULL_RUN,
      other: open,
      async dispose() {
        for (const { close } of stores) await close();
        await database.release();
      },
    };
  }

  remove(): Promise<void> {
    return Promise.resolve();
  }
}
