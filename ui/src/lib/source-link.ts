import type { SourceRepository } from '../api/links-api.ts';
import type { Frame } from './event-view.ts';

/** Maximum characters of a path that leads to a source. */
const MAX_PATH = 1000;

type Place = Pick<Frame, 'in_app' | 'filename' | 'abs_path' | 'module' | 'lineno'>;

/** Schemes and hosts that SDKs and bundlers put before a path. */
const BEFORE_PATH = /^(?:file:\/\/|app:\/\/\/?|webpack(?:-internal)?:\/\/(?:[^/]*\/)?|https?:\/\/[^/]*|async )/i;
/** A drive, a share, or the root. */
const ABSOLUTE = /^(?:[a-z]:)?\//i;
/** What stands for code without a file: `<anonymous>`, `[native code]`, `node:fs`. */
const NO_FILE = /^[<[]|^[a-z][a-z0-9+.-]+:/i;

/** Returns a path with slashes, without a scheme, a host and what follows `?`; null where it is no path. */
function plainPath(text: string | null): string | null {
  if (text === null || text === '' || text.length > MAX_PATH || /[\p{Cc}\p{Cs}]/u.test(text)) return null;
  const isAddress = /^[a-z][a-z-]*:\/\//i.test(text);
  const path = text.replaceAll('\\', '/').replace(BEFORE_PATH, '');
  const bare = isAddress ? path.replace(/[?#].*$/s, '') : path;
  // On Windows a file address has a slash before the drive.
  const shown = bare.replace(/^\/(?=[a-z]:\/)/i, '');
  return shown === '' || (NO_FILE.test(shown) && !/^[a-z]:\//i.test(shown)) ? null : shown;
}

/** Classes of the JVM have a file without a folder: the folder is in the module, `com.acme.shop.Cart`. */
function pathOfModule({ filename, module }: Place): string | null {
  if (filename === null || module === null || /[/\\]/.test(filename) || !/^[\w$]+(\.[\w$]+)+$/.test(module))
    return null;
  if (!/\.(java|kt|scala|groovy|clj)$/.test(filename)) return null;
  return plainPath(`${module.split('.').slice(0, -1).join('/')}/${filename}`);
}

/** Replaces a prefix at the bounds of a path's parts; null: it does not fit. */
function replaced(path: string, { from, to }: SourceRepository['prefixes'][number]): string | null {
  const start = from.replaceAll('\\', '/');
  if (!path.startsWith(start)) return null;
  const rest = path.slice(start.length);
  if (start !== '' && !start.endsWith('/') && !rest.startsWith('/')) return null;
  // Both are whole parts, with or without a slash at their end.
  return `${to.replaceAll('\\', '/')}/${rest}`;
}

/** Returns the parts of a path in the repository; null: it leads out of it, or to nothing. */
function partsOf(path: string): string[] | null {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.length === 0 ? null : parts;
}

function pathInRepository(frame: Place, prefixes: SourceRepository['prefixes']): string[] | null {
  const paths = [pathOfModule(frame), plainPath(frame.abs_path), plainPath(frame.filename)].filter(
    (path) => path !== null,
  );
  for (const prefix of prefixes) {
    for (const path of paths) {
      const fitting = replaced(path, prefix);
      if (fitting !== null) return partsOf(fitting);
    }
  }
  const relative = paths.find((path) => !ABSOLUTE.test(path));
  return relative === undefined ? null : partsOf(relative);
}

function encoded(parts: readonly string[]): string {
  return parts.map(encodeURIComponent).join('/');
}

/**
 * Returns the ref of a release: `v1.2.3` for `shop@1.2.3` with the template `v{version}`, otherwise the commit of which it
 * was built.
 */
function refOf(
  release: string | null,
  commit: string | null,
  { default_ref: fallback, ref_template: template }: SourceRepository,
): string {
  const usable = release !== null && release !== '' && template !== '';
  const version = usable ? release.slice(release.lastIndexOf('@') + 1) : '';
  const filled = usable
    ? template.replaceAll(/\{(release|version)\}/g, (_, name) => (name === 'release' ? release : version))
    : '';
  // No ref of Git has these.
  return filled === '' || /[\p{Cc}\p{Cs}\s~^:?*[\\]|\.\.|\/\/|^\/|\/$/u.test(filled) ? (commit ?? fallback) : filled;
}

/**
 * Returns the address of a frame's line in the repository of its project; null: it is no frame of the application, or
 * the repository does not have its file. What the event names is encoded, so that it decides about the path, the line
 * and the ref only. `commit`: that of which the release was built; null: unknown.
 */
export function sourceLink(
  frame: Place,
  release: string | null,
  repository: SourceRepository,
  commit: string | null = null,
): string | null {
  if (!frame.in_app) return null;
  const parts = pathInRepository(frame, repository.prefixes);
  if (parts === null) return null;
  const values: Readonly<Record<string, string>> = {
    path: encoded(parts),
    line: String(Number.isSafeInteger(frame.lineno) && Number(frame.lineno) > 0 ? frame.lineno : 1),
    ref: encoded(refOf(release, commit, repository).split('/')),
  };
  const fill = (of: (name: string) => string) =>
    repository.url_template.replaceAll(/\{(\w+)\}/g, (_, name: string) => of(name));
  const address = fill((name) => values[name] ?? '');
  if (!URL.canParse(address)) return null;
  const { protocol, origin, username } = new URL(address);
  const isWeb = (protocol === 'https:' || protocol === 'http:') && username === '';
  return isWeb && origin === new URL(fill(() => 'x')).origin ? address : null;
}
