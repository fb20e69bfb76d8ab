import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { BUNDLE_BOUNDS, RefusedBundle } from './bounds.ts';
import { shownName } from './shown-name.ts';

/**
 * Entries of a zip by name. It is read from its end, so a header before the first entry does no harm. Names are never
 * used as paths of this machine.
 */
export class BundleZip {
  readonly #zip: ZipFile;
  readonly #entries = new Map<string, Entry>();

  private constructor(zip: ZipFile) {
    this.#zip = zip;
  }

  /** Reads the list of entries. Throws RefusedBundle for no zip, unsafe names, and above BUNDLE_BOUNDS. */
  static async open(path: string): Promise<BundleZip> {
    const zip = await refused(() => openPromise(path, { autoClose: false, lazyEntries: true, strictFileNames: true }));
    const opened = new BundleZip(zip);
    try {
      await refused(() => opened.#readEntries());
      return opened;
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  get names(): string[] {
    return [...this.#entries.keys()];
  }

  /** Unpacked bytes of an entry; null when there is none. */
  sizeOf(name: string): number | null {
    return this.#entries.get(name)?.uncompressedSize ?? null;
  }

  /** Unpacks an entry. Throws RefusedBundle for a missing, damaged or larger one. */
  async read(name: string, maxBytes: number): Promise<Buffer> {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new RefusedBundle(`The bundle has no file "${shownName(name)}".`);
    if (entry.uncompressedSize > maxBytes) {
      throw new RefusedBundle(
        `"${shownName(name)}" has ${entry.uncompressedSize} bytes, at most ${maxBytes} are read.`,
      );
    }
    return refused(async () => {
      const parts: Buffer[] = [];
      // The library ends a stream that has another length than the entry says.
      for await (const part of await this.#zip.openReadStreamPromise(entry)) parts.push(part as Buffer);
      return Buffer.concat(parts);
    });
  }

  close(): void {
    this.#zip.close();
  }

  async #readEntries(): Promise<void> {
    if (this.#zip.entryCount > BUNDLE_BOUNDS.entries) {
      throw new RefusedBundle(
        `The bundle has ${this.#zip.entryCount} files, at most ${BUNDLE_BOUNDS.entries} are read.`,
      );
    }
    const limit = Math.min(BUNDLE_BOUNDS.unpackedBytes, BUNDLE_BOUNDS.ratio * this.#zip.fileSize);
    let unpacked = 0;
    for await (const entry of entriesOf(this.#zip)) {
      unpacked += entry.uncompressedSize;
      if (unpacked > limit) {
        throw new RefusedBundle(`The bundle would unpack to more than ${limit} bytes, which is not accepted.`);
      }
      if (!entry.fileName.endsWith('/') && !this.#entries.has(entry.fileName)) this.#entries.set(entry.fileName, entry);
    }
  }
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  for await (const entry of zip.eachEntry()) yield entry;
}

/** Passes RefusedBundle on; all other errors say that the zip is damaged. */
async function refused<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RefusedBundle) throw error;
    const reason = error instanceof Error ? shownName(error.message) : 'unknown';
    throw new RefusedBundle(`The upload cannot be read as a zip file (${reason}): build and upload it again.`, {
      cause: error,
    });
  }
}
