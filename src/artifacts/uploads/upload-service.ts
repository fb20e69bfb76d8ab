import { join } from 'node:path';
import { AppError } from '../../domain/app-error.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { ArtifactStore } from '../../domain/ports/stores/artifact-store.ts';
import type { FileStore } from '../../domain/ports/stores/file-store.ts';
import type {
  ArtifactLimits,
  ChunkBounds,
  StoredMapping,
  UploadRequest,
  Uploads,
  UploadState,
} from '../../domain/ports/uploads.ts';
import { FailureLog } from '../../observability/failure-log.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { RefusedBundle } from '../bundles/bounds.ts';
import type { OpenedUpload } from '../bundles/opened-upload.ts';
import { checkedChunk } from './checked-chunk.ts';
import { contentOf, removeDamaged } from './chunk-content.ts';
import { ChunkRoom, type ChunkRoomDeps } from './chunk-room.ts';
import { asFull, DiskRoom } from './disk-room.ts';
import { chunkFile } from './file-names.ts';
import { isKnown } from './known-upload.ts';
import { MappingZips } from './mapping-zips.ts';
import { openedFile } from './opened-file.ts';
import { applyQuota } from './prune-uploads.ts';
import { readUpload } from './read-upload.ts';
import { MAX_UPLOAD_BYTES, storeUpload } from './store-upload.ts';
import { UploadTurns, workOf, type NamedWork, type TurnDeps, type UploadWork } from './upload-turns.ts';
import { inWorkFolder, writeWhole, type Written } from './work-folder.ts';

const MIB = 1024 * 1024;
const BOUNDS: ChunkBounds = {
  chunkBytes: 8 * MIB,
  chunksPerRequest: 16,
  requestBytes: 32 * MIB,
  uploadBytes: MAX_UPLOAD_BYTES,
  concurrency: 4,
};
/** Milliseconds that a request waits for the end of its upload. Tools ask again, and most need not. */
const ANSWER_AFTER_MS = 20_000;
/** Times that a process may have been killed while it opened an upload, before this is refused. */
const MAX_TRIES = 3;

export interface UploadDeps extends Pick<ChunkRoomDeps, 'maxChunkBytes'>, Pick<TurnDeps, 'owner'> {
  readonly store: ArtifactStore & FileStore & TurnDeps['store'];
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly metrics: Pick<Metrics, 'uploads' | 'uploadChunks'>;
  /** Folder of this process for uploads while they are opened; absolute. */
  readonly workDir: string;
  /** Free bytes of the disk that uploads leave to ingestion. */
  readonly minFreeBytes: number;
  /** Returns the free bytes of the disk; replaced in tests. */
  readonly freeBytes?: () => Promise<number>;
  readonly limits: ArtifactLimits;
  /** Opens an upload; replaced in tests. */
  readonly read?: typeof readUpload;
  /** Milliseconds that a request waits; default ANSWER_AFTER_MS. */
  readonly answerAfterMs?: number;
  /** Milliseconds since any time; never set. Default: of the process. */
  readonly steady?: () => number;
}

const STORED: UploadState = { state: 'ok', missingChunks: [], detail: null };

/** Takes chunks into the file area, and opens what they make up, each upload once however often it is asked for. */
export class UploadService implements Uploads {
  readonly bounds = BOUNDS;
  readonly limits: ArtifactLimits;
  readonly #deps: UploadDeps;
  readonly #room: DiskRoom;
  readonly #chunks: ChunkRoom;
  readonly #turns: UploadTurns;
  readonly #zips: MappingZips;
  readonly #failures: FailureLog;

