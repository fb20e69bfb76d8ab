import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import type { Store } from '../../src/domain/ports/store.ts';
import { openStore, openWriterStore } from '../../src/storage/open-store.ts';

/** A fresh, empty store for one test. */
export interface StoreHarness {
  readonly store: Store;
  /** Another connection to the same data, as another process would have; closed by `dispose`. */
  readonly other: () => Promise<Store>;
  dispose(): Promise<void>;
}

export async function makeDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'errgate-store-'));
}

/** Writes on a connection of the same thread. */
export async function makeLocalSqlite(): Promise<StoreHarness> {
  const dataDir = await makeDataDir();
  const store = await openStore({ url: 'sqlite:', dataDir });
  return harness(dataDir, store, []);
}

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
