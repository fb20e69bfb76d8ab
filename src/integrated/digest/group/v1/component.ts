/**
 * A component is the text of everything that contributes to a grouping key, in a fixed order. Each
 * contributing value is written as one tag letter, the value and a NUL. Normalised text holds no NUL, so
 * two different lists of values never give the same text. The empty text means: contributes nothing.
 */
export const TAGS = {
  module: 'm',
  filename: 'f',
  function: 'n',
  contextLine: 'l',
  column: 'c',
  frame: 'F',
  type: 'T',
  value: 'V',
  /** Value beside a stack, which only version 2 counts. */
  besideStack: 'W',
  exception: 'X',
  message: 'M',
  fingerprint: 'P',
  report: 'R',
} as const;

/** Builds one tagged value; `tag` is one of `TAGS`. */
export function part(tag: (typeof TAGS)[keyof typeof TAGS], value: string): string {
  return tag + value + '\0';
}
