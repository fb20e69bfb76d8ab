import { tokTypes, type TokenType } from 'acorn';

/** Kinds of ASCII characters in words: those that begin one, and others. */
const WORD_START = 2;
const WORD_PART = 1;
const WORD_CHARACTERS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[A-Za-z_$]/.test(character)) return WORD_START;
  return /[0-9]/.test(character) ? WORD_PART : 0;
});

const LAST_OF_ASCII = 0x7f;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const OPENING_PARENTHESIS = 0x28;
const CLOSING_PARENTHESIS = 0x29;
const COMMA = 0x2c;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;

/** Keywords by their text. */
export const KEYWORDS: ReadonlyMap<string, TokenType> = new Map(
  Object.values(tokTypes).flatMap((type) => (type.keyword === undefined ? [] : [[type.keyword, type] as const])),
);

const VALUES: ReadonlySet<string> = new Set(['false', 'null', 'this', 'true']);
/** Words that may begin something else than a value, which the parser must see. */
const OTHER_WORDS: ReadonlySet<string> = new Set(
  [...KEYWORDS.keys(), 'async', 'await', 'yield'].filter((word) => !VALUES.has(word)),
);

/** Whether a word can only be a value in an expression. */
export const isValue = (word: string): boolean => !OTHER_WORDS.has(word);

/** Returns the end of the word at a place; -1: there is none, or it is not of ASCII characters alone. */
export function wordEnd(input: string, start: number): number {
  if (WORD_CHARACTERS[input.charCodeAt(start)] !== WORD_START) return -1;
  let end = start + 1;
  let next = input.charCodeAt(end);
  while ((WORD_CHARACTERS[next] ?? 0) > 0) {
    end += 1;
    next = input.charCodeAt(end);
  }
  return next === BACKSLASH || next > LAST_OF_ASCII ? -1 : end;
}

/** End of an expression of names, members and calls, as most of a minified file is: `e.a.b("c",d[0])`. */
export interface PlainChain {
  readonly end: number;
  /** What it ends with, and where the last token begins: a name, `)` or `]`. */
  readonly last: 'name' | 'call' | 'brackets';
  readonly lastStart: number;
}

/** Calls and brackets in one another that are read; of deeper ones the inner ones are read by themselves. */
const MAX_DEPTH = 3;

/**
 * Reads the members and calls behind a name, up to what is no part of such a chain or has spaces, other operators or
 * functions in it. Null: there are none.
 */
export function plainChain(input: string, nameEnd: number): PlainChain | null {
  let end = nameEnd;
  let suffix = nameEnd;
  for (let next = suffixEnd(input, end, 0); next >= 0; next = suffixEnd(input, end, 0)) {
    suffix = end;
    end = next;
  }
  if (end === nameEnd) return null;
  const first = input.charCodeAt(suffix);
  if (first === DOT) return { end, last: 'name', lastStart: suffix + 1 };
  return { end, last: first === OPENING_PARENTHESIS ? 'call' : 'brackets', lastStart: end - 1 };
}

/** Returns the end of a member or a call; -1: there is none that is read here. So do the functions below. */
function suffixEnd(input: string, start: number, depth: number): number {
  const first = input.charCodeAt(start);
  if (first === DOT) return wordEnd(input, start + 1);
  if (depth === MAX_DEPTH) return -1;
  if (first === OPENING_PARENTHESIS) return argumentsEnd(input, start + 1, depth + 1);
  if (first !== OPENING_BRACKET) return -1;
  const end = valueEnd(input, start + 1, depth + 1);
  return end >= 0 && input.charCodeAt(end) === CLOSING_BRACKET ? end + 1 : -1;
}

function argumentsEnd(input: string, start: number, depth: number): number {
  if (input.charCodeAt(start) === CLOSING_PARENTHESIS) return start + 1;
  for (let at = start; ; at += 1) {
    at = valueEnd(input, at, depth);
    const next = at < 0 ? Number.NaN : input.charCodeAt(at);
    if (next === CLOSING_PARENTHESIS) return at + 1;
    if (next !== COMMA) return -1;
  }
}

function valueEnd(input: string, start: number, depth: number): number {
  const first = input.charCodeAt(start);
  if (first === DOUBLE_QUOTE || first === SINGLE_QUOTE) return stringEnd(input, start + 1, first);
  if (first >= ZERO && first <= NINE) return numberEnd(input, start);
  let end = wordEnd(input, start);
  if (end < 0 || !isValue(input.slice(start, end))) return -1;
  for (let next = end; next >= 0; next = suffixEnd(input, end, depth)) end = next;
  return end;
}

function stringEnd(input: string, start: number, quote: number): number {
  for (let at = start; at < input.length; at += 1) {
    const code = input.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code === BACKSLASH || code === LINE_FEED || code === CARRIAGE_RETURN) return -1;
  }
  return -1;
}

/** Reads a number of decimal digits alone, which is the same in every mode. */
function numberEnd(input: string, start: number): number {
  let end = start + 1;
  if (input.charCodeAt(start) !== ZERO) {
    while (input.charCodeAt(end) >= ZERO && input.charCodeAt(end) <= NINE) end += 1;
  }
  const next = input.charCodeAt(end);
  const goesOn = next === DOT || next === BACKSLASH || next > LAST_OF_ASCII || (WORD_CHARACTERS[next] ?? 0) > 0;
  return goesOn ? -1 : end;
}
