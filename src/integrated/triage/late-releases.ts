import { LRUCache } from 'lru-cache';
import { AppError } from '../../domain/app-error.ts';
import type { DigestedBatch } from '../../domain/ingest/digest.ts';
import type { BatchStore } from '../../domain/ports/stores/batch-store.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import { commitsIn } from '../../domain/releases/release-of-commit.ts';
import { FailureLog } from '../../observability/failure-log.ts';
import type { Logger } from '../../observability/logger.ts';
import { resolveByCommit, type ResolvingStore } from './resolve-by-commit.ts';

/** Maximum of remembered releases; a forgotten one is looked up again, which changes nothing. */
const MAX_RELEASES = 10_000;

type Store = BatchStore & ResolvingStore;
type Named = readonly [projectId: number, release: string];

/** Returns the releases of a batch, by project, each once. */
function releasesOf({ events, sessions = [] }: DigestedBatch): Map<string, Named> {
  const found = new Map<string, Named>();
  for (const items of [events, sessions]) {
    for (const { projectId, release } of items) {
      if (release !== null) found.set(`${projectId} ${release}`, [projectId, release]);
    }
  }
  return found;
}

/**
 * Wraps the store of a digest: when a release is first seen whose version names a commit, errors that are resolved in
 * that commit alone become resolved in the release. They are looked up before the batch, so that its events of the
 * release reopen none of them, and a replay repeats it; and again after it, for those that were resolved meanwhile and
 * did not find the release. Once per process and release. Throws `store_unavailable` before the batch is applied; other
 * failures are logged, do not hold up the batch, and the look-up is repeated with the next batch that has the release.
 */
export function withLateReleases(store: Store, clock: Clock, logger: Pick<Logger, 'warn'>): BatchStore {
  const known = new LRUCache<string, true>({ max: MAX_RELEASES });
  const failures = new FailureLog(
    logger,
    'errors that are resolved in a commit did not become resolved in its release; this is repeated with later events',
  );

  async function resolve([projectId, release]: Named): Promise<void> {
    for (const part of commitsIn(release)) await resolveByCommit(store, projectId, part, release, clock.now());
  }

  /** Returns false when it failed. */
  async function lookUp(named: Named): Promise<boolean> {
    try {
      await resolve(named);
      failures.succeeded();
      return true;
    } catch (error) {
      failures.failed(error);
      if (error instanceof AppError && error.code === 'store_unavailable') throw error;
      return false;
    }
  }

  return {
    lastBatch: (journalId) => store.lastBatch(journalId),
    completeBatch: (batchId) => store.completeBatch(batchId),
    async applyBatch(batchId, batch) {
      // `applyBatch` may change the batch.
      const unknown = [...releasesOf(batch)].filter(
        ([name, [, release]]) => !known.has(name) && commitsIn(release).length > 0,
      );
      for (const [, named] of unknown) await lookUp(named);
      const result = await store.applyBatch(batchId, batch);
      if (result.kind === 'foreign') return result;
      for (const [name, named] of unknown) {
        if (await lookUp(named).catch(() => false)) known.set(name, true);
      }
      return result;
    },
  };
}
