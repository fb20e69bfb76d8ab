import type { StatusDetails } from '../../domain/errors/error-state.ts';
import type { ErrorStore } from '../../domain/ports/stores/error-store.ts';
import type { ReleaseStore } from '../../domain/ports/stores/release-store.ts';
import { releaseOfCommit } from '../../domain/releases/release-of-commit.ts';

export type NamedReleaseStore = Pick<ErrorStore, 'filterValues'> & Pick<ReleaseStore, 'resolveInRelease'>;

/** Returns the newest of the 100 newest releases that names the commit of details without a release; null: none. */
export async function namedRelease(
  store: Pick<ErrorStore, 'filterValues'>,
  projectId: number,
  details: StatusDetails | null | undefined,
): Promise<string | null> {
  const { inCommit, inRelease, inNextRelease } = details ?? {};
  if (inCommit === undefined || inRelease !== undefined || inNextRelease !== undefined) return null;
  const { releases } = await store.filterValues(projectId);
  return releaseOfCommit(releases, inCommit.commit);
}

/**
 * Adds the release that names their commit to up to MAX_BULK_STEP errors that were just resolved with these details. The
 * digest looks for errors when a release comes; this finds a release that came while the errors were written.
 */
export async function addNamedRelease(
  store: NamedReleaseStore,
  projectId: number,
  errorIds: readonly string[],
  details: StatusDetails | null | undefined,
  now: number,
): Promise<void> {
  const inCommit = details?.inCommit;
  if (inCommit === undefined || errorIds.length === 0) return;
  const release = await namedRelease(store, projectId, details);
  if (release === null) return;
  const errors = errorIds.map((errorId) => ({ errorId, inCommit }));
  await store.resolveInRelease(projectId, errors, release, now);
}
