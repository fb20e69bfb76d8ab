import { randomUUID } from 'node:crypto';
import { access, constants, open, readdir, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '../../../domain/ports/clock.ts';
import type { FileStore, KnownFile, StoredFile } from '../../../domain/ports/stores/file-store.ts';
import { ifAbsent, makeDurableDir, readIfThere, renameDurably } from '../../../lib/durable-files.ts';
import { fileParts } from '../../../lib/parts.ts';
import { requireFileName } from '../../file-names.ts';
import { toAppError } from '../engine/sqlite-errors.ts';

/** Folder of files that are being written; names of files cannot begin with it. */
const UNFINISHED = '_unfinished';
/** Codes of the system for a file whose content cannot be read. */
const UNREADABLE: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EIO', 'EISDIR']);
/** Access by the owner only: files contain source code. */
const FILE_MODE = 0o600;

/** Returns the folder of the file area that belongs to a store file. */
export function fileAreaOf(storeFile: string): string {
  return `${storeFile}.files`;
}

/** File area of the embedded store: a folder beside its file, with one file per name. Processes may share it. */
export class FileArea implements FileStore {
  readonly #dir: string;
  readonly #clock: Clock;

  constructor(dir: string, clock: Clock) {
    this.#dir = dir;
    this.#clock = clock;
  }

  putFile(name: string, content: AsyncIterable<Uint8Array>, wanted?: number): Promise<number> {
    return this.#run(name, async (path) => {
      const known = await bytesOf(path);
      // Not renewed: it was removed meanwhile.
      if (known !== null && known === (wanted ?? known) && (await this.#renew(path))) return known;
      const unfinished = join(this.#dir, UNFINISHED, randomUUID());
      await makeDurableDir(dirname(unfinished));
      try {
        const bytes = await writeDurably(unfinished, content);
        await makeDurableDir(dirname(path));
        await renameDurably(unfinished, path);
        await this.#renew(path);
        return bytes;
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    });
  }

  readFile(name: string): Promise<Uint8Array | null> {
    return this.#run(name, (path) =>
      readIfThere(path).catch((error: unknown) => {
        // One file that cannot be read is lost, and must not stop those that wait for the store.
        if (UNREADABLE.has((error as NodeJS.ErrnoException).code ?? '')) return null;
        throw error;
      }),
    );
  }

  openFile(name: string): Promise<AsyncIterable<Uint8Array> | null> {
    return this.#run(name, async (path) => {
      if ((await stat(path).catch((error: unknown) => ifAbsent(error, null))) === null) return null;
      return fileParts(path);
    });
  }

  async knownFiles(names: readonly string[]): Promise<KnownFile[]> {
    const found: KnownFile[] = [];
    for (const name of names) {
      const bytes = await this.#run(name, bytesOf);
      if (bytes !== null) found.push({ name, bytes });
    }
    return found;
  }

  async renewFiles(names: readonly string[]): Promise<string[]> {
    const renewed: string[] = [];
    for (const name of names) {
      if (await this.#run(name, (path) => this.#renew(path))) renewed.push(name);
    }
    return renewed;
  }

  listFiles(prefix: string, after: string | null, limit: number): Promise<StoredFile[]> {
    return this.#run(null, async () => {
      const files: StoredFile[] = [];
      for await (const name of this.#names('', prefix, after)) {
        const found = await stat(join(this.#dir, name)).catch((error: unknown) => ifAbsent(error, null));
        if (found !== null) files.push({ name, bytes: found.size, putAt: found.mtimeMs });
        if (files.length === limit) break;
      }
      return files;
    });
  }

  removeFile(name: string, notPutSince: number): Promise<boolean> {
    return this.#run(name, async (path) => {
      const found = await stat(path).catch((error: unknown) => ifAbsent(error, null));
      if (found === null || found.mtimeMs >= notPutSince) return false;
      await rm(path, { force: true });
      return true;
    });
  }

  removeUnfinished(begunBefore: number): Promise<void> {
    return this.#run(null, async () => {
      const dir = join(this.#dir, UNFINISHED);
      for (const name of await readdir(dir).catch((error: unknown) => ifAbsent(error, []))) {
        const found = await stat(join(dir, name)).catch((error: unknown) => ifAbsent(error, null));
        if (found !== null && found.mtimeMs < begunBefore) await rm(join(dir, name), { force: true });
      }
    });
  }

  /** Sets the time of a file to now; false when there is none. */
  async #renew(path: string): Promise<boolean> {
    const seconds = this.#clock.now() / 1000;
    try {
      await utimes(path, seconds, seconds);
      return true;
    } catch (error) {
      return ifAbsent(error, false);
    }
  }

  /** Yields names in their order. Passes over folders that have none of them. */
  async *#names(folder: string, prefix: string, after: string | null): AsyncGenerator<string> {
    const entries = await readdir(join(this.#dir, folder), { withFileTypes: true }).catch((error: unknown) =>
      ifAbsent(error, []),
    );
    const named = entries
      .filter(({ name }) => name !== UNFINISHED)
      .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`)
      .sort();
    for (const name of named) {
      if (name.endsWith('/')) {
        const mayHold = name.startsWith(prefix) || prefix.startsWith(name);
        const mayFollow = after === null || name > after || after.startsWith(name);
        if (mayHold && mayFollow) yield* this.#names(name, prefix, after);
      } else if (name.startsWith(prefix) && (after === null || name > after)) {
        yield name;
      }
    }
  }

  async #run<T>(name: string | null, work: (path: string) => Promise<T>): Promise<T> {
    try {
      return await work(name === null ? this.#dir : join(this.#dir, requireFileName(name)));
    } catch (error) {
      throw toAppError(error);
    }
  }
}

/** Returns the bytes of a file that can be read; null when there is none. */
async function bytesOf(path: string): Promise<number | null> {
  try {
    await access(path, constants.R_OK);
    const found = await stat(path);
    return found.isFile() ? found.size : null;
  } catch (error) {
    if (UNREADABLE.has((error as NodeJS.ErrnoException).code ?? '')) return null;
    return ifAbsent(error, null);
  }
}

/** Writes a new file and makes its content durable; returns its bytes. */
async function writeDurably(path: string, content: AsyncIterable<Uint8Array>): Promise<number> {
  const handle = await open(path, 'wx', FILE_MODE);
  try {
    let bytes = 0;
    for await (const part of content) {
      await handle.writeFile(part);
      bytes += part.length;
    }
    await handle.sync();
    return bytes;
  } finally {
    await handle.close();
  }
}
