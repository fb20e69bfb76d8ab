import { constants, writev } from 'node:fs';
import { mkdir, open, readFile, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AppendFile, JournalFiles } from '../../../domain/ports/journal-files.ts';

const DIR_MODE = 0o700;
const FILE_MODE = 0o600;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_APPEND;

/** `JournalFiles` on Node's file system. */
export const nodeJournalFiles: JournalFiles = {
  async makeDir(path) {
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
  },

  async list(dir) {
    try {
      return (await readdir(dir)).sort();
    } catch (error) {
      return whenAbsent(error, []);
    }
  },

  async create(path) {
    return appendFile(await open(path, CREATE, FILE_MODE));
  },

  async size(path) {
    return (await stat(path)).size;
  },

  async read(path, offset, length) {
    const handle = await open(path, 'r');
    try {
      const buffer = Buffer.allocUnsafeSlow(length);
      let filled = 0;
      while (filled < length) {
        const { bytesRead } = await handle.read(buffer, filled, length - filled, offset + filled);
        if (bytesRead === 0) {
          break;
        }
        filled += bytesRead;
      }
      return buffer.subarray(0, filled);
    } finally {
      await handle.close();
    }
  },

  async readAll(path) {
    try {
      return await readFile(path);
    } catch (error) {
      return whenAbsent(error, null);
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

  rename,
  syncDir: syncPath,
  syncFile: syncPath,
};

function appendFile(handle: FileHandle): AppendFile {
  return {
    async append(buffers) {
      let rest = buffers;
      while (rest.length > 0) {
        rest = behind(rest, await write(handle.fd, rest));
      }
    },
    sync: () => handle.datasync(),
    close: () => handle.close(),
  };
}

/** The callback form saves a few promises per commit. */
function write(fd: number, buffers: readonly Uint8Array[]): Promise<number> {
  return new Promise((resolve, reject) => {
    writev(fd, buffers, (error, written) => {
      if (error === null) {
        resolve(written);
      } else {
        reject(error);
      }
    });
  });
}

/** What is left of the buffers after their first `written` bytes: a write may be cut short. */
function behind(buffers: readonly Uint8Array[], written: number): readonly Uint8Array[] {
  let left = written;
  for (const [index, buffer] of buffers.entries()) {
    if (left < buffer.length) {
      return [buffer.subarray(left), ...buffers.slice(index + 1)];
    }
    left -= buffer.length;
  }
  return [];
}

/** Works on directories too: their entries are what is made durable then. */
async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function whenAbsent<T>(error: unknown, value: T): T {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
    return value;
  }
  throw error;
}
