import { rm } from 'node:fs/promises';
import type { Store } from '../../src/domain/ports/store.ts';
import { openStore } from '../../src/storage/open-store.ts';
import { TestDatabases } from './mongo-engine.ts';
import { makeDataDir, type StoreHarness } from './store-harness.ts';

/** A store in a database of its own; `other` has a data dir of its own, as another gateway would. */
export async function makeMongo(uri: string): Promise<StoreHarness> {
  const databases = new TestDatabases(uri);
  const url = databases.create();
  const opened: { store: Store; dataDir: string }[] = [];
  const open = async () => {
    const dataDir = await makeDataDir();
    const store = await openStore({ url, dataDir });
    opened.push({ store, dataDir });
    return store;
  };
  return {
    store: await open(),
    other: open,
    async dispose() {
      for (const { store, dataDir } of opened) {
        await store.close();
        await rm(dataDir, { recursive: true, force: true });
      }
      await databases.dropAll();
    },
  };
}
