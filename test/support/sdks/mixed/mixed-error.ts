/**
 * `stack`: exception with a stack of its own; `cause`: with a cause; `varying`: a number in the text changes with each
 * event; `message`: text without an exception; `fingerprint`: exception with a fingerprint of the application's;
 * `bare`: exception without a stack.
 */
export type MixedKind = 'stack' | 'cause' | 'varying' | 'message' | 'fingerprint' | 'bare';

/** Error that a generated program makes. Its word is part of its function's name and of its text. */
export interface MixedError {
  readonly word: string;
  readonly kind: MixedKind;
  /** Events in the first round, 1 to 4. */
  readonly times: number;
}

export interface MixedProgram {
  readonly dsn: string;
  readonly language: string;
  readonly errors: readonly MixedError[];
  /** Round of events: the first sends `times` of each error, the second one. */
  readonly round: 1 | 2;
}

/** Writes the program of one language. */
export type MixedWriter = (program: MixedProgram) => string;

/** Most events of one error in the first round. */
export const MAX_TIMES = 4;

const WORDS: Readonly<Record<MixedKind, string>> = {
  stack:
    'amber birch cedar dahlia elder fennel garlic hazel indigo jasmine kelp laurel maple nettle olive pepper quince ' +
    'rowan sorrel thyme umber violet willow yarrow zinnia acacia',
  cause: 'badger cougar dingo ermine ferret gopher',
  varying: 'heron ibis',
  message: 'jackdaw kestrel lapwing magpie',
  fingerprint: 'nuthatch oriole plover',
  bare: 'quail raven',
};

/** 43 errors of mixed kinds: with seven SDKs, 301. */
export const MIXED_ERRORS: readonly MixedError[] = (Object.keys(WORDS) as MixedKind[]).flatMap((kind) =>
  WORDS[kind].split(' ').map((word, place): MixedError => ({ word, kind, times: 1 + (place % MAX_TIMES) })),
);

/** Numbers of the events of a round: from `first`, `most` of each error. */
export function numbersOf(round: 1 | 2): { first: number; most: number } {
  return round === 1 ? { first: 1, most: MAX_TIMES } : { first: MAX_TIMES + 1, most: 1 };
}

export const titled = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Text of an error; `number` is what varies. */
export const textOf = ({ word }: MixedError, language: string, number = ''): string =>
  `${word}${number} failed in ${language}`;

/** Reads word and language back from a title or message. */
export function mixedIn(text: string): { readonly word: string; readonly language: string } | null {
  const [, word, language] = /\b([a-z]+)(?: \d+)? failed in ([a-z]+)\b/.exec(text) ?? [];
  return word === undefined || language === undefined ? null : { word, language };
}
