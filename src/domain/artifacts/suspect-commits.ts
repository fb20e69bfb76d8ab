import type { Frame } from '../events/event.ts';
import type { ReleaseCommit } from './build.ts';

/** Commit of a release that changed files in which an event happened. */
export interface SuspectCommit extends ReleaseCommit {
  /** Those of its changed files that frames are in, at most MAX_FILES_SHOWN. */
  readonly files: readonly string[];
}

export const MAX_SUSPECTS = 5;
export const MAX_FILES_SHOWN = 10;
/** Maximum frames of the application whose files are compared: those next to where it happened. */
const MAX_FRAMES = 50;

type Place = Pick<Frame, 'in_app' | 'filename' | 'abs_path' | 'module'>;

/** Scheme and host, or drive, before the path of a frame. */
const BEFORE_PATH = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/]*|[a-z]:)/i;

/** Returns a path with slashes between whole parts, and one before the first. */
function plainPath(text: string): string {
  const path = text
    .replaceAll('\\', '/')
    .replace(BEFORE_PATH, '')
    .replace(/[?#].*$/s, '');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.map((part) => `/${part}`).join('');
}

/** Returns the paths by which a frame may name its file. Classes of the JVM have their folder in the module. */
function pathsOf({ filename, abs_path: whole, module }: Place): string[] {
  const isClass = filename !== null && module !== null && /^[\w$]+(?:\.[\w$]+)+$/.test(module);
  const ofModule = isClass ? `${module.split('.').slice(0, -1).join('/')}/${filename}` : null;
  return [filename, whole, ofModule].filter((path) => path !== null).map(plainPath);
}

/** Returns the last two parts of a path; those of one file are the same. Of a path with one part, this one. */
function endOf(path: string): string {
  const name = path.lastIndexOf('/');
  return path.slice(name <= 0 ? 0 : path.lastIndexOf('/', name - 1));
}

/** True where one path ends with all parts of the other, of which there are at least two, or both are the same. */
function isSameFile(path: string, other: string): boolean {
  if (path === other) return true;
  const [short, long] = path.length < other.length ? [path, other] : [other, path];
  return short.lastIndexOf('/') > 0 && long.endsWith(short);
}

/** Returns the paths of the files of frames, each with the number of frames within it that are of the application. */
function depthsOf(frames: readonly Place[]): Map<string, number> {
  const own = frames.filter(({ in_app: isOwn }) => isOwn).slice(-MAX_FRAMES);
  const depths = new Map<string, number>();
  for (const [index, frame] of own.entries()) {
    for (const path of pathsOf(frame)) if (path !== '') depths.set(path, own.length - 1 - index);
  }
  return depths;
}

/**
 * Returns the commits of a release that changed a file of the frames, those of the frame next to where it happened
 * first, then in the given order. Paths are compared from their end: of a repository and of a program only these agree.
 * `frames`: outermost first.
 */
export function suspectCommits(frames: readonly Place[], commits: readonly ReleaseCommit[]): SuspectCommit[] {
  const byEnd = new Map<string, (readonly [path: string, depth: number])[]>();
  for (const place of depthsOf(frames)) {
    const end = endOf(place[0]);
    byEnd.set(end, [...(byEnd.get(end) ?? []), place]);
  }
  const depthOf = (file: string): number => {
    // Tools send paths of Git: with slashes, from the root of the repository.
    const path = file.startsWith('/') ? file : `/${file}`;
    const fitting = byEnd.get(endOf(path))?.filter(([ofFrame]) => isSameFile(ofFrame, path)) ?? [];
    return Math.min(...fitting.map(([, depth]) => depth));
  };
  const found: { readonly commit: SuspectCommit; readonly depth: number }[] = [];
  for (const commit of commits) {
    const changed = commit.files
      .map((file) => ({ file, depth: depthOf(file) }))
      .filter(({ depth }) => depth < Infinity)
      .sort((a, b) => a.depth - b.depth);
    const [first] = changed;
    if (first === undefined) continue;
    const files = changed.slice(0, MAX_FILES_SHOWN).map(({ file }) => file);
    found.push({ commit: { ...commit, files }, depth: first.depth });
  }
  return found
    .sort((a, b) => a.depth - b.depth)
    .slice(0, MAX_SUSPECTS)
    .map(({ commit }) => commit);
}
