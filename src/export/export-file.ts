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

/** File of lines that is being written, with memory for one part of it. */
export class ExportFile {
  readonly #handle: FileHandle;
  readonly #compress: boolean;
  readonly #hash: Hash = createHash('sha256');
  #lines: string[] = [];
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
    this.#lines.push(line, '\n');
    this.#characters += line.length + 1;
    this.#count += 1;
    this.#waiting += line.length + 1;
    return this.#waiting < CHUNK_CHARACTERS ? undefined : this.#write();
  }

  #waiting = 0;

  async #write(): Promise<void> {
    const text = Buffer.from(this.#lines.join(''), 'utf8');
    this.#lines = [];
    this.#waiting = 0;
    const bytes = this.#compress ? await deflate(text) : text;
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    await this.#handle.writeFile(bytes);
  }

  /** Writes the rest and makes the file durable. */
  async finish(): Promise<WrittenFile> {
    if (this.#lines.length > 0) await this.#write();
    await this.#handle.sync();
    await this.#handle.close();
    return { bytes: this.#bytes, lines: this.#count, sha256: this.#hash.digest('hex') };
  }

  /** Closes an unfinished file. */
  async abandon(): Promise<void> {
    await this.#handle.close();
  }
}
