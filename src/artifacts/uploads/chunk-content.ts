import { basename } from 'node:path';
import type { FileStore } from '../../domain/ports/stores/file-store.ts';
import { RefusedBundle } from '../bundles/bounds.ts';

/** Later than any file was written. */
const LATEST = 8e15;

/** Passes the content of chunks on, one after the other. Throws RefusedBundle for one that is gone. */
export async function* contentOf(
  store: Pick<FileStore, 'readFile'>,
  chunks: readonly string[],
): AsyncGenerator<Uint8Array> {
  for (const name of chunks) {
    const chunk = await store.readFile(name);
    if (chunk === null) throw new RefusedBundle(`The chunk ${basename(name)} was removed meanwhile: upload it again.`);
    yield chunk;
  }
}

/**
 * Removes chunks that have not the content of which they have their name, so that tools are asked for them again. Throws
 * RefusedBundle when there are some.
 */
export async function removeDamaged(
  store: Pick<FileStore, 'readFile' | 'removeFile'>,
  chunks: readonly string[],
): Promise<void> {
  const damaged: string[] = [];
  for (const name of chunks) {
    const chunk = await store.readFile(name);
    if (chunk === null || (await sha1(chunk)) === basename(name)) continue;
    await store.removeFile(name, LATEST);
    damaged.push(basename(name));
  }
  const [first] = damaged;
  if (first === undefined) return;
  const others = damaged.length === 1 ? '' : ` (and ${damaged.length - 1} more)`;
  throw new RefusedBundle(`The chunk ${first}${others} was damaged in the store: upload it again.`);
}

/** Is computed in another thread: a chunk has megabytes. */
async function sha1(content: Uint8Array): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-1', content as Uint8Array<ArrayBuffer>)).toString('hex');
}
