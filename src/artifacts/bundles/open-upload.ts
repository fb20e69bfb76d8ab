import { indexSourceMap, type IndexResult } from '../maps/index-source-map.ts';
import { sizeProblem } from '../maps/map-size.ts';
import { BUNDLE_BOUNDS, RefusedBundle } from './bounds.ts';
import { BundleZip } from './bundle-zip.ts';
import { readManifest, type ManifestFile } from './manifest.ts';
import type { OpenedMap, OpenedUpload, UploadToOpen } from './opened-upload.ts';
import { openMapping, openMappings } from './open-mappings.ts';
import { IndexWriter, TOO_LARGE } from './index-writer.ts';
import { mapsByUrl, pairFiles, referenceIn, resolved, type Pair } from './pair-files.ts';
import { shownName } from './shown-name.ts';

const MANIFEST = 'manifest.json';

/**
 * Opens an upload and writes the compact forms of its maps. `begin` is called before each map is read. Throws
 * RefusedBundle. Needs a multiple of its largest map in memory: call it in a worker.
 */
export function openUpload(upload: UploadToOpen, begin: (place: number) => void): Promise<OpenedUpload> {
  if (upload.form === 'mapping') return openMapping(upload, begin);
  return upload.form === 'mappings' ? openMappings(upload, begin) : openBundle(upload, begin);
}

async function openBundle(upload: UploadToOpen, begin: (place: number) => void): Promise<OpenedUpload> {
  const zip = await BundleZip.open(upload.path);
  try {
    return await new BundleOpening(zip, upload, begin).open();
  } finally {
    zip.close();
  }
}

class BundleOpening {
  readonly #zip: BundleZip;
  readonly #upload: UploadToOpen;
  readonly #begin: (place: number) => void;
  readonly #indexes: IndexWriter;

  constructor(zip: BundleZip, upload: UploadToOpen, begin: (place: number) => void) {
    this.#zip = zip;
    this.#upload = upload;
    this.#begin = begin;
    this.#indexes = new IndexWriter(upload);
  }

  async open(): Promise<OpenedUpload> {
    if (this.#zip.sizeOf(MANIFEST) === null) {
      throw new RefusedBundle('The bundle has no manifest.json: upload with sentry-cli, sentry or a bundler plugin.');
    }
    const { release, dist, files } = readManifest(await this.#zip.read(MANIFEST, BUNDLE_BOUNDS.manifestBytes));
    const missing = files.find(({ path }) => this.#zip.sizeOf(path) === null);
    if (missing !== undefined) {
      throw new RefusedBundle(`The manifest names "${shownName(missing.path)}", which is not in the bundle.`);
    }
    const byUrl = mapsByUrl(files);
    const maps: OpenedMap[] = [];
    for (const [place, pair] of pairFiles(files).entries()) {
      this.#begin(place);
      maps.push(await this.#mapOf(place, pair, byUrl));
    }
    return { kind: 'sourcemaps', release, dist, files: files.length, maps };
  }

  async #mapOf(place: number, pair: Pair, byUrl: ReadonlyMap<string, ManifestFile>): Promise<OpenedMap> {
    const { minified } = pair;
    const known = {
      place,
      kind: 'source_map' as const,
      debugId: minified?.debugId ?? pair.map?.debugId ?? null,
      url: minified?.url ?? null,
    };
    return this.#indexes.write(known, await this.#indexed(place, pair, byUrl));
  }

  async #indexed(place: number, pair: Pair, byUrl: ReadonlyMap<string, ManifestFile>): Promise<IndexResult> {
    if (this.#upload.tooLarge.includes(place)) {
      return { problem: TOO_LARGE };
    }
    const minified = pair.minified === null ? null : await this.#minified(pair.minified);
    const map = pair.map ?? this.#namedIn(pair.minified, minified, byUrl);
    if (map === null) {
      const reference = pair.minified?.sourceMap ?? (minified === null ? null : referenceIn(minified));
      const coded = /^data:application\/json[^,]*?(;base64)?,/.exec(reference ?? '');
      if (coded === null || reference === null) return { problem: 'its source map is not in the upload' };
      const inline = decoded(reference.slice(coded[0].length), coded[1] !== undefined);
      return inline === null
        ? { problem: 'the source map in its last line is no valid data address' }
        : indexSourceMap(inline, minified);
    }
    const bytes = this.#zip.sizeOf(map.path) ?? 0;
    const problem = sizeProblem('source_map', bytes);
    return problem === null ? indexSourceMap(await this.#zip.read(map.path, bytes), minified) : { problem };
  }

  /** Reads a minified file. Null for an empty one, as of Hermes, and for one that is too large for function names. */
  async #minified({ path }: ManifestFile): Promise<Buffer | null> {
    const bytes = this.#zip.sizeOf(path) ?? 0;
    return bytes === 0 || bytes > BUNDLE_BOUNDS.minifiedBytes ? null : this.#zip.read(path, bytes);
  }

  /** Finds the map that the last line of a file names. */
  #namedIn(
    file: ManifestFile | null,
    content: Buffer | null,
    byUrl: ReadonlyMap<string, ManifestFile>,
  ): ManifestFile | null {
    if (file === null || file.url === null || content === null) return null;
    const reference = referenceIn(content);
    const url = reference === null || reference.startsWith('data:') ? null : resolved(reference, file.url);
    return url === null ? null : (byUrl.get(url) ?? null);
  }
}

/** Decodes the content of a `data:` address; null when it is not valid. */
function decoded(content: string, inBase64: boolean): Buffer | null {
  if (inBase64) return Buffer.from(content, 'base64');
  try {
    return Buffer.from(decodeURIComponent(content));
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}
