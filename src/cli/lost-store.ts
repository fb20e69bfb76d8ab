import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/schema.ts';
import { AppError } from '../domain/app-error.ts';
import type { Store } from '../domain/ports/store.ts';
import { nodeJournalFiles } from '../integrated/intake/journal/node-files.ts';
import { readLastSeal } from '../integrated/intake/journal/manifest-log.ts';
import { storeTraits } from '../storage/store-traits.ts';
import { journalDir } from './data-dir-paths.ts';
import { FIRST_START_FILE, wasStarted } from './first-start.ts';

type Asked = Pick<Store, 'getMeta' | 'listUsers' | 'listProjects' | 'lastBatch'>;

/**
 * Throws `invalid_configuration` where the store file is empty although its data dir has been in use: the file was
 * lost or truncated, and a first start would make other keys than those that applications have. A database server
 * is not asked: its gateways may have data dirs of any age.
 */
export async function refuseLostStore(config: Config, dataDir: string, store: Asked): Promise<void> {
  if (storeTraits(config.store.url).shared || !(await isUnused(store))) return;
  const trace = await traceOfUse(dataDir, store);
  if (trace === null) return;
  const { sqliteFile } = await import('../storage/open-store.ts');
  throw new AppError(
    'invalid_configuration',
    `the store ${sqliteFile(config.store.url, dataDir)} is empty, but its data dir has been in use (${trace}): put the former file back, or restore a backup with \`errgate restore FILE\`; to begin from nothing, move everything in ${dataDir} away or choose another ERRGATE_DATA_DIR`,
  );
}

async function isUnused(store: Asked): Promise<boolean> {
  if (await wasStarted(store)) return false;
  const [users, projects] = await Promise.all([store.listUsers(), store.listProjects()]);
  return users.length === 0 && projects.length === 0;
}

/** What only a store leaves behind that was in use: both come after its first user and project. */
async function traceOfUse(dataDir: string, store: Asked): Promise<string | null> {
  if (existsSync(join(dataDir, FIRST_START_FILE))) return `it holds ${FIRST_START_FILE}`;
  const manifest = await readLastSeal(nodeJournalFiles, journalDir(dataDir));
  if (manifest === null || manifest.n === 0 || (await store.lastBatch(manifest.journalId)) > 0) return null;
  return `its journal was stored up to batch ${manifest.n} in another store`;
}
