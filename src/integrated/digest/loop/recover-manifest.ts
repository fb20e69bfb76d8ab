import type { BatchStore } from '../../../domain/ports/batch-store.ts';
import type { JournalFiles } from '../../../domain/ports/journal-files.ts';
import type { Logger } from '../../../observability/logger.ts';
import { openingManifest, readLastSeal } from '../../intake/journal/manifest-log.ts';
import type { BatchManifest, ManifestLog } from '../../intake/journal/manifest-log.ts';
import { listSegments, segmentPath } from '../../intake/journal/segment.ts';

export interface RecoveredManifest {
  readonly manifest: BatchManifest;
  /** Its batch must be given to the store (again). */
  readonly open: boolean;
  /** Segments before it, which had been digested and are gone now. */
  readonly removed: readonly number[];
}

/**
 * Finds where the digest goes on after a start. Where the store knows another last batch of this journal, what is not
 * confirmed is recorded again under another id. Whether an open batch with the store's number is really this one, its hash
 * tells when it is applied again.
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
  let manifest = (await readLastSeal(files, dir)) ?? openingManifest(0, 0);
  let open = manifest.from < manifest.to;
  const last = await store.lastBatch(manifest.journalId);
  if (!mayContinue(last, { n: manifest.n, open })) {
    logger.warn({ last, n: manifest.n }, 'the store knows other batches of this journal: it is a copy or was restored');
    manifest = openingManifest(manifest.segment, manifest.from);
    open = false;
  }
  // Always into a new file: the old one may end in a torn line.
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
 * Whether a journal may go on behind batch `n` after a start. `last` is what the store knows: exactly this batch, or the
 * one before if this one is open. Anything else means that the journal is a copy, or one of both was restored.
 */
export function mayContinue(last: number, { n, open }: { readonly n: number; readonly open: boolean }): boolean {
  return last === n || (open && last === n - 1);
}
