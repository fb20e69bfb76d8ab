import { existsSync } from 'node:fs';
import type { Config } from '../../config/schema.ts';
import { storeTraits } from '../storage/store-traits.ts';

/** Where the store's file is missing; null where it is there, and for a server, which is asked wherever one is. */
export async function missingStore({ store }: Config, dataDir: string): Promise<string | null> {
  if (storeTraits(store.url).shared) return null;
  const { sqliteFile } = await import('../storage/open-store.ts');
  const file = sqliteFile(store.url, dataDir);
  return existsSync(file) ? null : file;
}
