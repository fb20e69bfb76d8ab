import { MAX_BULK_STEP } from '../../domain/ports/stores/list-store.ts';
import type { ReleaseStore } from '../../domain/ports/stores/release-store.ts';
import { commitStart, isSameCommit } from '../../domain/releases/release-of-commit.ts';

export type ResolvingStore = Pick<ReleaseStore, 'resolvedInCommit' | 'resolveInRelease'>;

/** Lets errors that are resolved in a commit alone become resolved in a release that contains it. May be repeated. */
export async function resolveByCommit(
  store: ResolvingStore,
  projectId: number,
  commit: string,
  release: string,
  now: number,
): Promise<void> {
  for (;;) {
    const found = await store.resolvedInCommit(projectId, commitStart(commit), MAX_BULK_STEP);
    const named = found.filter(({ inCommit }) => isSameCommit(commit, inCommit.commit));
    if (named.length === 0) return;
    const changed = await store.resolveInRelease(projectId, named, release, now);
    // With as many, more may follow. Those that others have changed meanwhile do not wait any more.
    if (changed === 0 || found.length < MAX_BULK_STEP) return;
  }
}

/** Does this for the commits of a release that a build announced. */
export async function resolveByAnnounced(
  store: ResolvingStore,
  projectId: number,
  commits: readonly string[],
  release: string,
  now: number,
): Promise<void> {
  const known = new Set(commits.filter((commit) => commitStart(commit) !== ''));
  if (known.size === 0 || (await store.resolvedInCommit(projectId, '', 1)).length === 0) return;
  for (const commit of known) await resolveByCommit(store, projectId, commit, release, now);
}
