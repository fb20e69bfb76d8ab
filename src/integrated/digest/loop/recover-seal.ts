import type { BatchStore } from '../../../domain/ports/batch-store.ts';
import type { JournalFiles } from '../../../domain/ports/journal-files.ts';
import type { Logger } from '../../../observability/logger.ts';
import { openingSeal, readLastSeal } from '../../intake/journal/seal-log.ts';
import type { Seal, SealLog } from '../../intake/journal/seal-log.ts';
import { listSegments, segmentPath } from '../../intake/journal/segment.ts';
import { mayContinue } from './batch-mark.ts';

export interface RecoveredSeal {
  readonly seal: Seal;
  /** Its batch must be given to the store (again). */
  readonly open: boolean;
  /** Segments before it, which had been digested and are gone now. */
  readonly removed: readonly number[];
}

/**
 * Finds where the digest goes on after a start. Where the store knows another last batch of this journal, what is not
 * confirmed is sealed again under another id. Whether an open batch with the store's number is really this one, its hash
 * tells when it is applied again.
 */
export async function recoverSeal(
  options: {
    readonly files: JournalFiles;
    readonly dir: string;
    readonly store: BatchStore;
    readonly logger: Pick<Logger, 'warn'>;
  },
  log: SealLog,
): Promise<RecoveredSeal> {
  const { files, dir, store, logger } = options;
  let seal = (await readLastSeal(files, dir)) ?? openingSeal(0, 0);
  let open = seal.from < seal.to;
  const last = await store.lastBatch(seal.journalId);
  if (!mayContinue(last, { n: seal.n, open })) {
    logger.warn({ last, n: seal.n }, 'the store knows other batches of this journal: it is a copy or was restored');
    seal = openingSeal(seal.segment, seal.from);
    open = false;
  }
  // Always into a new file: the old one may end in a torn line.
  await log.write(seal);
  const removed: number[] = [];
  for (const number of await listSegments(files, dir)) {
    if (number < seal.segment) {
      await files.remove(segmentPath(dir, number));
      removed.push(number);
    }
  }
  return { seal, open, removed };
}
