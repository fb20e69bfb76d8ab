import type { JournalFiles } from '../../../domain/ports/journal-files.ts';
import type { MaintenanceStore } from '../../../domain/ports/stores/maintenance-store.ts';
import { openingManifest, readLastManifest, ManifestLog } from '../../intake/journal/manifest-log.ts';

/**
 * Ends a drained journal: the store forgets its id, and the next writer of the folder gets a new id.
 */
export async function endJournal(options: {
  readonly files: JournalFiles;
  /** Directory of the journal. */
  readonly dir: string;
  readonly store: Pick<MaintenanceStore, 'releaseJournal'>;
}): Promise<void> {
  const { files, dir, store } = options;
  const manifest = await readLastManifest(files, dir);
  if (manifest === null || manifest.from < manifest.to) return;
  await store.releaseJournal(manifest.journalId);
  const log = new ManifestLog(files, dir);
  try {
    await log.write(openingManifest(manifest.segment, manifest.from));
  } finally {
    await log.close();
  }
}