  constructor(deps: UploadDeps) {
    this.#deps = deps;
    this.limits = deps.limits;
    this.#room = new DiskRoom(deps.workDir, deps.minFreeBytes, deps.freeBytes);
    this.#chunks = new ChunkRoom(deps);
    const { store, owner, logger } = deps;
    this.#turns = new UploadTurns({ store, owner, open: (work) => this.#open(work) });
    this.#zips = new MappingZips({
      ...deps,
      room: this.#room,
      turns: this.#turns,
      maxBytes: this.bounds.requestBytes,
      read: deps.read ?? readUpload,
      answerAfterMs: this.#answerAfterMs,
      keep: (...opened) => this.#store(...opened),
      count: (result) => {
        this.#count(result);
      },
    });
    this.#failures = new FailureLog(logger, 'uploads of builds cannot be opened for now; this is retried');
  }

  async putChunk(organization: string, checksum: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const { store, metrics } = this.#deps;
    try {
      // Chunks, the upload and its maps are on the disk at the same time.
      await this.#room.require(2 * this.bounds.requestBytes);
      const checked = checkedChunk(content, checksum, this.bounds.chunkBytes);
      await store.putFile(chunkFile(organization, checksum), this.#chunks.counted(organization, checked));
      metrics.uploadChunks.inc({ result: 'stored' });
    } catch (error) {
      metrics.uploadChunks.inc({ result: isRefusal(error) ? 'refused' : 'failed' });
      throw error;
    }
  }

  assemble(request: UploadRequest): Promise<UploadState> {
    return this.#assemble(request, this.#answerAfterMs);
  }

  async assembleAll(requests: readonly UploadRequest[]): Promise<UploadState[]> {
    const { steady = () => performance.now() } = this.#deps;
    const until = steady() + this.#answerAfterMs;
    const states: UploadState[] = [];
    for (const request of requests) states.push(await this.#assemble(request, Math.max(0, until - steady())));
    return states;
  }

  get #answerAfterMs(): number {
    return this.#deps.answerAfterMs ?? ANSWER_AFTER_MS;
  }

  async #assemble(request: UploadRequest, waitMs: number): Promise<UploadState> {
    const { organization, chunks } = request;
    if (chunks.length > Math.ceil(this.bounds.uploadBytes / this.bounds.chunkBytes)) {
      return refusal(`The upload has more than ${this.bounds.uploadBytes} bytes: split it into smaller ones.`);
    }
    const { store, clock } = this.#deps;
    const askedAt = clock.now();
    if (await isKnown(store, request, askedAt)) {
      this.#count('known');
      return STORED;
    }
    const missingChunks = await this.#missing(organization, chunks);
    if (missingChunks.length > 0) return { state: 'not_found', missingChunks, detail: null };
    return this.#turns.opened(workOf(request, askedAt), waitMs);
  }

  takeMappings(projectId: number, content: AsyncIterable<Uint8Array>): Promise<StoredMapping[]> {
    return this.#zips.take(projectId, content);
  }

  /** Opens uploads that were answered before their end and whose process was stopped. */
  resume(signal: AbortSignal): Promise<void> {
    return this.#turns.resume(signal);
  }

  /** Waits for the uploads that are being opened. Those that were answered before are opened after the next start. */
  stop(): Promise<void> {
    return this.#turns.stop();
  }

  /** Opens an upload. Throws `store_unavailable`, after which it may be opened again. */
  async #open(work: UploadWork): Promise<UploadState> {
    const { store, logger } = this.#deps;
    const { projects: projectIds, chunks } = work;
    try {
      if (work.tries >= MAX_TRIES) {
        throw new RefusedBundle(
          'The service was killed each time that it opened the upload: split it into smaller ones.',
        );
      }
      // Another gateway may have opened it since it was asked for.
      if (await isKnown(store, work, work.askedAt)) {
        this.#count('known');
        return STORED;
      }
      await this.#room.require(2 * chunks.length * this.bounds.chunkBytes);
      await inWorkFolder(this.#deps.workDir, (dir) => this.#openIn(dir, work));
      this.#failures.succeeded();
      this.#count('stored');
      return STORED;
    } catch (error) {
      if (error instanceof RefusedBundle) {
        this.#count('refused');
        // Plugins show the status alone, so the reason must be found here.
        logger.warn({ project_ids: projectIds, reason: error.message }, 'an upload of a build was refused');
        return refusal(error.message);
      }
      this.#count('failed');
      const failure = asFull(error);
      if (failure instanceof AppError && failure.code === 'store_unavailable') {
        this.#failures.failed(failure);
        throw failure;
      }
      logger.error({ project_ids: projectIds, err: error }, 'an upload of a build could not be opened');
      const reason = failure instanceof AppError ? failure.message : 'the service failed, see its log';
      return refusal(`The upload could not be opened: ${reason}`);
    }
  }

  #count(result: 'stored' | 'known' | 'refused' | 'failed'): void {
    this.#deps.metrics.uploads.inc({ result });
  }

  async #openIn(dir: string, work: UploadWork): Promise<void> {
    const { store, read = readUpload } = this.#deps;
    const path = join(dir, 'upload');
    const written = await writeWhole(path, contentOf(store, work.chunks));
    if (written.sha1 !== work.checksum) {
      await removeDamaged(store, work.chunks);
      throw new RefusedBundle('The chunks make up a file with another checksum: upload it again.');
    }
    const files = { path, outDir: dir, roomBytes: await this.#room.forIndexes(written.bytes) };
    await this.#store(dir, work, written, await openedFile(files, work.debugFile, read));
  }

  async #store(dir: string, { askedAt, ...named }: NamedWork, written: Written, opened: OpenedUpload): Promise<void> {
    const { store } = this.#deps;
    const { projectMaxBytes } = this.limits;
    // An upload that waited long is not the newest one.
    const times = { uploadedAt: askedAt, lastUsedAt: null };
    const requireRoom = (bytes: number) => this.#room.require(bytes);
    await storeUpload({ store, projectMaxBytes, requireRoom }, dir, { ...named, ...times }, written, opened);
    for (const projectId of named.projects) await this.#applyQuota(projectId);
  }

  /** A failure is left to the next upload, and to the hourly job: this upload is stored. */
  async #applyQuota(projectId: number): Promise<void> {
    const { store, clock, logger } = this.#deps;
    const of = { project_id: projectId };
    try {
      const { removed } = await applyQuota({ store, clock, limits: this.limits }, projectId);
      if (removed > 0) logger.info({ ...of, uploads: removed }, 'old uploads of a project gave way to a new one');
    } catch (error) {
      logger.warn({ ...of, err: error }, 'old uploads of a project could not be removed; this is done later');
    }
  }

  /** Returns the chunks that are not there. The others count as sent now, so that they are there when all are. */
  async #missing(organization: string, chunks: readonly string[]): Promise<string[]> {
    const names = new Map(chunks.map((checksum) => [chunkFile(organization, checksum), checksum]));
    const known = new Set(await this.#deps.store.renewFiles([...names.keys()]));
    return [...names].filter(([name]) => !known.has(name)).map(([, checksum]) => checksum);
  }
}

/** True for content that is wrong or too much, false for a failure of the service. */
const isRefusal = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'bad_request' || error.code === 'rate_limited');

function refusal(detail: string): UploadState {
  return { state: 'error', missingChunks: [], detail };
}
