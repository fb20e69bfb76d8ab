import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import type { Store } from '../../src/domain/ports/store.ts';
import { openStore, openWriterStore } from '../../src/storage/open-store.ts';

/** A store that was empty when it was opened. */
export interface StoreHarness {
  readonly store: Store;
  /** How many random sequences of operations the model check tries: fewer where each takes long. */
  readonly modelRuns: number;
  /** Another connection to the same data, as another process would have; closed by `dispose`. */
  readonly other: () => Promise<Store>;
  dispose(): Promise<void>;
}

/** Where contract suites get their stores from, one at a time. */
export interface StoreSource {
  /** Opens an empty store. */
  open(): Promise<StoreHarness>;
  /** Removes what is left when every store is disposed of. */
  remove(): Promise<void>;
}

/** As many in `npm test` as in `npm run test:full`. */
const MODEL_RUNS = Number(process.env['ERRGATE_TEST_MODEL_RUNS'] ?? 120);

export async function makeDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'errgate-store-'));
}

/** Writes on a connection of the same thread. */
export async function makeLocalSqlite(): Promise<StoreHarness> {
  const dataDir = await makeDataDir();
  const store = await openStore({ url: 'sqlite:', dataDir });
  return harness(dataDir, store, []);
}

/** Opens every store in a new data dir. */
export const LOCAL_SQLITE: StoreSource = { open: makeLocalSqlite, remove: () => Promise.resolve() };

/** Writes through the message protocol that the service uses between its threads. */
export async function makeRemoteSqlite(): Promise<StoreHarness> {
  const dataDir = await makeDataDir();
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
