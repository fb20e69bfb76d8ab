import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../src/domain/ports/clock.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { openStore } from '../../src/storage/open/open-store.ts';
import { placeEmptyStore } from './empty-store.ts';
import { IN_FULL_RUN, skippedSuite } from './full-run.ts';
import { describeOnMongo, TestDatabases } from './mongo-engine.ts';

/** New empty store. */
export interface OpenedStore {
  readonly store: Store;
  /** Opens another connection to the same data, like another process; `dispose` closes it. */
  other(): Promise<Store>;
  /** Closes the store and removes its data. */
  dispose(): Promise<void>;
}

/** Kind of store that tests can open. */
export interface StoreKind {
  readonly name: string;
  /** True: several gateways may use the store. */
  readonly shared: boolean;
  /** `clock`: of leases and retention. */
  open(clock?: Clock): Promise<OpenedStore>;
  /** Environment for service processes that share one empty store. SQLite's is in the data dir. */
  forProcesses(): ProcessStore;
}

export interface ProcessStore {
  readonly env: NodeJS.ProcessEnv;
  /** Removes data outside the data dir. */
  remove(): Promise<void>;
}

export const SQLITE: StoreKind = {
  name: 'SQLite',
  shared: false,
  async open(clock = systemClock) {
    const open = async (dataDir: string, isFirst: boolean) => {
      if (isFirst) await placeEmptyStore(dataDir);
      return openStore({ url: 'sqlite:', dataDir, clock });
    };
    return opened(open, () => Promise.resolve());
  },
  forProcesses: () => ({ env: {}, remove: () => Promise.resolve() }),
};

function mongo(uri: string): StoreKind {
  return {
    name: 'MongoDB',
    shared: true,
    async open(clock = systemClock) {
      // Loaded only where they are used, because loading is slow.
      const { createMongoStore } = await import('../../src/storage/mongo/mongo-store.ts');
      const { ReadyDatabase } = await import('./ready-databases.ts');
      const database = ReadyDatabase.take(uri);
      const open = async (dataDir: string) =>
        createMongoStore(await database.open(() => clock.now()), { hosts: 'the engine', dataDir });
      return opened(open, () => database.release());
    },
    forProcesses() {
      const databases = new TestDatabases(uri);
      const env = { ERRGATE_STORE_URL: databases.create(), ERRGATE_SECRET_KEY: randomBytes(32).toString('hex') };
      return { env, remove: () => databases.dropAll() };
    },
  };
}

async function opened(
  open: (dataDir: string, isFirst: boolean) => Promise<Store>,
  removeData: () => Promise<void>,
): Promise<OpenedStore> {
  const dataDir = await mkdtemp(join(tmpdir(), 'errgate-test-'));
  const stores: Store[] = [];
  const other = async (): Promise<Store> => {
    const store = await open(dataDir, stores.length === 0);
    stores.push(store);
    return store;
  };
  return {
    store: await other(),
    other,
    async dispose() {
      for (const store of stores) await store.close();
      await removeData();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

type SuiteBody = (kind: StoreKind, suite: Mocha.Suite) => void;

/** Declares a suite on the embedded store; with `ERRGATE_TEST_STORES=all` also on MongoDB. */
export function describeOnStores(title: string, body: SuiteBody): void {
  describe(`${title} (${SQLITE.name})`, function () {
    body(SQLITE, this);
  });
  if (IN_FULL_RUN) onMongo(title, body);
}

/**
 * Declares a suite that uses all ports, always on both stores. Prints a notice when skipped for lack of an engine.
 */
export function describeOnEveryStore(title: string, body: SuiteBody): void {
  describe(`${title} (${SQLITE.name})`, function () {
    body(SQLITE, this);
  });
  onMongo(title, body);
}

/** Declares a suite on both stores for `npm run test:full` alone. In other runs it has one skipped test. */
export function describeInFullRun(title: string, body: SuiteBody): void {
  if (IN_FULL_RUN) describeOnEveryStore(title, body);
  else skippedSuite(title);
}

function onMongo(title: string, body: SuiteBody): void {
  describeOnMongo(`${title} (MongoDB)`, function (uri) {
    body(mongo(uri), this);
  });
}
