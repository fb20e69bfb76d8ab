import type { Frame } from '../../domain/events/event.ts';
import type { MappableEvent } from '../../domain/ports/frame-mapper.ts';

/** Platforms whose frames are mapped: scripts by their path, classes by the mapping that the event names. */
export const SCRIPTS: ReadonlySet<string> = new Set(['javascript', 'node', 'bun', 'deno']);
export const JVM: ReadonlySet<string> = new Set(['java', 'kotlin', 'scala', 'groovy']);
/** Places of engines, which no build makes. */
const ENGINE = /^(?:node:|internal\/|\[native code\]|native code|<anonymous>|eval code|index \d)/;
const WEB = /^https?:/;

/** Path of a script as its debug id names it; null for code of the engine. */
export function scriptPath({ abs_path: path, filename }: Frame): string | null {
  const place = path ?? filename;
  return place === null || ENGINE.test(place) ? null : place;
}

/** Files of servers are seldom of a build: only those of the application get a reason. */
export const isExplained = (path: string, frame: Frame): boolean => WEB.test(path) || frame.in_app;

/** Returns the debug id that the SDK sent for a script; null: none. */
export function debugIdOf(path: string, { debug_images: images = [] }: MappableEvent): string | null {
  const idOf = (wanted: string) =>
    images.find(({ type, code_file: file }) => type === 'sourcemap' && file === wanted)?.debug_id ?? null;
  return idOf(path) ?? idOf(path.replace(/[?#].*$/, ''));
}
