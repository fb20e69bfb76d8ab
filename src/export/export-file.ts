import { createHash, type Hash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const deflate = promisify(gzip);

/** Bytes that are written together; compressed, they are one member of the file. A longer text is one of its own. */
const CHUNK_BYTES = 1024 * 1024;
/** Maximum bytes of a character in UTF-8, per unit of a string. */
const UTF8_BYTES = 3;

export interface WrittenFile {
  readonly bytes: number;
  readonly lines: number;
  /** Of the bytes of the file, lower-case hex. */
  readonly sha256: string;
}

/** File of lines that is being written, with memory for two parts of it. */
export class ExportFile {
  readonly #handle: FileHandle;
  readonly #compress: boolean;
  readonly #hash: Hash = createHash('sha256');
  /** Is filled while `#spare` is written. */
  #chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  #spare = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  #filled = 0;
  #writing: Promise<void> = Promise.resolve();
  #characters = 0;
  #count = 0;
  #bytes = 0;

  private constructor(handle: FileHandle, compress: boolean) {
    this.#handle = handle;
    this.#compress = compress;
  }

  /** Creates the file, readable for its owner only; throws when it exists. */
  static async create(path: string, compress: boolean): Promise<ExportFile> {
    return new ExportFile(await open(path, 'wx', 0o600), compress);
  }

  /** Characters so far, before compression. */
  get characters(): number {
    return this.#characters;
  }

  /** Adds a line without its end. A promise: wait for it before the next line. */
  add(line: string): Promise<void> | undefined {
    this.#count += 1;
    return this.addText(`${line}\n`);
  }

  /** Adds text as it is. A promise: wait for it before the next text. */
  addText(text: string): Promise<void> | undefined {
    this.#characters += text.length;
    if (text.length * UTF8_BYTES > CHUNK_BYTES - this.#filled) return this.#addAfterWrite(text);
    this.#fill(text);
    return undefined;
  }

  #fill(text: string): void {
    this.#filled += this.#chunk.write(text, this.#filled);
  }

  async #addAfterWrite(text: string): Promise<void> {
    if (this.#filled > 0) await this.#startWrite();
    if (text.length * UTF8_BYTES <= CHUNK_BYTES) this.#fill(text);
    else await this.#queue(Buffer.from(text, 'utf8'));
  }

  /** Writes the chunk while the other one is filled; waits for the write before, so that two are in memory. */
  async #startWrite(): Promise<void> {
    const bytes = this.#chunk.subarray(0, this.#filled);
    [this.#chunk, this.#spare] = [this.#spare, this.#chunk];
    this.#filled = 0;
    await this.#queue(bytes);
  }

  async #queue(bytes: Buffer): Promise<void> {
    const before = this.#writing;
    this.#writing = before.then(() => this.#write(bytes));
    // The next one that waits gets the failure.
    this.#writing.catch(() => undefined);
    await before;
  }

  async #write(text: Buffer): Promise<void> {
    const bytes = this.#compress ? await deflate(text) : text;
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    await this.#handle.writeFile(bytes);
  }

  /** Writes the rest and makes the file durable. */
  async finish(): Promise<WrittenFile> {
    // An empty file is no gzip file.
    if (this.#filled > 0 || (this.#compress && this.#characters === 0)) await this.#startWrite();
    await this.#writing;
    await this.#handle.sync();
    await this.#handle.close();
    return { bytes: this.#bytes, lines: this.#count, sha256: this.#hash.digest('hex') };
  }

  /** Closes an unfinished file. */
  async abandon(): Promise<void> {
    await this.#writing.catch(() => undefined);
    await this.#handle.close();
  }
}
