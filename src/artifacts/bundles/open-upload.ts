import { indexSourceMap, type IndexResult } from '../maps/index-source-map.ts';
import { BUNDLE_BOUNDS, RefusedBundle } from './bounds.ts';
import { BundleZip } from './bundle-zip.ts';
import { readManifest, type ManifestFile } from './manifest.ts';
import type { OpenedMap, OpenedUpload, UploadToOpen } from './opened-upload.ts';
import { openMapping, openMappings } from './open-mappings.ts';
import { pairFiles, referenceIn, resolved, type Pair } from './pair-files.ts';
import { TOO_LARGE, writeIndex } from './write-index.ts';

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

  constructor(zip: BundleZip, upload: UploadToOpen, begin: (place: number) => void) {
    this.#zip = zip;
    this.#upload = upload;
    this.#begin = begin;
  }

  async open(): Promise<OpenedUpload> {
    if (this.#zip.sizeOf(MANIFEST) === null) {
      throw new RefusedBundle('The bundle has no manifest.json: upload with sentry-cli, sentry or a bundler plugin.');
    }
    const { release, dist, files } = readManifest(await this.#zip.read(MANIFEST, BUNDLE_BOUNDS.manifestBytes));
    const missing = files.find(({ path }) => this.#zip.sizeOf(path) === null);
    if (missing !== undefined) {
      throw new RefusedBundle(`The manifest names "${missing.path.slice(0, 200)}", which is not in the bundle.`);
    }
    const byUrl = new Map(
      files.flatMap((file) =>
        file.type === 'source_map' && file.url !== null ? [[resolved(file.url, file.url), file]] : [],
      ) as [string, ManifestFile][],
    );
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
    return writeIndex(this.#upload.outDir, known, await this.#indexed(place, pair, byUrl));
  }

  async #indexed(place: number, pair: Pair, byUrl: ReadonlyMap<string, ManifestFile>): Promise<IndexResult> {
    if (this.#upload.tooLarge.includes(place)) {
      return { problem: TOO_LARGE };
    }
    const minified = pair.minified === null ? null : await this.#minified(pair.minified);
    const map = pair.map ?? this.#namedIn(pair.minified, minified, byUrl);
    if (map === null) {
      const inline = inlineMap(pair.minified?.sourceMap ?? (minified === null ? null : referenceIn(minified)));
      if (inline !== null) return indexSourceMap(inline, minified);
      return { problem: 'its source map is not in the upload' };
    }
    const bytes = this.#zip.sizeOf(map.path) ?? 0;
    if (bytes > BUNDLE_BOUNDS.mapBytes) {
      return { problem: `the map has ${bytes} bytes, at most ${BUNDLE_BOUNDS.mapBytes} are read` };
    }
    return indexSourceMap(await this.#zip.read(map.path, BUNDLE_BOUNDS.mapBytes), minified);
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

/** Decodes a map that stands in a `data:` address; null for another reference. */
function inlineMap(reference: string | null): Buffer | null {
  const match = /^data:application\/json[^,]*?(;base64)?,/.exec(reference ?? '');
  if (match === null || reference === null) return null;
  const text = reference.slice(match[0].length);
  return match[1] === undefined ? Buffer.from(decodeURIComponent(text)) : Buffer.from(text, 'base64');
}
