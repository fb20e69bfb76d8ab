import type { EventException, Frame } from '../../../../../domain/events/event.ts';
import { frameComponent } from './frame.ts';
import type { Variant } from './stacktrace.ts';

const TYPES = /StackOverflow|SystemStackError|RecursionError|InsufficientExecutionStack/;
const VALUES =
  /maximum call stack|too much recursion|stack level too deep|maximum recursion depth|nesting level|stack overflow/i;

/** Types that engines use for many faults, so that the value must tell. Other types name the fault themselves. */
const VAGUE_TYPE = /^(?:Range|Internal|Fatal)?Error$|^(?:SIG|EXC|Error)/;
/** Maximum characters of a value that is tested; texts of engines are short. */
const MAX_VALUE = 400;

/** Common type name of all such exceptions: engines differ. */
export const OVERFLOW_TYPE = 'StackOverflow';

/** Minimum occurrences of a call that is part of the recursion. */
const REPEATS = 3;

/** Returns true for an exception that reports an exhausted stack. */
export function isOverflow({ type, value }: EventException): boolean {
  if (type !== null && TYPES.test(type)) return true;
  return value !== null && value.length <= MAX_VALUE && (type === null || VAGUE_TYPE.test(type)) && VALUES.test(value);
}

/**
 * Returns the component of an exhausted stack: the repeated calls, in no order. At which call the memory ended is
 * random, and engines with a frame limit omit the first caller. Source lines do not count, because the middle of long
 * stacks is stored without them. Empty when nothing repeats.
 */
export function recursionComponent(frames: readonly Frame[] | null, platform: string, variant: Variant): string {
  if (frames === null) return '';
  const counts = new Map<string, number>();
  for (const frame of frames) {
    if (variant === 'app' && !frame.in_app) continue;
    const component = frameComponent(frame, platform, false);
    if (component !== '') counts.set(component, (counts.get(component) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count >= REPEATS)
    .map(([component]) => component)
    .sort()
    .join('');
}
