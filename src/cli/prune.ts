import type { Command } from 'commander';
import { systemClock } from '../domain/ports/clock.ts';
import type { Pruned } from '../integrated/retention/prune-store.ts';
import { counted } from '../lib/counted.ts';
import { printJson, printLine, showProgress } from './call/output.ts';
import { withStore } from './people/session.ts';

async function prune(options: { json?: boolean }): Promise<void> {
  await withStore(async ({ config, store }) => {
    const { pruneUploads } = await import('../artifacts/uploads/prune-uploads.ts');
    const { pruneStore } = await import('../integrated/retention/prune-store.ts');
    const { SizeBound } = await import('../integrated/retention/size-bound.ts');
    const progress = showProgress('pruning', 'events and keys');
    const onSlice = ({ events, keys }: Pruned): boolean => {
      progress.update(events + keys, null);
      return true;
    };
    const { store: settings } = config;
    const bound = new SizeBound(settings.maxBytes);
    const { events, keys } = await pruneStore({
      store,
      settings,
      bound,
      clock: systemClock,
      everything: true,
      onSlice,
    }).finally(() => {
      progress.stop();
    });
    const { uploads, files } = await pruneUploads({ store, limits: config.artifacts, clock: systemClock });
    if (options.json === true) printJson({ events, keys, uploads, files });
    else {
      printLine(`removed ${counted(events, 'stored event')} and ${counted(keys, 'event key')}; counts stay`);
      printLine(`removed ${counted(uploads, 'upload')} of build tools and ${counted(files, 'file')}`);
    }
  });
}

export function addPruneCommand(program: Command): void {
  program
    .command('prune')
    .description('remove now what exceeds the retention settings; the service also does so regularly')
    .option('--json', 'print JSON')
    .action(prune);
}
