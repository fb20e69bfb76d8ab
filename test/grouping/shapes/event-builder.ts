import type { RawEvent } from '../pair.ts';

export type RawFrame = Record<string, unknown>;

/** One exception; `stack` is text as its language prints it: one call a line, the innermost first. */
export interface Thrown {
  readonly type: string;
  readonly value?: string | undefined;
  readonly module?: string;
  readonly stack?: string;
  readonly mechanism?: Record<string, unknown>;
}

export type EventBuilder = (thrown: Thrown | readonly Thrown[], members?: RawEvent) => RawEvent;

/** The lines of a stack without indentation and empty ones. */
export function linesOf(stack: string): string[] {
  return stack
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The parts that a pattern finds in a line; a line that does not fit is a fault of the corpus. */
export function partsOf(line: string, pattern: RegExp): Record<string, string | undefined> {
  const groups = pattern.exec(line)?.groups;
  if (groups === undefined) {
    throw new Error(`cannot read the stack line ${line}`);
  }
  return groups;
}

/** Frames in the order of the wire: the outermost call first. */
export function framesOf(stack: string, readLine: (line: string) => RawFrame): RawFrame[] {
  return linesOf(stack).map(readLine).reverse();
}

/**
 * A function that makes events of one SDK: exceptions are given as they are sent, the first cause first.
 */
export function eventBuilder(readLine: (line: string) => RawFrame, defaults: RawEvent): EventBuilder {
  return (thrown, members = {}) => {
    const list: readonly Thrown[] = Array.isArray(thrown) ? thrown : [thrown];
    const values = list.map(({ stack, ...rest }) => ({
      ...rest,
      ...(stack === undefined ? {} : { stacktrace: { frames: framesOf(stack, readLine) } }),
    }));
    return { level: 'error', ...defaults, exception: { values }, ...members };
  };
}
