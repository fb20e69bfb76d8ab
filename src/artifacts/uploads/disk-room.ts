import { statfs } from 'node:fs/promises';
import { AppError } from '../../domain/app-error.ts';

/** Room for uploads on their disk. They leave its last bytes to ingestion. */
export class DiskRoom {
  readonly #minFreeBytes: number;
  readonly #freeBytes: () => Promise<number>;

  constructor(dir: string, minFreeBytes: number, freeBytes = () => freeBytesOf(dir)) {
    this.#minFreeBytes = minFreeBytes;
    this.#freeBytes = freeBytes;
  }

  /** Throws `store_unavailable` when this many bytes more on the disk could stop ingestion. */
  async require(bytes: number): Promise<void> {
    const needed = this.#minFreeBytes + bytes;
    if ((await this.#freeBytes()) >= needed) return;
    throw noRoom(`The disk has less than ${needed} free bytes: free some space.`);
  }

  /** Returns how many bytes the compact forms of an upload may have: it and they are stored beside those that are there. */
  async forIndexes(uploadBytes: number): Promise<number> {
    const left = (await this.#freeBytes()) - this.#minFreeBytes - uploadBytes;
    return Math.max(0, Math.floor(left / 2));
  }
}

async function freeBytesOf(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir);
  return bavail * bsize;
}

/** Returns the failure of a full disk as `store_unavailable`, any other as it is. */
export function asFull(error: unknown): unknown {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? noRoom('The disk has no room for uploads: free some space.', error)
    : error;
}

const noRoom = (message: string, cause?: unknown): AppError =>
  new AppError('store_unavailable', message, { cause, retryAfterSeconds: 60 });
