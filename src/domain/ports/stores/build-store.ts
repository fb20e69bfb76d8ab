import type { BuildRelease, CommitsInShort, Deploy, ReleaseCommit } from '../../artifacts/build.ts';

/** Members of an announced release that a request changes; absent ones stay. */
export type BuildReleasePatch = Partial<Pick<BuildRelease, 'url' | 'startedAt' | 'releasedAt' | 'refs'>>;

/** `filesLeftOut`: those that the caller left out; absent: none. */
export type NewCommit = Omit<ReleaseCommit, 'place' | 'projectId' | 'release' | 'filesLeftOut'> &
  Partial<Pick<ReleaseCommit, 'filesLeftOut'>>;

/** What build tools tell about releases. */
export interface BuildStore {
  /**
   * Announces a release, or changes an announced one; returns it, and whether it is new. Throws `project_not_found`.
   */
  saveBuildRelease(
    projectId: number,
    release: string,
    patch: BuildReleasePatch,
    now: number,
  ): Promise<{ readonly release: BuildRelease; readonly isNew: boolean }>;
  buildRelease(projectId: number, release: string): Promise<BuildRelease | null>;
  /** Newest first. */
  listBuildReleases(projectId: number): Promise<BuildRelease[]>;
  /** Removes what builds told about a release, and its commits and deploys; false when it is unknown. */
  removeBuildRelease(projectId: number, release: string): Promise<boolean>;

  /**
   * Replaces the commits of a release. Beyond MAX_COMMITS_OF_RELEASE they are left out, and beyond MAX_FILES_OF_RELEASE
   * changed files, those of the last commits.
   */
  putCommits(projectId: number, release: string, commits: readonly NewCommit[]): Promise<void>;
  /** In the order of the tool. `limit`: at least 1; absent: all. */
  commitsOfRelease(projectId: number, release: string, limit?: number): Promise<ReleaseCommit[]>;
  /** Reads two rows, however many commits there are. */
  commitsInShort(projectId: number, release: string): Promise<CommitsInShort>;
  /**
   * Releases that contain a commit as builds told, by their commits or as what they were built of. By the times of
   * builds, the first one first.
   */
  releasesWithCommit(projectId: number, commit: string): Promise<string[]>;
  /** Throws `project_not_found`. */
  addDeploy(deploy: Omit<Deploy, 'id'>): Promise<Deploy>;
  /** Newest first. */
  deploysOfRelease(projectId: number, release: string): Promise<Deploy[]>;
  /** Newest first, at most MAX_DEPLOYS_OF_PROJECT. */
  deploysOfProject(projectId: number): Promise<Deploy[]>;
}
