import type { Frame } from '../../../../../domain/events/event.ts';
import { frameComponent } from './frame.ts';
import { hasMiddleware, isMiddleware } from './middleware.ts';
import { platformFamily } from '../platform-family.ts';

/** `app`: only frames of the application count; `system`: all do. */
export type Variant = 'app' | 'system';

/** Returns the component of a stack trace: its contributing frames in order. Empty when none contributes. */
export function stacktraceComponent(frames: readonly Frame[] | null, platform: string, variant: Variant): string {
  if (frames === null) return '';
  const components: string[] = [];
  let previous: Frame | null = null;
  const lines = frames.length > SHORT ? sourceLines(frames) : null;
  const family = platformFamily(platform);
  const last = variant === 'app' && hasMiddleware(family) ? lastOwn(frames) : -1;
  let index = -1;
  for (const stored of frames) {
    index += 1;
    if (variant === 'app' && !stored.in_app) continue;
    const frame = lines === null || stored.context_line !== null ? stored : withLine(stored, lines);
    if (index < last && isMiddleware(frame, frames[index + 1], family)) continue;
    // The same call: `dropRepeat` would drop it too, only slower, and deep recursion is long.
    if (previous !== null && isSameCall(previous, frame)) continue;
    previous = frame;
    const component = frameComponent(frame, platform);
    if (component === '') continue;
    components.push(component);
    dropRepeat(components);
  }
  return components.join('');
}

function lastOwn(frames: readonly Frame[]): number {
  let at = frames.length - 1;
  while (at >= 0 && !frames[at]?.in_app) at -= 1;
  return at;
}

/** Maximum frames of a stack stored with all source lines; the middle of a longer one has none. */
const SHORT = 50;

/** Returns source lines by their place, to restore them for the same calls stored without. */
function sourceLines(frames: readonly Frame[]): ReadonlyMap<string, string> {
  const lines = new Map<string, string>();
  for (const frame of frames) {
    if (frame.context_line !== null && frame.lineno !== null) lines.set(placeOf(frame), frame.context_line);
  }
  return lines;
}

function withLine(frame: Frame, lines: ReadonlyMap<string, string>): Frame {
  const line = lines.get(placeOf(frame));
  return line === undefined ? frame : { ...frame, context_line: line };
}

function placeOf(frame: Frame): string {
  return `${frame.lineno}:${frame.abs_path}`;
}

function isSameCall(a: Frame, b: Frame): boolean {
  return (
    a.lineno === b.lineno &&
    a.function === b.function &&
    a.colno === b.colno &&
    a.module === b.module &&
    a.filename === b.filename &&
    a.abs_path === b.abs_path &&
    a.context_line === b.context_line &&
    a.platform === b.platform
  );
}

/** Maximum frames of a cycle of calls that is found. */
const MAX_CYCLE = 4;

/**
 * Removes the last cycle when it equals the one before. The depth of recursion, direct or in cycles such as a, b, a, b,
 * does not identify the error.
 */
function dropRepeat(components: string[]): void {
  const { length } = components;
  const last = components[length - 1];
  for (let cycle = 1; cycle <= MAX_CYCLE && cycle * 2 <= length; cycle += 1) {
    if (components[length - 1 - cycle] !== last) continue;
    let same = 1;
    while (same < cycle && components[length - 1 - same] === components[length - 1 - same - cycle]) same += 1;
    if (same === cycle) {
      components.length = length - cycle;
      return;
    }
  }
}
