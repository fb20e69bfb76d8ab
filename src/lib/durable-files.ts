import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Mode for access by the owner only, because such files contain events. */
const DIR_MODE = 0o700;
const FILE_MODE = 0o600;

/** Makes the content of a file durable; for a directory, its entries. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Creates a directory and missing parents; their entries are durable afterwards. */
export async function makeDurableDir(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: DIR_MODE });
  if (first === undefined) {
    return;
  }
  // The entry of each new directory is in its parent.
  for (let made = path; ; made = dirname(made)) {
    await syncPath(dirname(made));
    if (made === first || made === dirname(made)) {
      return;
    }
  }
}

/** Reads the whole content; null when there is no such file. */
export async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    return ifAbsent(error, null);
  }
}

/**
 * Writes a temporary file, syncs, renames and syncs the directory. Readers see the old or the new content, even after a
 * power cut. Of two concurrent calls for one path one may fail. `private-file.ts` has the synchronous form.
 */
export async function replaceDurably(path: string, content: Uint8Array): Promise<void> {
  const beside = `${path}.tmp`;
  const handle = await open(beside, 'w', FILE_MODE);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await renameDurably(beside, path);
}

/**
 * Gives a file or folder, whose content is durable, another name of the same file system. A file that has the name is
 * replaced; a folder that is not empty is refused. May fail after the renaming: the name is then not durable yet.
 */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncPath(dirname(to));
}

/** Returns `value` when the error means a missing file or directory; throws every other error. */
export function ifAbsent<T>(error: unknown, value: T): T {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
    return value;
  }
  throw error;
}
