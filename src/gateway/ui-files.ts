import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file of the built pages, in memory. */
export interface UiFile {
  readonly body: Buffer;
  /** The same, made smaller at build; null where that gained nothing. */
  readonly br: Buffer | null;
  readonly gzip: Buffer | null;
  readonly etag: string;
  /** Its name holds a hash of its content: it never changes. */
  readonly hashed: boolean;
}

export interface UiFiles {
  /** The one page, which finds out in the browser what to show. */
  readonly index: string;
  /** By path: `/assets/main-1a2b3c4d.js`. */
  readonly files: ReadonlyMap<string, UiFile>;
}

const COMPRESSED = /\.(br|gz)$/;

/** Where the pages are built to, `dist/ui`, whether this runs from the sources or from `dist/`. It need not exist. */
export function builtUiDir(): string {
  const built = new URL('../../ui/', import.meta.url);
  const fromSources = new URL('../../dist/ui/', import.meta.url);
  return fileURLToPath(built.pathname.endsWith('/dist/ui/') ? built : fromSources);
}

function readOrNull(path: string): Buffer | null {
  return existsSync(path) ? readFileSync(path) : null;
}

/**
 * Reads the built pages once: a request never gets to the file system, so that no path can lead out of the folder
 * and a new build beside the running service breaks nothing. Null where there is no build.
 */
export function readUiFiles(dir: string): UiFiles | null {
  const index = readOrNull(join(dir, 'index.html'));
  if (index === null) return null;
  const files = new Map<string, UiFile>();
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(dir, file).split(sep).join('/')}`;
    if (!entry.isFile() || COMPRESSED.test(path) || path === '/index.html') continue;
    const body = readFileSync(file);
    files.set(path, {
      body,
      br: readOrNull(`${file}.br`),
      gzip: readOrNull(`${file}.gz`),
      etag: `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`,
      hashed: path.startsWith('/assets/'),
    });
  }
  return { index: index.toString('utf8'), files };
}
