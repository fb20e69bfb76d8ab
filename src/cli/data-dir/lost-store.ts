import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../../config/schema.ts';
import { AppError } from '../../domain/app-error.ts';
import type { Store } from '../../domain/ports/stores/store.ts';
import { nodeJournalFiles } from '../../integrated/intake/journal/node-files.ts';
import { readLastManifest } from '../../integrated/intake/journal/manifest-log.ts';
import { storeTraits } from '../../storage/open/store-traits.ts';
import { journalDir } from './data-dir-paths.ts';
import { FIRST_START_FILE } from './first-start.ts';
import { missingStore } from './missing-store.ts';
import { isUnused, readStoreUse, STORE_USE_FILE, type UsedStore } from './store-use.ts';

type Asked = UsedStore & Pick<Store, 'lastBatch'>;

/** A store file that is missing or empty although its data dir has been in use, and what to do about it. */
export interface LostStore {
  readonly message: string;
  readonly cure: string;
}

/**
 * Finds a store file that was lost, replaced or not mounted. A first start on it would make other keys than those that
 * applications have. `store`: null while it is not opened; then only a missing file is found. Database servers are not
 * checked: their gateways may have data dirs of any age.
 */
export async function findLostStore(config: Config, dataDir: string, store: Asked | null): Promise<LostStore | null> {
  const { url } = config.store;
  if (storeTraits(url).shared) return null;
  // Reads the traces before the store: another process may fill the store now, and writes its traces afterwards.
  const trace = await traceOfUse(dataDir, store);
  if (trace === null) return null;
  const lost = store === null ? (await missingStore(config, dataDir)) !== null : await isUnused(store);
  if (!lost) return null;
  const { sqliteFile } = await import('../../storage/open/open-store.ts');
  const state = store === null ? 'missing' : 'empty';
  const former = readStoreUse(dataDir)?.url ?? url;
  const address = former === url ? '' : `set ERRGATE_STORE_URL to ${former} again if it was changed by mistake, `;
  return {
    message: `the store ${sqliteFile(url, dataDir)} is ${state}, but its data dir has been in use (${trace})`,
    cure: `${address}check that its disk is mounted, put the former file back, or restore a backup with \`errgate restore FILE\`; to start with an empty store, move everything out of ${dataDir} or choose another ERRGATE_DATA_DIR`,
  };
}

/** Throws `invalid_configuration` when `findLostStore` finds a lost store. */
export async function refuseLostStore(config: Config, dataDir: string, store: Asked | null): Promise<void> {
  const lost = await findLostStore(config, dataDir, store);
  if (lost !== null) throw new AppError('invalid_configuration', `${lost.message}: ${lost.cure}`);
}

/**
 * As `refuseLostStore`, for a command that works on the file itself. Ignores a store that cannot be opened: the command
 * reports it.
 */
export async function refuseLostFile(config: Config, dataDir: string): Promise<void> {
  if (storeTraits(config.store.url).shared) return;
  await refuseLostStore(config, dataDir, null);
  const { openStore } = await import('../../storage/open/open-store.ts');
  const store = await openStore({ url: config.store.url, dataDir, migrate: false }).catch(() => null);
  if (store === null) return;
  try {
    await refuseLostStore(config, dataDir, store);
  } finally {
    await store.close();
  }
}

/**
 * Returns a trace that only a used store leaves, as text; null without any. All traces are written after the store's
 * first user or project.
 */
async function traceOfUse(dataDir: string, store: Asked | null): Promise<string | null> {
  const use = readStoreUse(dataDir);
  if (use !== null) return `${STORE_USE_FILE} says so${use.since === null ? '' : `, since ${use.since}`}`;
  if (existsSync(join(dataDir, FIRST_START_FILE))) return `it holds ${FIRST_START_FILE}`;
  const manifest = await readLastManifest(nodeJournalFiles, journalDir(dataDir));
  if (manifest === null || manifest.n === 0) return null;
  if (store !== null && (await store.lastBatch(manifest.journalId)) > 0) return null;
  return `its journal was stored up to batch ${manifest.n} in another store`;
}
