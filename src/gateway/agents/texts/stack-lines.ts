import type { EventException, Frame } from '../../../domain/events/event.ts';
import type { ShownEvent } from '../../../domain/events/tracked-event.ts';
import type { AgentAnswer } from './agent-answer.ts';

/** How much of a stack trace an answer has. */
export interface StackBounds {
  /** `app`: frames of the application nearest to the crash, and the outermost ones. */
  readonly frames: 'app' | 'all';
  /** Frames nearest to the crash. */
  readonly near: number;
  /** Outermost frames. */
  readonly far: number;
}

export const SHORT_STACK: StackBounds = { frames: 'app', near: 8, far: 4 };

/** Maximum exceptions of a chain of causes. */
const MAX_CAUSES = 5;
/** Maximum bytes of a line of source, and of the place of a frame. */
const MAX_SOURCE = 160;
const MAX_PLACE = 200;
const MAX_MESSAGE = 500;

/** Frames of a stack that an answer shows, and the number of those that it leaves out. */
interface Counted {
  readonly shown: number;
  readonly total: number;
}

function placeOf({ filename, module, abs_path, lineno, colno, in_app, ...frame }: Frame): string {
  const file = filename ?? abs_path ?? module ?? 'unknown file';
  const line = lineno === null ? '' : `:${lineno}${colno === null ? '' : `:${colno}`}`;
  return `at ${file}${line} in ${frame.function ?? 'unknown function'}${in_app ? ' [app]' : ''}`;
}

/** Chooses frames of a stack, whose crash is last. Returns their indexes, the crash first. */
function chosen(frames: readonly Frame[], { frames: which, near, far }: StackBounds): number[] {
  const indexes = frames.map((_, index) => index).reverse();
  const ofApp = indexes.filter((index) => frames[index]?.in_app === true);
  const first = (which === 'all' || ofApp.length === 0 ? indexes : ofApp).slice(0, near);
  const keep = new Set([...first, ...indexes.slice(-far)]);
  return indexes.filter((index) => keep.has(index));
}

function addFrames(answer: AgentAnswer, frames: readonly Frame[], bounds: StackBounds): number {
  const indexes = chosen(frames, bounds);
  let next = frames.length - 1;
  const skipTo = (index: number) => {
    if (next > index) answer.ownEventLine(`  … ${next - index} more`);
  };
  for (const index of indexes) {
    const frame = frames[index];
    if (frame === undefined) continue;
    skipTo(index);
    answer.event('  ', placeOf(frame), MAX_PLACE);
    if (frame.context_line !== null && frame.in_app) answer.event('    > ', frame.context_line, MAX_SOURCE);
    next = index - 1;
  }
  skipTo(-1);
  return indexes.length;
}

const headOf = ({ type, value }: Pick<EventException, 'type' | 'value'>): string =>
  [type, value].filter((part) => part !== null && part !== '').join(': ') || 'an exception without a text';

/** Adds exceptions, the outermost first, with their frames; else the message and the first thread with frames. */
export function addStack(answer: AgentAnswer, event: ShownEvent, bounds: StackBounds): Counted {
  const chain = [...event.exceptions].reverse();
  let [shown, total] = [0, 0];
  for (const [at, exception] of chain.slice(0, MAX_CAUSES).entries()) {
    const frames = exception.frames ?? [];
    answer.event(at === 0 ? '' : 'Caused by ', headOf(exception), MAX_MESSAGE);
    // Of a cause only what differs from the stack that it led to.
    const its = at === 0 || bounds.frames === 'all' ? bounds : { ...bounds, near: 4, far: 0 };
    shown += addFrames(answer, frames, its);
    total += frames.length;
  }
  if (chain.length > MAX_CAUSES) answer.ownEventLine(`… ${chain.length - MAX_CAUSES} more causes`);
  if (chain.length === 0) {
    if (event.message !== null) answer.event('', event.message, MAX_MESSAGE);
    const frames = event.threads.find((thread) => thread.frames !== null)?.frames ?? [];
    shown += addFrames(answer, frames, bounds);
    total += frames.length;
  }
  return { shown, total };
}
