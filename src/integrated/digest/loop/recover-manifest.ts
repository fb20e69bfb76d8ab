import type { BatchStore } from '../../../domain/ports/stores/batch-store.ts';
import type { JournalFiles } from '../../../domain/ports/journal-files.ts';
import type { Logger } from '../../../observability/logger.ts';
import { openingManifest, readLastManifest } from '../../intake/journal/manifest-log.ts';
import type { BatchManifest, ManifestLog } from '../../intake/journal/manifest-log.ts';
import { listSegments, segmentPath } from '../../intake/journal/segment.ts';

export interface RecoveredManifest {
  readonly manifest: BatchManifest;
  /** True when its batch must be given to the store (again). */
  readonly open: boolean;
  /** Digested segments before it, which were removed. */
  readonly removed: readonly number[];
}

/**
 * Finds the position where the digest continues after a start. When the store has another last batch of this journal,
 * unconfirmed records are recorded again under another id. An open batch may have the store's number; its hash is
 * compared when it is applied again.
 */
export async function recoverManifest(
  options: {
    readonly files: JournalFiles;
    readonly dir: string;
    readonly store: BatchStore;
    readonly logger: Pick<Logger, 'warn'>;
  },
  log: ManifestLog,
): Promise<RecoveredManifest> {
  const { files, dir, store, logger } = options;
  let manifest = (await readLastManifest(files, dir)) ?? openingManifest(0, 0);
  let open = manifest.from < manifest.to;
  const last = await store.lastBatch(manifest.journalId);
  if (!mayContinue(last, { n: manifest.n, open })) {
    logger.warn({ last, n: manifest.n }, 'the store knows other batches of this journal: it is a copy or was restored');
    manifest = openingManifest(manifest.segment, manifest.from);
    open = false;
  }
  // Always uses a new file: the old one may end in a torn line.
  await log.write(manifest);
  const removed: number[] = [];
  for (const number of await listSegments(files, dir)) {
    if (number < manifest.segment) {
      await files.remove(segmentPath(dir, number));
      removed.push(number);
    }
  }
  return { manifest, open, removed };
}

/**
 * Returns true when a journal may continue behind batch `n` after a start. `last` is the store's last batch: exactly
 * this one, or the one before if this one is open. Otherwise the journal is a copy, or journal or store was restored.
 */
export function mayContinue(last: number, { n, open }: { readonly n: number; readonly open: boolean }): boolean {
  return last === n || (open && last === n - 1);
}
