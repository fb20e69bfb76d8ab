import { constants, writev } from 'node:fs';
import { open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AppendFile, JournalFiles } from '../../../domain/ports/journal-files.ts';
import { ifAbsent, makeDurableDir, readIfThere, replaceDurably, syncPath } from '../../../lib/durable-files.ts';
import { fileSystemAt } from '../../../lib/file-system.ts';

const FILE_MODE = 0o600;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_APPEND;

/**
 * Linux file systems that make a write with `O_DSYNC` durable before it returns, as `fdatasync` does. Others get an
 * `fdatasync` after each write: some, such as FUSE and 9p, may ignore the flag.
 */
const SYNCED_WRITES: ReadonlySet<string> = new Set(['ext2', 'ext3', 'ext4', 'xfs', 'btrfs', 'f2fs', 'zfs']);

/** Maximum buffers of one `writev`. More of them would be several writes, each of which waits for the disk. */
const MAX_BUFFERS = 1024;

/** `JournalFiles` on Node's file system. */
export const nodeJournalFiles: JournalFiles = {
  makeDir: makeDurableDir,

  async list(dir) {
    try {
      return (await readdir(dir)).sort();
    } catch (error) {
      return ifAbsent(error, []);
    }
  },

  async create(path, synced) {
    if (synced === undefined) return appendFile(await open(path, CREATE, FILE_MODE));
    if (!(await syncsWrites(dirname(path)))) return syncedByCall(appendFile(await open(path, CREATE, FILE_MODE)));
    return appendFile(await open(path, CREATE | constants.O_DSYNC, FILE_MODE));
  },

  async size(path) {
    return (await stat(path)).size;
  },

  async read(path, offset, length, into) {
    const handle = await open(path, 'r');
    try {
      const buffer = into ?? Buffer.allocUnsafeSlow(length);
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

  readAll: readIfThere,
  replace: replaceDurably,

  async remove(path) {
    await rm(path, { force: true });
  },

  rename,
  syncDir: syncPath,
  syncFile: syncPath,
};

/** macOS does not wait for the disk itself with `O_DSYNC`, and Windows has no such flag. */
async function syncsWrites(dir: string): Promise<boolean> {
  // Without knowledge of the file system, a call syncs each write.
  return SYNCED_WRITES.has((await fileSystemAt(dir)) ?? '');
}

function appendFile(handle: FileHandle): AppendFile {
  return {
    async append(buffers) {
      let rest = buffers.length > MAX_BUFFERS ? [Buffer.concat(buffers)] : buffers;
      while (rest.length > 0) {
        rest = behind(rest, await write(handle.fd, rest));
      }
    },
    sync: () => handle.datasync(),
    close: () => handle.close(),
  };
}

/** Makes every append durable with a call of its own. */
function syncedByCall(file: AppendFile): AppendFile {
  return {
    ...file,
    async append(buffers) {
      await file.append(buffers);
      await file.sync();
    },
  };
}

/** Uses the callback form, which saves a few promises per commit. */
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

/** Returns the buffers without their first `written` bytes, for a partial write. */
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
