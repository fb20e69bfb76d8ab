import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Renames a complete file to its final name, so that file and name survive a power cut. */
export async function publishFile(temporary: string, target: string): Promise<void> {
  await syncPath(temporary);
  await rename(temporary, target);
  await syncPath(dirname(target));
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
