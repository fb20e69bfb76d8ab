import { createHash, type Hash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { AppendFile, JournalFiles } from '../../../domain/ports/journal-files.ts';

/**
 * Progress of cutting the journal into batches. The store has confirmed everything before `from`. The bytes up to `to`
 * are batch `n`, which the store may or may not have. `from === to`: no batch is open.
 */
export interface BatchManifest {
  /** Random id under which the store knows the journal, 32 hex digits. */
  readonly journalId: string;
  /** Number of the last batch, 0 before the first one. */
  readonly n: number;
  readonly hash: string;
  readonly segment: number;
  readonly from: number;
  readonly to: number;
  /** Records in the batch. */
  readonly count: number;
  /** Indexes (from 0) of records in the batch that were set aside and are not part of it. */
  readonly excluded: readonly number[];
}

/** Begins the hash of batch `n`; `place` names the source of its bytes. Feed it with the members. */
export function beginBatchHash(journalId: string, n: number, place: string): Hash {
  return createHash('sha256').update(`${journalId} ${n} ${place} `);
}

/** Ends the hash: 32 hex digits. */
export function endBatchHash(hash: Hash): string {
  return hash.digest('hex').slice(0, 32);
}

const NAME = /^(\d{12})\.log$/;

/** Bytes above which a new file begins, with the last line copied to it. */
const FILE_BYTES = 1024 * 1024;

/** Creates the id of a new journal in the store, 32 hex digits. */
export function newJournalId(): string {
  return randomBytes(16).toString('hex');
}

/** Creates the first manifest of a journal under a new id. No batch is cut yet; the next one begins at the position. */
export function openingManifest(segment: number, offset: number): BatchManifest {
  return { journalId: newJournalId(), n: 0, hash: '', segment, from: offset, to: offset, count: 0, excluded: [] };
}

/**
 * Stores the progress of the digest durably: one checked JSON line per change; the last whole line counts. Appending
 * costs one sync; replacing a file would cost three.
 */
export class ManifestLog {
  readonly #files: JournalFiles;
  readonly #dir: string;
  #file: AppendFile | null = null;
  #bytes = 0;
  #generation = 0;

  constructor(files: JournalFiles, dir: string) {
    this.#files = files;
    this.#dir = manifestsDir(dir);
  }

  /** Writes the manifest; it then survives a power cut. Throws when the disk rejects it; then call again. */
  async write(manifest: BatchManifest): Promise<void> {
    const line = encodeLine(manifest);
    if (this.#file === null || this.#bytes + line.length > FILE_BYTES) {
      await this.#begin(line);
      return;
    }
    try {
      await this.#file.append([line]);
      await this.#file.sync();
      this.#bytes += line.length;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.close().catch(() => undefined);
  }

  /** Starts a new file with the line. It is durable before older files are removed, so a whole line always exists. */
  async #begin(line: Buffer): Promise<void> {
    await this.close();
    await this.#files.makeDir(this.#dir);
    const older = (await this.#files.list(this.#dir)).filter((name) => NAME.test(name));
    const newest = Number(NAME.exec(older.at(-1) ?? '')?.[1] ?? 0);
    this.#generation = Math.max(this.#generation, newest) + 1;
    const file = await this.#files.create(join(this.#dir, `${String(this.#generation).padStart(12, '0')}.log`));
    try {
      await file.append([line]);
      await file.sync();
      await this.#files.syncDir(this.#dir);
      for (const name of older) {
        await this.#files.remove(join(this.#dir, name));
      }
    } catch (error) {
      await file.close().catch(() => undefined);
      throw error;
    }
    this.#file = file;
    this.#bytes = line.length;
  }
}

/** Reads the last whole line of the log; null when there is none. */
export async function readLastManifest(files: JournalFiles, dir: string): Promise<BatchManifest | null> {
  const names = (await files.list(manifestsDir(dir))).filter((name) => NAME.test(name));
  for (const name of names.reverse()) {
    const content = (await files.readAll(join(manifestsDir(dir), name)))?.toString('latin1') ?? '';
    const manifest = content
      .split('\n')
      .reverse()
      .map(decodeLine)
      .find((found) => found !== null);
    if (manifest !== undefined) {
      return manifest;
    }
  }
  return null;
}

function manifestsDir(dir: string): string {
  return join(dir, 'seals');
}

function encodeLine(manifest: BatchManifest): Buffer {
  const json = JSON.stringify({ format: 1, ...manifest });
  return Buffer.from(`${crc32(json).toString(16).padStart(8, '0')} ${json}\n`, 'latin1');
}

function decodeLine(line: string): BatchManifest | null {
  const json = line.slice(9);
  if (json === '' || line.slice(0, 8) !== crc32(json).toString(16).padStart(8, '0')) {
    return null;
  }
  const { format: _format, ...manifest } = JSON.parse(json) as BatchManifest & { format: number };
  return manifest;
}
