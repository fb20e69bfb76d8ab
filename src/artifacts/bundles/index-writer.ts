import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IndexResult } from '../maps/index-source-map.ts';
import { BUNDLE_BOUNDS, NoRoom } from './bounds.ts';
import type { OpenedMap, UploadToOpen } from './opened-upload.ts';

/** Says why a map that exceeded the memory or the time of a worker is left out. */
export const TOO_LARGE = 'the map needs more memory or time than is allowed: split the build into smaller files';
const BEYOND_ALL = `the maps before it in the upload take ${BUNDLE_BOUNDS.indexBytes} bytes, the most that one upload may`;

/** Writes the compact forms of an upload's maps into a folder. */
export class IndexWriter {
  readonly #dir: string;
  readonly #roomBytes: number;
  readonly #written = new Set<string>();
  #bytes = 0;

  constructor({ outDir, roomBytes }: Pick<UploadToOpen, 'outDir' | 'roomBytes'>) {
    this.#dir = outDir;
    this.#roomBytes = roomBytes;
  }

  /**
   * Writes the compact form of a map, and describes it. Beyond the bound of the upload the map has a problem. Throws
   * NoRoom when the disk has no room.
   */
  async write(known: Pick<OpenedMap, 'place' | 'kind' | 'debugId' | 'url'>, result: IndexResult): Promise<OpenedMap> {
    if ('problem' in result) return { ...known, problem: result.problem, bytes: 0, content: null };
    const { index } = result;
    const content = createHash('sha256').update(index).digest('hex');
    if (!this.#written.has(content)) {
      const bytes = this.#bytes + index.length;
      if (bytes > BUNDLE_BOUNDS.indexBytes) return { ...known, problem: BEYOND_ALL, bytes: 0, content: null };
      if (bytes > this.#roomBytes) throw new NoRoom(`the maps of the upload need more than ${this.#roomBytes} bytes`);
      await writeFile(join(this.#dir, content), index, { mode: 0o600 });
      this.#written.add(content);
      this.#bytes = bytes;
    }
    return { ...known, problem: null, bytes: index.length, content };
  }
}
