import type { Command } from 'commander';
import { acquireDataDir } from './data-dir/data-dir.ts';
import { refuseLostFile } from './data-dir/lost-store.ts';
import { printLine } from './call/output.ts';
import { dataDirOf, readConfig } from './people/session.ts';

async function migrate(): Promise<void> {
  const config = await readConfig();
  const dataDir = dataDirOf(config);
  const owner = await acquireDataDir(dataDir, 'migrate');
  try {
    await refuseLostFile(config, dataDir);
    const place = { url: config.store.url, dataDir };
    const { pendingMigration } = await import('../storage/open/pending-migration.ts');
    const { openStore } = await import('../storage/open/open-store.ts');
    const steps = await pendingMigration(place);
    if (steps.length === 0) {
      printLine("the store has this program's schema: nothing to do");
      return;
    }
    for (const step of steps) printLine(step);
    const store = await openStore({ ...place, migrate: true, onMigration: (progress) => printLine(progress) });
    const { schemaVersion } = await store.stats();
    await store.close();
    printLine(`done: the store has schema version ${schemaVersion}`);
  } finally {
    owner.release();
  }
}

export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('update the store to the schema of this version; the service must be stopped')
    .action(migrate);
}
