import type { EventException, Frame } from '../../../../domain/event.ts';
import { frameComponent } from './frame.ts';
import type { Variant } from './stacktrace.ts';

const TYPES = /StackOverflow|SystemStackError|RecursionError|InsufficientExecutionStack/;
const VALUES =
  /maximum call stack|too much recursion|stack level too deep|maximum recursion depth|nesting level|stack overflow/i;

/** Types under which engines tell many faults; the others say by their name what happened. */
const VAGUE_TYPE = /^(?:Range|Internal|Fatal)?Error$|^(?:SIG|EXC|Error)/;
/** In characters; texts of engines are short. */
const MAX_VALUE = 400;

/** What every such exception is called here: engines differ. */
export const OVERFLOW_TYPE = 'StackOverflow';

/** How often a call is there at least, to be part of the recursion. */
const REPEATS = 3;

/** An exception that says the stack was used up. */
export function isOverflow({ type, value }: EventException): boolean {
  if (type !== null && TYPES.test(type)) return true;
  return value !== null && value.length <= MAX_VALUE && (type === null || VAGUE_TYPE.test(type)) && VALUES.test(value);
}

/**
 * The component of a stack that was used up: the calls that go round, in no order. Where the round was
 * when memory ended is chance, and what called it first is missing where engines keep only so many
 * frames. Source lines do not count, because the middle of long stacks is stored without them. Empty where
 * nothing goes round.
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
