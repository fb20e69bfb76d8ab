import type { Frame } from '../../../../domain/event.ts';
import { part, TAGS } from './component.ts';
import type { Variant } from './stacktrace.ts';

/** Columns below this, in characters, are found in files that people wrote. */
const MINIFIED_FROM = 500;

/**
 * Where in a bundle the innermost call stands, by half doublings of the column; empty where the column is
 * not that of a bundle. Only for calls that have no name: clearly different places are two errors, while a
 * new build, which moves everything a little, seldom crosses such a border.
 */
export function columnOf(frames: readonly Frame[] | null, variant: Variant): string {
  const innermost = frames?.findLast((frame) => variant === 'system' || frame.in_app);
  const column = innermost?.colno ?? 0;
  if (column < MINIFIED_FROM) return '';
  const doublings = 31 - Math.clz32(column);
  const half = column >= Math.SQRT2 * 2 ** doublings ? 1 : 0;
  return part(TAGS.column, String(doublings * 2 + half));
}
