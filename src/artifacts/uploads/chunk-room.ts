import { LRUCache } from 'lru-cache';
import { AppError } from '../../domain/app-error.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { FileStore } from '../../domain/ports/stores/file-store.ts';
import type { Logger } from '../../observability/logger.ts';
import { chunksOf } from './file-names.ts';

const GIB = 1024 ** 3;
/** Bytes of chunks that are kept for an organization: what its builds upload within two hours. */
const MAX_CHUNK_BYTES = 10 * GIB;
/** Bytes as which a smaller chunk counts: its name and its file take room too. */
const MIN_COUNTED = 256 * 1024;
/** Milliseconds after which chunks are counted again: the hourly job removes some, other gateways take some. */
const COUNTED_MS = 60_000;
/** Organizations whose count is remembered. */
const MAX_COUNTS = 1000;
/** Files listed at once. */
const PAGE = 1000;
const RETRY_SECONDS = 60;

export interface ChunkRoomDeps {
  readonly store: Pick<FileStore, 'listFiles'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  /** Bytes of chunks that are kept for an organization; replaced in tests. */
  readonly maxChunkBytes?: number;
}

/** Chunks of an organization as they were counted, and those that came since. */
interface Kept {
  bytes: number;
  isRefused: boolean;
}

/** Bounds the chunks that are kept for an organization. A chunk lives for hours, and builds may send others all the time. */
export class ChunkRoom {
  readonly #deps: ChunkRoomDeps;
  readonly #counts = new LRUCache<string, { readonly at: number; readonly kept: Promise<Kept> }>({ max: MAX_COUNTS });

  constructor(deps: ChunkRoomDeps) {
    this.#deps = deps;
  }

  /** Passes the content of a chunk on and counts it. Throws `rate_limited`, before its first part, when too many are kept. */
  async *counted(organization: string, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const kept = await this.#kept(organization);
    this.#requireRoom(organization, kept);
    let bytes = 0;
    for await (const part of content) {
      bytes += part.length;
      kept.bytes += part.length;
      yield part;
    }
    kept.bytes += Math.max(0, MIN_COUNTED - bytes);
  }

  #requireRoom(organization: string, kept: Kept): void {
    const { logger, maxChunkBytes: most = MAX_CHUNK_BYTES } = this.#deps;
    if (kept.bytes < most) return;
    // Once a minute: plugins show the status alone, and a build may repeat its requests.
    if (!kept.isRefused) logger.warn({ organization, bytes: kept.bytes }, 'chunks of an organization are refused');
    kept.isRefused = true;
    throw new AppError(
      'rate_limited',
      `Builds of "${organization}" sent more than ${most} bytes within two hours, the most that are kept: ` +
        'look for a build that uploads again and again, and try again in an hour.',
      { retryAfterSeconds: RETRY_SECONDS },
    );
  }

  #kept(organization: string): Promise<Kept> {
    const { clock } = this.#deps;
    const prefix = chunksOf(organization);
    const known = this.#counts.get(prefix);
    if (known !== undefined && Math.abs(clock.now() - known.at) < COUNTED_MS) return known.kept;
    const at = clock.now();
    const kept = this.#count(prefix);
    this.#counts.set(prefix, { at, kept });
    // The next chunk counts again.
    kept.catch(() => this.#counts.delete(prefix));
    return kept;
  }

  async #count(prefix: string): Promise<Kept> {
    let bytes = 0;
    let after: string | null = null;
    for (;;) {
      const files = await this.#deps.store.listFiles(prefix, after, PAGE);
      for (const file of files) bytes += Math.max(file.bytes, MIN_COUNTED);
      const last = files.at(-1);
      if (last === undefined || files.length < PAGE) return { bytes, isRefused: false };
      after = last.name;
    }
  }
}
