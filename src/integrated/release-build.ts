import { MAX_COMMITS_SHOWN, type BuildRelease, type ReleaseBuild } from '../domain/artifacts/build.ts';
import type { BuildStore } from '../domain/ports/stores/build-store.ts';
import type { ReleaseDetail } from '../domain/releases/session.ts';

export type BuildReader = Pick<BuildStore, 'buildRelease' | 'commitsOfRelease' | 'commitsInShort' | 'deploysOfRelease'>;

/** Reads what builds told about a release. */
export async function readReleaseBuild(store: BuildReader, projectId: number, release: string): Promise<ReleaseBuild> {
  const [announced, commits, { count: commitCount }, deploys] = await Promise.all([
    store.buildRelease(projectId, release),
    store.commitsOfRelease(projectId, release, MAX_COMMITS_SHOWN),
    store.commitsInShort(projectId, release),
    store.deploysOfRelease(projectId, release),
  ]);
  return { announced, commits, commitCount, deploys };
}

/** Returns an announced release that has neither events nor sessions yet; it is seen first when it was announced. */
export function announcedOnly({ release, createdAt }: BuildRelease): ReleaseDetail {
  return {
    ...{ release, firstSeen: createdAt, lastSeen: createdAt, events: 0, newErrors: 0, users: 0, crashedUsers: 0 },
    ...{ sessions: 0, errored: 0, crashed: 0, abnormal: 0, unhandled: 0, sessions24h: 0, allSessions24h: 0 },
    ...{ history: [], previous: null, next: null },
  };
}
