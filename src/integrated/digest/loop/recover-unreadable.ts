import type { BatchResult } from '../../../domain/ingest/digest.ts';
import type { BatchStore } from '../../../domain/ports/stores/batch-store.ts';
import type { Logger } from '../../../observability/logger.ts';
import type { BatchManifest } from '../../intake/journal/manifest-log.ts';
import type { BatchContent } from './batch-reader.ts';

/** Returns the manifest cut to its first `count` records, which end at `to`. */
export function shrinkManifest(
  manifest: BatchManifest,
  count: number,
  to: number,
  excluded: readonly number[],
): BatchManifest {
  return { ...manifest, to, count, excluded: excluded.filter((index) => index < count) };
}

/**
 * Recovers a recorded batch with unreadable records (damaged disk, or bytes never written). Returns a result when the
 * store has the whole batch. Returns a shorter manifest to make durable and apply under the same batch id; readable
 * records behind it belong to later batches. Returns null when the first record is unreadable, or the store has
 * another batch under that id. Throws `store_unavailable`.
 */
export async function recoverUnreadable(
  { store, logger }: { readonly store: BatchStore; readonly logger: Pick<Logger, 'warn' | 'error'> },
  manifest: BatchManifest,
  content: BatchContent | null,
): Promise<BatchManifest | BatchResult | null> {
  const { journalId, n, hash, segment, from, to } = manifest;
  const completed = await store.completeBatch({ journalId, n, hash });
  if (completed !== null && completed.kind !== 'foreign') {
    logger.warn({ segment, from, to }, 'a recorded batch can no longer be read; the store has it');
    return completed;
  }
  const readable = content?.offsets.length ?? 0;
  logger.error(
    { segment, from, to, records: manifest.count, readable },
    'a recorded batch can no longer be read in full; its readable records are processed',
  );
  if (content === null || readable === 0 || completed !== null) return null;
  return shrinkManifest(manifest, readable, content.to, content.excluded);
}
