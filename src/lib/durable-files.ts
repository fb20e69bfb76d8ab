import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Only the owner may look: such files hold events. */
const DIR_MODE = 0o700;
const FILE_MODE = 0o600;

/** Makes what was written to a file survive a power cut; of a directory, its entries. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes a directory and its parents where they are missing; their entries survive a power cut afterwards. */
export async function makeDurableDir(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: DIR_MODE });
  if (first === undefined) {
    return;
  }
  // Each new directory's name stands in its parent.
  for (let made = path; ; made = dirname(made)) {
    await syncPath(dirname(made));
    if (made === first || made === dirname(made)) {
      return;
    }
  }
}

/** The whole content; null when there is no such file. */
export async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    return ifAbsent(error, null);
  }
}

/**
 * Writes beside, syncs, renames over and syncs the directory: readers see the old content or the new, also after a
 * power cut. Of two calls at once for one path one may fail. `private-file.ts` has the same for synchronous callers.
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
  await rename(beside, path);
  await syncPath(dirname(path));
}

/** The value where the error says that there is no such file or directory; throws every other error. */
export function ifAbsent<T>(error: unknown, value: T): T {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
    return value;
  }
  throw error;
}
