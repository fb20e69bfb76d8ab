import { join } from 'node:path';
import type { Config } from '../../config/schema.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { DigestThread } from '../integrated/digest/digest-thread.ts';
import { DiskGuard } from '../integrated/intake/journal/disk-guard.ts';
import { Journal } from '../integrated/intake/journal/journal.ts';
import { nodeJournalFiles } from '../integrated/intake/journal/node-files.ts';
import type { Closers } from '../lib/closers.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';

export interface JournalParts {
  /** Absolute. */
  readonly dataDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly thread: DigestThread;
  /**
   * Returns the time until which closing may wait for the digest, milliseconds since the epoch. Null: it does not wait.
   */
  readonly deadline: () => number | null;
}

/** Opens the journal and connects it to the digest thread. Closing it waits until the store has its records. */
export async function startJournal(config: Config, parts: JournalParts, closers: Closers): Promise<Journal> {
  const { dataDir, clock, logger, metrics, thread } = parts;
  const disk = new DiskGuard({ path: dataDir, minFreeBytes: config.journal.minFreeDiskBytes, logger });
  closers.add(() => disk.stop());
  await disk.start();
  const journal = await Journal.open({
    files: nodeJournalFiles,
    dir: join(dataDir, 'journal'),
    clock,
    logger,
    durability: config.journal.durability,
    maxBytes: config.journal.maxBytes,
    diskLow: () => disk.reason(),
    onSynced: ({ seconds }) => {
      metrics.journalSyncSeconds.observe(seconds);
      thread.advance(journal.position());
    },
  });
  metrics.watchJournal(() => {
    const { bytes, oldestReceivedAt } = journal.stats();
    const oldestSeconds = oldestReceivedAt === null ? 0 : Math.max(0, clock.now() - oldestReceivedAt) / 1000;
    return { bytes, maxBytes: config.journal.maxBytes, diskFreeBytes: disk.free(), oldestSeconds };
  });
  closers.add(async () => {
    await journal.close();
    const deadline = parts.deadline();
    if (deadline === null) return;
    thread.advance(journal.position());
    const drained = await thread.drain(Math.max(0, deadline - clock.now()));
    if (!drained && journal.stats().oldestReceivedAt !== null)
      logger.warn('the journal still holds events; the next start processes them');
  });
  thread.follow(journal);
  return journal;
}
