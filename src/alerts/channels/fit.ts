import type { MessageWords, PartWords } from '../words.ts';

/** Text of the link to everything that a message is about. */
export const SHOW_ALL = 'Show in errgate';

/**
 * Builds a payload with as many named errors as fit: all of them, else fewer, the least important ones left out first.
 * The smallest one names none, and is returned even if it does not fit.
 */
export function fitted<T>(words: MessageWords, build: (named: number) => T, fits: (built: T) => boolean): T {
  let named = words.parts.reduce((sum, part) => sum + part.errors.length, 0);
  let built = build(named);
  while (named > 0 && !fits(built)) {
    named -= 1;
    built = build(named);
  }
  return built;
}

/** Shares out a number of named errors to the parts of a message, in their order. */
export function namedOf(parts: readonly PartWords[], named: number): PartWords[] {
  let left = named;
  return parts.map((part) => {
    const errors = part.errors.slice(0, left);
    left -= errors.length;
    return { ...part, errors };
  });
}

/** Size of a payload in bytes. */
export function jsonBytes(payload: unknown): number {
  return Buffer.byteLength(JSON.stringify(payload));
}
