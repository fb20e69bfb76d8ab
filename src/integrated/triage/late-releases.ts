import { LRUCache } from 'lru-cache';
import type { DigestedBatch } from '../../domain/digest.ts';
import type { BatchStore } from '../../domain/ports/batch-store.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { ListStore } from '../../domain/ports/list-store.ts';
import type { ReleaseStore } from '../../domain/ports/release-store.ts';
import { commitsIn, MIN_DIGITS, releaseOfCommit } from '../../domain/release-of-commit.ts';
import { FailureLog } from '../../observability/failure-log.ts';
import type { Logger } from '../../observability/logger.ts';

/** Maximum of remembered releases; a forgotten one is looked up again, which changes nothing. */
const MAX_RELEASES = 10_000;
/** Maximum of errors per commit that a release resolves. */
const MAX_ERRORS = 100;

type Store = BatchStore & Pick<ReleaseStore, 'resolvedInCommit'> & Pick<ListStore, 'setErrorStatuses'>;

/** Returns the releases of a batch, by project, each once. */
function releasesOf({ events, sessions = [] }: DigestedBatch): (readonly [projectId: number, release: string])[] {
  const found = new Map<string, readonly [number, string]>();
  for (const { projectId, release } of [...events, ...sessions]) {
    if (release !== null) found.set(`${projectId} ${release}`, [projectId, release]);
  }
  return [...found.values()];
}

/**
 * Wraps the store of a digest: when a release is first seen whose version names a commit, errors that are resolved in
 * that commit alone become resolved in the release. Looks a release up once per process, after its batch is confirmed. A
 * failure is logged, and repeated with the next batch that has the release; it does not hold up the batch.
 */
export function withLateReleases(store: Store, clock: Clock, logger: Pick<Logger, 'warn'>): BatchStore {
  const known = new LRUCache<string, true>({ max: MAX_RELEASES });
  const failures = new FailureLog(
    logger,
    'errors that are resolved in a commit did not become resolved in its release; this is repeated with later events',
  );

  async function resolve(projectId: number, release: string): Promise<void> {
    for (const part of commitsIn(release)) {
      const waiting = await store.resolvedInCommit(projectId, part.slice(0, MIN_DIGITS), MAX_ERRORS);
      for (const { errorId, details } of waiting) {
        const { inCommit } = details;
        if (inCommit === undefined || releaseOfCommit([release], inCommit.commit) === null) continue;
        await store.setErrorStatuses(projectId, [errorId], 'resolved', clock.now(), {
          from: { status: 'resolved', details },
          details: { inRelease: release, inCommit },
        });
      }
    }
  }

  async function lookUp(projectId: number, release: string): Promise<void> {
    const name = `${projectId} ${release}`;
    if (known.has(name) || commitsIn(release).length === 0) return;
    known.set(name, true);
    try {
      await resolve(projectId, release);
      failures.succeeded();
    } catch (error) {
      known.delete(name);
      failures.failed(error);
    }
  }

  return {
    lastBatch: (journalId) => store.lastBatch(journalId),
    completeBatch: (batchId) => store.completeBatch(batchId),
    async applyBatch(batchId, batch) {
      // Read before the store gets the batch, whose parts are its own then.
      const releases = releasesOf(batch);
      const result = await store.applyBatch(batchId, batch);
      for (const [projectId, release] of releases) await lookUp(projectId, release);
      return result;
    },
  };
}
