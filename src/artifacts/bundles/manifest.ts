import { readDebugId } from '../../domain/artifacts/artifact.ts';
import { isRecord } from '../../lib/own-property.ts';
import { RefusedBundle } from './bounds.ts';

/** File of a bundle, as its manifest names it. */
export interface ManifestFile {
  /** Name of its entry. */
  readonly path: string;
  readonly type: string;
  /** `~/assets/app.js`, or with a host; null: none. */
  readonly url: string | null;
  readonly debugId: string | null;
  /** Reference to its source map, relative to `url`; null: none. */
  readonly sourceMap: string | null;
}

export interface Manifest {
  /** Null: none, or the text `undefined`, which plugins send without a release. */
  readonly release: string | null;
  readonly dist: string | null;
  readonly files: readonly ManifestFile[];
}

/** Reads `manifest.json`. Throws RefusedBundle. */
export function readManifest(content: Uint8Array): Manifest {
  const manifest = parse(content);
  const { files } = manifest;
  if (!isRecord(files)) throw new RefusedBundle('The manifest.json of the bundle has no list of files.');
  return {
    release: nameOf(manifest['release']),
    dist: nameOf(manifest['dist']),
    files: Object.entries(files).flatMap(([path, file]) => (isRecord(file) ? [fileOf(path, file)] : [])),
  };
}

/** Returns the name of a release or dist; null for none, and for the text `undefined`. */
export function nameOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value !== 'undefined' ? value : null;
}

function parse(content: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(
      Buffer.from(content.buffer, content.byteOffset, content.length).toString('utf8'),
    );
    if (isRecord(parsed)) return parsed;
  } catch {
    // Refused below.
  }
  throw new RefusedBundle('The manifest.json of the bundle is not valid JSON.');
}

function fileOf(path: string, file: Readonly<Record<string, unknown>>): ManifestFile {
  const given = isRecord(file['headers']) ? Object.entries(file['headers']) : [];
  const headers = new Map(given.map(([name, value]) => [name.toLowerCase(), value]));
  const header = (name: string) => nameOf(headers.get(name));
  const debugId = header('debug-id');
  return {
    path,
    type: typeof file['type'] === 'string' ? file['type'] : '',
    url: nameOf(file['url']),
    debugId: debugId === null ? null : readDebugId(debugId),
    sourceMap: header('sourcemap') ?? header('x-sourcemap'),
  };
}
