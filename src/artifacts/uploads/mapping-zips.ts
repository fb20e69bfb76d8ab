import { join } from 'node:path';
import { AppError } from '../../domain/app-error.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { StoredMapping } from '../../domain/ports/uploads.ts';
import { boundedParts } from '../../lib/parts.ts';
import { within } from '../../lib/within.ts';
import { RefusedBundle } from '../bundles/bounds.ts';
import type { OpenedUpload } from '../bundles/opened-upload.ts';
import { asFull, type DiskRoom } from './disk-room.ts';
import { isKnown, type KnownStore } from './known-upload.ts';
import type { readUpload } from './read-upload.ts';
import type { NamedWork, UploadTurns } from './upload-turns.ts';
import { inWorkFolder, writeWhole, type Written } from './work-folder.ts';

/** Zips that are received, wait or are opened at once, of all projects and of one: each is on the disk as a whole. */
const MAX_ZIPS = 20;
const MAX_ZIPS_OF_PROJECT = 5;
const RETRY_SECONDS = 60;

export interface MappingZipDeps {
  readonly store: KnownStore;
  readonly clock: Clock;
  readonly room: DiskRoom;
  readonly turns: Pick<UploadTurns, 'run'>;
  /** Folder for zips until they are stored; absolute. */
  readonly workDir: string;
  /** Bytes of one zip. */
  readonly maxBytes: number;
  readonly read: typeof readUpload;
  /** Milliseconds that a request waits for the end of a zip that it sent. */
  readonly answerAfterMs: number;
  /** Stores an upload that was opened in a folder. */
  readonly keep: (dir: string, named: NamedWork, written: Written, opened: OpenedUpload) => Promise<void>;
  readonly count: (result: 'stored' | 'known' | 'refused' | 'failed') => void;
}

/** Takes zips with mappings of R8 that old tools send as a whole. Each is opened once when it is its turn. */
export class MappingZips {
  readonly #deps: MappingZipDeps;
  /** Project of each zip that is on the disk. */
  readonly #taken = new Map<object, number>();
  /** Ends of zips that wait or are opened, by project and checksum. */
  readonly #ends = new Map<string, Promise<StoredMapping[]>>();

  constructor(deps: MappingZipDeps) {
    this.#deps = deps;
  }

  /**
   * Stores the mappings in a zip. One that is known is not opened again. Throws `bad_request` for another file,
   * `rate_limited` when too many zips wait, and `store_unavailable` when it still waits after some time: it is opened
   * all the same, and the same zip sent again is answered with its end.
   */
  async take(projectId: number, content: AsyncIterable<Uint8Array>): Promise<StoredMapping[]> {
    this.#requirePlace(projectId);
    let hasArrived: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => (hasArrived = resolve));
    const end = this.#taking(projectId, content, hasArrived);
    await Promise.race([arrived, end]);
    return within(this.#deps.answerAfterMs, () => end, late);
  }

  async #taking(
    projectId: number,
    content: AsyncIterable<Uint8Array>,
    onArrival: () => void,
  ): Promise<StoredMapping[]> {
    try {
      const { end } = await this.#received(projectId, content, onArrival);
      return await end;
    } catch (error) {
      const refused = error instanceof RefusedBundle;
      this.#deps.count(refused || (error instanceof AppError && error.code === 'bad_request') ? 'refused' : 'failed');
      throw refused ? new AppError('bad_request', error.message, { cause: error }) : asFull(error);
    }
  }

  /** Returns the end of a zip. One with the content of another that waits leaves the disk at once, and has its end. */
  async #received(
    projectId: number,
    content: AsyncIterable<Uint8Array>,
    onArrival: () => void,
  ): Promise<{ readonly end: Promise<StoredMapping[]> }> {
    const { room, workDir, maxBytes } = this.#deps;
    const place = {};
    this.#taken.set(place, projectId);
    try {
      await room.require(2 * maxBytes);
      return await inWorkFolder(workDir, async (dir) => {
        const tooLong = () => new AppError('bad_request', `The file has more than ${maxBytes} bytes.`);
        const written = await writeWhole(join(dir, 'upload'), boundedParts(content, maxBytes, tooLong));
        onArrival();
        const key = `${projectId} ${written.sha1}`;
        const other = this.#ends.get(key);
        if (other !== undefined) return { end: other };
        const end = this.#openedFirst(projectId, dir, written);
        this.#ends.set(key, end);
        await end.finally(() => this.#ends.delete(key));
        return { end };
      });
    } finally {
      this.#taken.delete(place);
    }
  }

  async #openedFirst(projectId: number, dir: string, written: Written): Promise<StoredMapping[]> {
    const { store, clock, room, turns, read, keep, count } = this.#deps;
    const askedAt = clock.now();
    const named = {
      projects: [projectId],
      checksum: written.sha1,
      release: null,
      dist: null,
      debugFile: null,
      askedAt,
    };
    if (await isKnown(store, named, askedAt)) {
      count('known');
      return mappingsOf(written, await store.mapsOfBundle(projectId, written.sha1));
    }
    const { maps } = await turns.run(projectId, async () => {
      const roomBytes = await room.forIndexes(written.bytes);
      const opened = await read({ path: join(dir, 'upload'), form: 'mappings', debugId: null, outDir: dir, roomBytes });
      await keep(dir, named, written, opened);
      return opened;
    });
    count('stored');
    return mappingsOf(written, maps);
  }

  #requirePlace(projectId: number): void {
    const own = [...this.#taken.values()].filter((each) => each === projectId).length;
    if (own < MAX_ZIPS_OF_PROJECT && this.#taken.size < MAX_ZIPS) return;
    this.#deps.count('refused');
    throw new AppError('rate_limited', 'Too many files of this kind wait to be opened: send it again in a minute.', {
      retryAfterSeconds: RETRY_SECONDS,
    });
  }
}

function mappingsOf({ sha1 }: Written, maps: readonly { readonly debugId: string | null }[]): StoredMapping[] {
  return maps.map(({ debugId }) => ({ debugId: debugId ?? '', checksum: sha1 }));
}

function late(): never {
  throw new AppError('store_unavailable', 'The file waits to be opened: send it again in a minute for its result.', {
    retryAfterSeconds: RETRY_SECONDS,
  });
}
