import { readDebugId } from '../../domain/artifacts/artifact.ts';
import { MAX_DIST_LENGTH, MAX_RELEASE_LENGTH } from '../../domain/artifacts/build.ts';
import { cleanText } from '../../lib/text/clean-text.ts';
import { isRecord } from '../../lib/own-property.ts';
import { RefusedBundle } from './bounds.ts';
import { shownName } from './shown-name.ts';

/** Maximum characters of the address of a file. */
const MAX_URL_LENGTH = 2000;

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

/** Reads `manifest.json`. Throws RefusedBundle, also for long names: the row of each map repeats them. */
export function readManifest(content: Uint8Array): Manifest {
  const manifest = parse(content);
  const { files } = manifest;
  if (!isRecord(files)) throw new RefusedBundle('The manifest.json of the bundle has no list of files.');
  return {
    release: bounded('The release', nameOf(manifest['release']), MAX_RELEASE_LENGTH),
    dist: bounded('The dist', nameOf(manifest['dist']), MAX_DIST_LENGTH),
    files: Object.entries(files).flatMap(([path, file]) => (isRecord(file) ? [fileOf(path, file)] : [])),
  };
}

/** Returns the name of a release or dist as clean text; null for none, and for the text `undefined`. */
export function nameOf(value: unknown): string | null {
  const name = typeof value === 'string' ? cleanText(value) : '';
  return name === '' || name === 'undefined' ? null : name;
}

/** Returns a name. `subject` begins the message about one that is too long. */
function bounded(subject: string, name: string | null, max: number): string | null {
  if (name === null || name.length <= max) return name;
  throw new RefusedBundle(
    `${subject} in the manifest.json has ${name.length} characters, at most ${max} are accepted: use a shorter one.`,
  );
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
    url: bounded(`The url of "${shownName(path)}"`, nameOf(file['url']), MAX_URL_LENGTH),
    debugId: debugId === null ? null : readDebugId(debugId),
    sourceMap: header('sourcemap') ?? header('x-sourcemap'),
  };
}
