import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

/** File of the built pages, in memory. */
export interface UiFile {
  readonly body: Buffer;
  /** Content compressed at build; both are null when that saves nothing. */
  readonly br: Buffer | null;
  readonly gzip: Buffer | null;
  readonly etag: string;
  /** True when the name contains a hash of the content, so that it never changes. */
  readonly hashed: boolean;
}

export interface UiFiles {
  /** Only HTML page; the browser selects its content. */
  readonly index: string;
  /** Files by path, such as `/assets/main-1a2b3c4d.js`. */
  readonly files: ReadonlyMap<string, UiFile>;
}

/** Returns the folder of the built pages, `dist/ui`, for a run from the sources or from `dist/`. It need not exist. */
export function builtUiDir(): string {
  const built = new URL('../../../ui', import.meta.url);
  const fromSources = new URL('../../../dist/ui', import.meta.url);
  return fileURLToPath(built.pathname.endsWith('/dist/ui') ? built : fromSources);
}

function readOrNull(path: string): Buffer | null {
  return existsSync(path) ? readFileSync(path) : null;
}

/**
 * Reads the built pages once; null without a build. Requests never access the file system, so no path leads out of the
 * folder. A new build beside the running service has no effect.
 */
export function readUiFiles(dir: string): UiFiles | null {
  const index = readOrNull(join(dir, 'index.html'));
  if (index === null) return null;
  const files = new Map<string, UiFile>();
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.endsWith('.br') || entry.name === 'index.html') continue;
    const found = join(entry.parentPath, entry.name);
    const file = found.replace(/\.gz$/, '');
    const content = readFileSync(found);
    const gzip = file === found ? null : content;
    const body = gzip === null ? content : gunzipSync(gzip);
    const path = `/${relative(dir, file).split(sep).join('/')}`;
    files.set(path, {
      body,
      br: readOrNull(`${file}.br`),
      gzip,
      etag: `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`,
      hashed: path.startsWith('/assets/'),
    });
  }
  return { index: index.toString('utf8'), files };
}
