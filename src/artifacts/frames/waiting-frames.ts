import type { Frame } from '../../domain/events/event.ts';
import type { MappableEvent } from '../../domain/ports/frame-mapper.ts';
import { debugIdOf } from './frame-keys.ts';

/** Files that builds make of scripts. Pages with scripts in them are none. */
const SCRIPT_FILE = /\.(?:[cm]?js|jsbundle|bundle)(?:[?#]|$)/;

interface Candidate {
  readonly frame: Frame;
  readonly isOwn: boolean;
  /** Script that has a map only if it is of the build; null: there is a map. */
  readonly script: string | null;
}

/** Frames of an event that have no original place for a reason that may pass. */
export class WaitingFrames {
  #ofStack: Candidate[] = [];
  readonly #found: Candidate[] = [];

  /** Notes a frame that has a map, or may get one. `isOwn`: it is, or may be, of the application. */
  add(frame: Frame, isOwn: boolean): void {
    this.#ofStack.push({ frame, isOwn, script: null });
  }

  /** Notes a frame of a script of which no map is known. */
  addScript(frame: Frame, script: string): void {
    this.#ofStack.push({ frame, isOwn: frame.in_app, script });
  }

  /** Ends a stack. Where it has frames of the application, the others do not count. */
  endStack(stack: readonly Frame[]): void {
    const hasOwn = stack.some(({ in_app: isOwn }) => isOwn);
    this.#found.push(...this.#ofStack.filter(({ isOwn }) => isOwn || !hasOwn));
    this.#ofStack = [];
  }

  /** Returns the frames. `mapped`: the scripts of the event that have a map. */
  of(event: MappableEvent, mapped: Iterable<string>): ReadonlySet<Frame> {
    const folders = new Set(Array.from(mapped, folderOf));
    const waits = ({ script }: Candidate): boolean => script === null || isOfBuild(script, event, folders);
    return new Set(this.#found.filter(waits).map(({ frame }) => frame));
  }
}

/**
 * Whether a script is of a build that uploads maps. Where the build writes debug ids, it has one. Where it writes none,
 * it is beside a script that has a map. Others, such as those of a page itself, are of no build.
 */
function isOfBuild(script: string, event: MappableEvent, folders: ReadonlySet<string>): boolean {
  if (debugIdOf(script, event) !== null) return true;
  const { release, debug_images: images = [] } = event;
  if (release === null || images.some(({ type }) => type === 'sourcemap')) return false;
  return SCRIPT_FILE.test(script) && folders.has(folderOf(script));
}

/** Returns a path without its last name and its query. */
function folderOf(path: string): string {
  const plain = path.replace(/[?#].*$/, '');
  return plain.slice(0, plain.lastIndexOf('/') + 1);
}
