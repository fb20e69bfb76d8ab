import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Config } from '../../config/schema.ts';
import { AppError } from '../domain/app-error.ts';
import type { CopyRows } from '../storage/copy/copy-rows.ts';
import type { CopyCount } from '../storage/copy/copy-store.ts';
import { storeTraits } from '../storage/open/store-traits.ts';
import { acquireDataDir } from './data-dir/data-dir.ts';
import { drainOwnJournal } from './journal.ts';
import { refuseLostFile } from './data-dir/lost-store.ts';
import { printLine, printList, showProgress } from './call/output.ts';
import { dataDirOf, readConfig } from './people/session.ts';

interface CopyStoreOptions {
  readonly to: string;
  readonly json?: boolean;
}

interface Copied {
  readonly counts: readonly CopyCount[];
  /** Blocks whose bodies cannot be read. */
  readonly damaged: readonly CopyRows['eventBlocks'][];
}

async function copy(config: Config, dataDir: string, targetUrl: string): Promise<Copied> {
  const { openCopy, sqliteFile } = await import('../storage/open/open-store.ts');
  const { copyStore } = await import('../storage/copy/copy-store.ts');
  const file = sqliteFile(config.store.url, dataDir);
  if (!existsSync(file)) throw new AppError('not_found', `there is no store at ${file}; set ERRGATE_DATA_DIR`);
  const { source, target } = await openCopy(file, targetUrl);
  const progress = showProgress('copying', 'rows');
  try {
    const sourceId = createHash('sha256').update(file).digest('hex');
    const damaged: CopyRows['eventBlocks'][] = [];
    const counts = await copyStore({
      source,
      target,
      sourceId,
      onDamaged: (block) => damaged.push(block),
      onProgress: (done, total) => progress.update(done, total),
    });
    return { counts, damaged };
  } finally {
    progress.stop();
    await source.close();
    await target.close();
  }
}

function damagedBlocks(blocks: Copied['damaged']): AppError {
  const events = blocks.reduce((sum, { eventIds }) => sum + eventIds.length, 0);
  const projects = [...new Set(blocks.map(({ projectId }) => projectId))].join(', ');
  return new AppError(
    'store_unavailable',
    `everything was copied, but the details of ${events} events cannot be read here or there, because ${blocks.length} blocks of the store are damaged (project ids: ${projects}); counts are complete. Use the copy as it is, or restore a backup and copy that to another database`,
  );
}

async function run(options: CopyStoreOptions): Promise<void> {
  const config = await readConfig();
  if (storeTraits(config.store.url).shared) {
    throw new AppError('invalid_configuration', 'copy-store copies an embedded store, but store.url names none');
  }
  const dataDir = dataDirOf(config);
  // No process may write during the copy. All acknowledged records must be in the store before it.
  const owner = await acquireDataDir(dataDir, 'copy-store');
  try {
    await refuseLostFile(config, dataDir);
    await drainOwnJournal(dataDir);
    const { counts, damaged } = await copy(config, dataDir, options.to);
    printList(counts, options.json, ['what', 'here', 'there'], ({ part, source, target }) => [part, source, target]);
    if (damaged.length > 0) throw damagedBlocks(damaged);
    if (options.json === true) return;
    printLine('complete. Set ERRGATE_STORE_URL to the new address, and ERRGATE_SECRET_KEY to the key in use');
    printLine('(if you have not set one: the content of secret.key in the data dir), then start the service.');
  } finally {
    owner.release();
  }
}

export function addCopyStoreCommand(program: Command): void {
  program
    .command('copy-store')
    .description('copy the embedded store to an empty MongoDB database; the service must be stopped')
    .requiredOption('--to <url>', 'address of the database, mongodb://…/name')
    .option('--json', 'print JSON')
    .action(run);
}
