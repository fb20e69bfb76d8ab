import { createHash, type Hash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const deflate = promisify(gzip);

/** Characters of lines that are written together; compressed, they are one member of the file. */
const CHUNK_CHARACTERS = 1024 * 1024;

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
  #texts: string[] = [];
  #waiting = 0;
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
    this.#texts.push(text);
    this.#characters += text.length;
    this.#waiting += text.length;
    return this.#waiting < CHUNK_CHARACTERS ? undefined : this.#startWrite();
  }

  /** Writes the texts while further ones are added; waits for the write before, so that two parts are in memory. */
  async #startWrite(): Promise<void> {
    const text = Buffer.from(this.#texts.join(''), 'utf8');
    this.#texts = [];
    this.#waiting = 0;
    const before = this.#writing;
    this.#writing = before.then(() => this.#write(text));
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
    if (this.#texts.length > 0 || (this.#compress && this.#characters === 0)) await this.#startWrite();
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
