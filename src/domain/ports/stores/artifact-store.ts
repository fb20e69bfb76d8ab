import type { ArtifactBundle, ArtifactMap, BundleSeen, BundleUse, NewBundle } from '../../artifacts/artifact.ts';
import type { PendingUpload } from '../../artifacts/pending-upload.ts';

/** Bundles a project may have; the oldest are removed beyond. */
export const MAX_BUNDLES = 5000;
/** Maps that a look-up returns: chunks that no build changes have one debug id in all bundles. */
export const MAX_FOUND_MAPS = 10;
/** Pending uploads of a project: as many as one request for debug files may name. */
export const MAX_PENDING_UPLOADS = 1000;
/** Rows of pending uploads that are read at once. */
export const MAX_PENDING_READ = 2000;

/** Part of a list of bundles. */
export interface BundlePart {
  /** Absent: of all releases, and of none. */
  readonly release?: string;
  /** Bundles before the first one; default none. */
  readonly skip?: number;
  /** At least 1; absent: all. */
  readonly limit?: number;
}

type PendingKey = Pick<PendingUpload, 'projectId' | 'id'>;

/** Uploads of build tools, and the maps in them. Methods about a project ignore rows of other projects. */
export interface ArtifactStore {
  /**
   * Writes a bundle with its maps. It is complete only when all of them are there; an interrupted writing may be
   * repeated. A complete one that is written again stays as it was when that fails. Its problems are those of the maps.
   * Throws `project_not_found`, and `store_unavailable` when it was removed meanwhile, or is written by another caller.
   */
  putBundle(bundle: NewBundle, maps: readonly ArtifactMap[]): Promise<void>;
  bundle(projectId: number, bundleId: string): Promise<ArtifactBundle | null>;
  /** Newest first. A bundle may have thousands of debug ids, so callers that need few members use `bundleUses`. */
  listBundles(projectId: number, part?: BundlePart): Promise<ArtifactBundle[]>;
  /** Kind, size and use of all bundles, newest first. */
  bundleUses(projectId: number): Promise<BundleUse[]>;
  /** Bundles of a release, newest first, and whether they are complete. */
  bundlesOfRelease(projectId: number, release: string): Promise<Pick<ArtifactBundle, 'id' | 'complete'>[]>;
  /**
   * Removes a bundle and its maps; false when there is none, or it is not as it was seen. Their files go with the next
   * sweep. `seen` absent: as it is.
   */
  removeBundle(projectId: number, bundleId: string, seen?: BundleSeen): Promise<boolean>;

  /** Ids of projects that have a bundle, in ascending order; cheap enough to call ten times a second. */
  projectsWithBundles(): Promise<number[]>;
  /** Maps of a bundle, by their place. */
  mapsOfBundle(projectId: number, bundleId: string): Promise<ArtifactMap[]>;
  /** Maps of a debug id, newest first, at most MAX_FOUND_MAPS. */
  mapsByDebugId(projectId: number, debugId: string): Promise<ArtifactMap[]>;
  /** Maps of minified files with this address, newest first, at most MAX_FOUND_MAPS. `dist` must be equal, null too. */
  mapsByUrl(projectId: number, release: string, dist: string | null, url: string): Promise<ArtifactMap[]>;
  /** Records the use of a bundle; ignores earlier times, less than an hour more, and unknown bundles. */
  markBundleUsed(projectId: number, bundleId: string, at: number): Promise<void>;
  /** True when a bundle or a map names the file. */
  isFileNamed(file: string): Promise<boolean>;

  /**
   * Keeps an upload until it is opened, with a row for each project; one that is kept is replaced. Throws
   * `project_not_found`, and `rate_limited` when a project has MAX_PENDING_UPLOADS others.
   */
  putPendingUpload(rows: readonly PendingUpload[]): Promise<void>;
  /** Pending uploads of all projects, by project; at most MAX_PENDING_READ rows. */
  pendingUploads(): Promise<PendingUpload[]>;
  /** Changes `tries` of an upload. Rows that are gone do not matter. */
  setTries(rows: readonly PendingKey[], tries: number): Promise<void>;
  /** Forgets an upload that was opened, or cannot be. Rows that are gone do not matter. */
  removePendingUpload(rows: readonly PendingKey[]): Promise<void>;
}
