import { LRUCache } from 'lru-cache';
import { AppError } from '../../domain/app-error.ts';
import type { DigestedBatch } from '../../domain/ingest/digest.ts';
import type { BatchStore } from '../../domain/ports/stores/batch-store.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import { MAX_BULK_STEP } from '../../domain/ports/stores/list-store.ts';
import type { ReleaseStore } from '../../domain/ports/stores/release-store.ts';
import { commitsIn, MIN_DIGITS, releaseOfCommit } from '../../domain/releases/release-of-commit.ts';
import { FailureLog } from '../../observability/failure-log.ts';
import type { Logger } from '../../observability/logger.ts';

/** Maximum of remembered releases; a forgotten one is looked up again, which changes nothing. */
const MAX_RELEASES = 10_000;

type Store = BatchStore & Pick<ReleaseStore, 'resolvedInCommit' | 'resolveInRelease'>;
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
    for (const part of commitsIn(release)) {
      for (;;) {
        const found = await store.resolvedInCommit(projectId, part.slice(0, MIN_DIGITS), MAX_BULK_STEP);
        const named = found.filter(({ inCommit }) => releaseOfCommit([release], inCommit.commit) !== null);
        if (named.length === 0) break;
        const changed = await store.resolveInRelease(projectId, named, release, clock.now());
        // With as many, more may follow. Those that others have changed meanwhile do not wait any more.
        if (changed === 0 || found.length < MAX_BULK_STEP) break;
      }
    }
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
