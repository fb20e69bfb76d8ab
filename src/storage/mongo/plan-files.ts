import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { PlanFiles } from './batch/plan-file.ts';

const DIR_MODE = 0o700;
const FILE_MODE = 0o600;

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Plans hold titles and tags of events: only the owner may read them. */
export const planFiles: PlanFiles = {
  async makeDir(path) {
    const first = await mkdir(path, { recursive: true, mode: DIR_MODE });
    if (first !== undefined) await syncPath(dirname(first));
  },

  async readAll(path) {
    try {
      return await readFile(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  },

  async replace(path, content) {
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
  },

  async remove(path) {
    await rm(path, { force: true });
  },
};
