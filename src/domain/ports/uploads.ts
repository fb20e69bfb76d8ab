import type { DebugFile } from '../artifacts/pending-upload.ts';
import type { BundleKind } from '../artifacts/artifact.ts';

/** Bounds of chunks, by which build tools cut uploads; all sizes in bytes. */
export interface ChunkBounds {
  /** A power of two, which old tools need. */
  readonly chunkBytes: number;
  readonly chunksPerRequest: number;
  readonly requestBytes: number;
  /** One upload of all its chunks. */
  readonly uploadBytes: number;
  /** Requests at once. */
  readonly concurrency: number;
}

/** Upload that a build tool names by its chunks. */
export interface UploadRequest {
  /** First part of the paths of the projects; chunks belong to it. */
  readonly organization: string;
  /** Ids of projects that the caller may upload to; at least one. */
  readonly projects: readonly number[];
  /** Lower-case hex SHA-1 of the whole, and of each chunk in order. */
  readonly checksum: string;
  readonly chunks: readonly string[];
  /** Null: those of the manifest. */
  readonly release: string | null;
  readonly dist: string | null;
  /** Null: the upload is a bundle of source files. */
  readonly debugFile: DebugFile | null;
}

/**
 * State of an upload. `not_found`: chunks are missing. `created`: it is complete and being opened; a later call tells how
 * that ended. `error`: it cannot be used, `detail` says why; the next call tries again.
 */
export interface UploadState {
  readonly state: 'not_found' | 'created' | 'ok' | 'error';
  readonly missingChunks: readonly string[];
  readonly detail: string | null;
}

/** Mapping of R8 that was stored. */
export interface StoredMapping {
  readonly debugId: string;
  /** Lower-case hex SHA-1 of the upload that has it. */
  readonly checksum: string;
}

/** Bounds of the uploads that are kept. */
export interface ArtifactLimits {
  /** Days after which an upload that mapped no frame is removed. */
  readonly unusedDays: number;
  /** Bytes of all uploads of a project, above which uploads are removed, those in use last. One alone is refused then. */
  readonly projectMaxBytes: number;
}

/** Upload that another errgate has kept, as its export names it. */
export interface CopiedUpload {
  readonly projectId: number;
  readonly kind: BundleKind;
  /** Lower-case hex SHA-1 of its content. */
  readonly checksum: string;
  readonly release: string | null;
  readonly dist: string | null;
  readonly debugIds: readonly string[];
  /** Milliseconds since the epoch. */
  readonly uploadedAt: number;
  readonly lastUsedAt: number | null;
}

/** Takes uploads of build tools. */
export interface Uploads {
  readonly limits: ArtifactLimits;
  readonly bounds: ChunkBounds;
  /**
   * Stores a chunk of an organization. Reads `content` to its end only when the chunk is not known. Throws `bad_request`
   * for another checksum or a larger one, `store_unavailable` when there is no room,
   * `rate_limited` when too many chunks of the organization are kept.
   */
  putChunk(organization: string, checksum: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** Opens an upload when all of its chunks are there. Answers `created` after 20 seconds. */
  assemble(request: UploadRequest): Promise<UploadState>;
  /** As `assemble`, in the order of the requests. All of them together are answered within the time of one. */
  assembleAll(requests: readonly UploadRequest[]): Promise<UploadState[]>;
  /**
   * Stores the mappings of R8 in a zip that was sent as a whole. Throws `bad_request` for another file, `rate_limited`
   * when too many wait, and `store_unavailable` after 20 seconds: the same zip sent again is answered with its end.
   */
  takeMappings(projectId: number, content: AsyncIterable<Uint8Array>): Promise<StoredMapping[]>;
}
