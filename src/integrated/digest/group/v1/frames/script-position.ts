import type { Frame } from '../../../../../domain/events/event.ts';
import { part, TAGS } from '../component.ts';
import type { Variant } from './stacktrace.ts';

/** Columns below this, in characters, occur in hand-written files. */
const MINIFIED_FROM = 500;

/**
 * Returns the place of the innermost call in a bundle: its column, in steps of half a doubling. Empty for a column
 * below `MINIFIED_FROM`. Used only for unnamed calls, where distant places are two errors. A new build shifts
 * everything a little, and seldom across such a step.
 */
export function columnOf(frames: readonly Frame[] | null, variant: Variant): string {
  const innermost = frames?.findLast((frame) => variant === 'system' || frame.in_app);
  const column = innermost?.colno ?? 0;
  if (column < MINIFIED_FROM) return '';
  const doublings = 31 - Math.clz32(column);
  const half = column >= Math.SQRT2 * 2 ** doublings ? 1 : 0;
  return part(TAGS.column, String(doublings * 2 + half));
}
