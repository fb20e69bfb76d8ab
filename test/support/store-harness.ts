import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { openStore, openWriterStore } from '../../src/storage/open/open-store.ts';
import { placeEmptyStore } from './empty-store.ts';

/** Store that was empty when opened. */
export interface StoreHarness {
  readonly store: Store;
  /** Number of random sequences in the model check; smaller for slow stores. */
  readonly modelRuns: number;
  /** Whether tests of thousands of rows run; on slow stores only in `npm run test:full`. */
  readonly largeSizes: boolean;
  /** Opens another connection to the same data, like another process; `dispose` closes it. */
  readonly other: () => Promise<Store>;
  dispose(): Promise<void>;
}

/** Source of stores for contract suites, one at a time. */
export interface StoreSource {
  /** Opens an empty store. */
  open(): Promise<StoreHarness>;
  /** Removes remaining data after all stores were disposed of. */
  remove(): Promise<void>;
}

/** Number of runs, both in `npm test` and in `npm run test:full`. */
const MODEL_RUNS = Number(process.env['ERRGATE_TEST_MODEL_RUNS'] ?? 40);

export async function makeDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'errgate-store-'));
}

/** Opens a store that writes in the same thread. */
export async function makeLocalSqlite(): Promise<StoreHarness> {
  const dataDir = await makeDataDir();
  await placeEmptyStore(dataDir);
  const store = await openStore({ url: 'sqlite:', dataDir });
  return harness(dataDir, store, []);
}

/** Opens every store in a new data dir. */
export const LOCAL_SQLITE: StoreSource = { open: makeLocalSqlite, remove: () => Promise.resolve() };

/** Opens a store that writes through the message protocol between the service's threads. */
export async function makeRemoteSqlite(): Promise<StoreHarness> {
  const dataDir = await makeDataDir();
  await placeEmptyStore(dataDir);
  const writer = await openWriterStore({ url: 'sqlite:', dataDir });
  const { port1, port2 } = new MessageChannel();
  writer.serve(port2);
  const store = await openStore({ url: 'sqlite:', dataDir, writer: port1 });
  return harness(dataDir, store, [writer.store]);
}

function harness(dataDir: string, store: Store, more: Store[]): StoreHarness {
  const open = [store, ...more];
  return {
    store,
    modelRuns: MODEL_RUNS,
    largeSizes: true,
    async other() {
      const other = await openStore({ url: 'sqlite:', dataDir });
      open.push(other);
      return other;
    },
    async dispose() {
      for (const each of open) {
        await each.close();
      }
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
