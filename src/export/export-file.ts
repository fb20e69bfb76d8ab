import { createHash, type Hash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const deflate = promisify(gzip);

/** Bytes that are written together; compressed, they are one member of the file. A longer text is one of its own. */
const CHUNK_BYTES = 1024 * 1024;
/** Maximum bytes of a character in UTF-8, per unit of a string. */
const UTF8_BYTES = 3;
const LINE_BREAK = 0x0a;

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
  #content = 0;
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

  /** Bytes so far, before compression. */
  get content(): number {
    return this.#content;
  }

  /** Adds a line without its end. A promise: wait for it before the next line. */
  add(line: string): Promise<void> | undefined {
    this.#count += 1;
    return this.addText(`${line}\n`);
  }

  /** The same for a line in UTF-8, whose bytes must stay as they are until then. */
  addBytes(line: Uint8Array): Promise<void> | undefined {
    this.#count += 1;
    this.#content += line.length + 1;
    if (line.length >= CHUNK_BYTES - this.#filled) return this.#addBytesAfterWrite(line);
    this.#fillBytes(line);
    return undefined;
  }

  #fillBytes(line: Uint8Array): void {
    this.#chunk.set(line, this.#filled);
    this.#filled += line.length + 1;
    this.#chunk[this.#filled - 1] = LINE_BREAK;
  }

  async #addBytesAfterWrite(line: Uint8Array): Promise<void> {
    if (this.#filled > 0) await this.#startWrite();
    if (line.length < CHUNK_BYTES) this.#fillBytes(line);
    else await this.#queue(Buffer.concat([line, Buffer.of(LINE_BREAK)]));
  }

  /** Adds text as it is. A promise: wait for it before the next text. */
  addText(text: string): Promise<void> | undefined {
    if (text.length * UTF8_BYTES > CHUNK_BYTES - this.#filled) return this.#addAfterWrite(text);
    this.#fill(text);
    return undefined;
  }

  #fill(text: string): void {
    const bytes = this.#chunk.write(text, this.#filled);
    this.#filled += bytes;
    this.#content += bytes;
  }

  async #addAfterWrite(text: string): Promise<void> {
    if (this.#filled > 0) await this.#startWrite();
    if (text.length * UTF8_BYTES <= CHUNK_BYTES) {
      this.#fill(text);
      return;
    }
    const bytes = Buffer.from(text, 'utf8');
    this.#content += bytes.length;
    await this.#queue(bytes);
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
    if (this.#filled > 0 || (this.#compress && this.#content === 0)) await this.#startWrite();
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
