/** Release as a build announced it; also of one without events. */
export interface BuildRelease {
  readonly projectId: number;
  readonly release: string;
  /** Address of the release elsewhere; null: none was sent. */
  readonly url: string | null;
  readonly createdAt: number;
  readonly startedAt: number | null;
  /** Time of `finalize`; null: not finished. */
  readonly releasedAt: number | null;
  /** Commits of its repositories, of which the release was built. */
  readonly refs: readonly CommitRef[];
}

export interface CommitRef {
  readonly repository: string;
  readonly commit: string;
  /** Last commit of the release before; null: unknown. */
  readonly previousCommit: string | null;
}

/** Commit that a release contains. */
export interface ReleaseCommit {
  readonly projectId: number;
  readonly release: string;
  /** Order of the tool, from 0: newest first. */
  readonly place: number;
  readonly commit: string;
  readonly repository: string | null;
  readonly authorName: string | null;
  readonly authorEmail: string | null;
  readonly message: string | null;
  readonly at: number | null;
  /** Paths of changed files within the repository, at most MAX_FILES_OF_COMMIT, and MAX_FILES_OF_RELEASE of all. */
  readonly files: readonly string[];
  /** Number of further changed files, beyond these bounds. */
  readonly filesLeftOut: number;
}

/** Kept commits of a release, of which only the first is read. */
export interface CommitsInShort {
  readonly count: number;
  /** First one in the order of the tool; null: there is none. */
  readonly first: ReleaseCommit | null;
}

/** Deploy of a release to an environment. */
export interface Deploy {
  readonly id: number;
  readonly projectId: number;
  readonly release: string;
  readonly environment: string;
  readonly name: string | null;
  readonly url: string | null;
  readonly startedAt: number | null;
  readonly finishedAt: number;
}

/** What builds told about a release. */
export interface ReleaseBuild {
  /** Null: no build announced it. */
  readonly announced: BuildRelease | null;
  /** The first MAX_COMMITS_SHOWN, in the order of the tool. */
  readonly commits: readonly ReleaseCommit[];
  readonly commitCount: number;
  /** Newest first. */
  readonly deploys: readonly Deploy[];
}

/** Maximum commits in an answer about a release. */
export const MAX_COMMITS_SHOWN = 100;

/** Commits of a release, and changed files of a commit and of all commits of a release, that are kept. */
export const MAX_COMMITS_OF_RELEASE = 500;
export const MAX_FILES_OF_COMMIT = 500;
export const MAX_FILES_OF_RELEASE = 20_000;
/** Deploys of a release and of a project, and announced releases of a project; the oldest are removed beyond. */
export const MAX_DEPLOYS_OF_RELEASE = 100;
export const MAX_DEPLOYS_OF_PROJECT = 1000;
export const MAX_BUILD_RELEASES = 2000;
/** Characters of the path of a changed file that are kept. */
export const MAX_PATH_LENGTH = 1000;
/** Maximum characters of the name of a release, and of a dist. */
export const MAX_RELEASE_LENGTH = 250;
export const MAX_DIST_LENGTH = 64;
