import type { BatchResult } from '../../../domain/digest.ts';
import type { BatchStore } from '../../../domain/ports/batch-store.ts';
import type { Logger } from '../../../observability/logger.ts';
import type { BatchManifest } from '../../intake/journal/manifest-log.ts';
import type { BatchContent } from './batch-reader.ts';

/** The same batch, of which only the first `count` records are left, up to `to`. */
export function shrinkManifest(
  manifest: BatchManifest,
  count: number,
  to: number,
  excluded: readonly number[],
): BatchManifest {
  return { ...manifest, to, count, excluded: excluded.filter((index) => index < count) };
}

/**
 * What becomes of a recorded batch of which a worn disk, or bytes that were never on it, took records. A result: the store
 * has all of it. A manifest: to be made durable and applied under the same mark; what can be read behind it belongs to later
 * batches. Null: its first record cannot be read, or the store knows another batch under the mark. Throws
 * `store_unavailable`.
 */
export async function settleUnreadable(
  { store, logger }: { readonly store: BatchStore; readonly logger: Pick<Logger, 'warn' | 'error'> },
  manifest: BatchManifest,
  content: BatchContent | null,
): Promise<BatchManifest | BatchResult | null> {
  const { journalId, n, hash, segment, from, to } = manifest;
  const completed = await store.completeBatch({ journalId, n, hash });
  if (completed !== null && completed.kind !== 'foreign') {
    logger.warn({ segment, from, to }, 'a sealed batch can no longer be read; the store has it');
    return completed;
  }
  const readable = content?.offsets.length ?? 0;
  logger.error(
    { segment, from, to, records: manifest.count, readable },
    'a sealed batch can no longer be read in full; its readable records are processed',
  );
  if (content === null || readable === 0 || completed !== null) return null;
  return shrinkManifest(manifest, readable, content.to, content.excluded);
}
