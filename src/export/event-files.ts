import { basename, join } from 'node:path';
import { ExportFile } from './export-file.ts';
import type { ManifestFile } from './manifest.ts';

/** Bytes before compression after which the next file begins: reading again goes file by file. */
const FILE_BYTES = 256 * 1024 * 1024;

/** Files of lines in a folder. One is filled while the one before is written out and made durable. */
export class EventFiles {
  readonly #dir: string;
  readonly #compress: boolean;
  readonly #finished: ManifestFile[] = [];
  #file: ExportFile | null = null;
  #count = 0;
  #finishing: Promise<void> = Promise.resolve();

  constructor(dir: string, compress: boolean) {
    this.#dir = dir;
    this.#compress = compress;
  }

  /** Adds a line in UTF-8 without its end. A promise: wait for it before the next line. */
  add(line: Uint8Array): Promise<void> | undefined {
    return this.#file === null || this.#file.content >= FILE_BYTES ? this.#addToNext(line) : this.#file.addBytes(line);
  }

  async #addToNext(line: Uint8Array): Promise<void> {
    await this.#endFile();
    this.#count += 1;
    this.#file = await ExportFile.create(join(this.#dir, this.#name()), this.#compress);
    await this.#file.addBytes(line);
  }

  /** Waits for the end of the file before, so that at most two are open. */
  async #endFile(): Promise<void> {
    const file = this.#file;
    if (file === null) return;
    await this.#finishing;
    const path = `${basename(this.#dir)}/${this.#name()}`;
    this.#file = null;
    this.#finishing = this.#write(file, path);
    // The next one that waits gets the failure.
    this.#finishing.catch(() => undefined);
  }

  async #write(file: ExportFile, path: string): Promise<void> {
    try {
      this.#finished.push({ path, ...(await file.finish()) });
    } catch (error) {
      await file.abandon().catch(() => undefined);
      throw error;
    }
  }

  #name(): string {
    return `${String(this.#count).padStart(5, '0')}.ndjson${this.#compress ? '.gz' : ''}`;
  }

  /** Makes the rest durable; returns all files in order. */
  async finish(): Promise<readonly ManifestFile[]> {
    await this.#endFile();
    await this.#finishing;
    return this.#finished;
  }

  /** Closes unfinished files. */
  async abandon(): Promise<void> {
    await this.#finishing.catch(() => undefined);
    await this.#file?.abandon().catch(() => undefined);
  }
}
