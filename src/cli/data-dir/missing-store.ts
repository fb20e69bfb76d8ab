import { existsSync } from 'node:fs';
import type { Config } from '../../../config/schema.ts';
import { storeTraits } from '../../storage/open/store-traits.ts';

/** Returns the path of the store's file when it is missing; null when it exists, and for a database server. */
export async function missingStore({ store }: Config, dataDir: string): Promise<string | null> {
  if (storeTraits(store.url).shared) return null;
  const { sqliteFile } = await import('../../storage/open/open-store.ts');
  const file = sqliteFile(store.url, dataDir);
  return existsSync(file) ? null : file;
}
