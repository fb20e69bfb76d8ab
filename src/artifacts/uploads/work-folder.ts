import { createHash, randomUUID } from 'node:crypto';
import { open, rm, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Folder for one upload while it is opened; it goes with the end of the work. */
export async function inWorkFolder<T>(parent: string, work: (dir: string) => Promise<T>): Promise<T> {
  const dir = join(parent, randomUUID());
  await mkdir(dir, { recursive: true, mode: 0o700 });
  try {
    return await work(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

export interface Written {
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha1: string;
  readonly sha256: string;
}

/** Bytes that are hashed between two turns of the event loop, on which events are taken: one or two milliseconds. */
const STEP_BYTES = 512 * 1024;

/** Writes content to a file, which need not survive a crash; returns its size and checksums. */
export async function writeWhole(path: string, content: AsyncIterable<Uint8Array>): Promise<Written> {
  const [sha1, sha256] = [createHash('sha1'), createHash('sha256')];
  const handle = await open(path, 'wx', 0o600);
  let bytes = 0;
  try {
    for await (const part of content) {
      for (let at = 0; at < part.length; at += STEP_BYTES) {
        const step = part.subarray(at, at + STEP_BYTES);
        sha1.update(step);
        sha256.update(step);
        await handle.writeFile(step);
      }
      bytes += part.length;
    }
  } finally {
    await handle.close();
  }
  return { bytes, sha1: sha1.digest('hex'), sha256: sha256.digest('hex') };
}
