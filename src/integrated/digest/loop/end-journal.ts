import type { JournalFiles } from '../../../domain/ports/journal-files.ts';
import type { MaintenanceStore } from '../../../domain/ports/maintenance-store.ts';
import { openingSeal, readLastSeal, SealLog } from '../../intake/journal/seal-log.ts';

/**
 * Ends a journal that was drained: the store forgets its id, and whoever writes into the folder again begins
 * under another one.
 */
export async function endJournal(options: {
  readonly files: JournalFiles;
  /** The journal's directory. */
  readonly dir: string;
  readonly store: Pick<MaintenanceStore, 'releaseJournal'>;
}): Promise<void> {
  const { files, dir, store } = options;
  const seal = await readLastSeal(files, dir);
  if (seal === null || seal.from < seal.to) return;
  await store.releaseJournal(seal.journalId);
  const log = new SealLog(files, dir);
  try {
    await log.write(openingSeal(seal.segment, seal.from));
  } finally {
    await log.close();
  }
}
