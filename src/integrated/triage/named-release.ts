import type { StatusDetails } from '../../domain/errors/error-state.ts';
import type { BuildStore } from '../../domain/ports/stores/build-store.ts';
import type { ErrorStore } from '../../domain/ports/stores/error-store.ts';
import type { ReleaseStore } from '../../domain/ports/stores/release-store.ts';
import { releaseOfCommit } from '../../domain/releases/release-of-commit.ts';

type NamingStore = Pick<ErrorStore, 'filterValues'> & Pick<BuildStore, 'releasesWithCommit'>;
export type NamedReleaseStore = NamingStore & Pick<ReleaseStore, 'resolveInRelease'>;

/**
 * Returns the first release that contains the commit of details without a release, as builds told; otherwise the newest
 * of the 100 newest releases that names it. Null: there is none.
 */
export async function namedRelease(
  store: NamingStore,
  projectId: number,
  details: StatusDetails | null | undefined,
): Promise<string | null> {
  const { inCommit, inRelease, inNextRelease } = details ?? {};
  if (inCommit === undefined || inRelease !== undefined || inNextRelease !== undefined) return null;
  const [first] = await store.releasesWithCommit(projectId, inCommit.commit);
  if (first !== undefined) return first;
  const { releases } = await store.filterValues(projectId);
  return releaseOfCommit(releases, inCommit.commit);
}

/**
 * Adds the release of their commit to up to MAX_BULK_STEP errors that were just resolved with these details. What
 * announces a release, and the digest when one comes, look for errors; this finds a release that came while the errors
 * were written.
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
