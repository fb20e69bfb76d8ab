import { valuesOf, type TermValue } from './term-value.ts';

/** Word of a search in the form `key:value`. */
export interface SearchTerm {
  /** True: `!` stood before it. */
  readonly not: boolean;
  /** Key as written. */
  readonly key: string;
  /** One value, or those of a list. */
  readonly values: readonly TermValue[];
  /** The whole word as written. */
  readonly word: string;
}

/** Part of a search: text between terms, or a term. */
export type SearchPart = string | SearchTerm;

/** Characters and quoted entries of a list that a term may have at most; of a longer one the words count. */
const MAX_LIST = 4_000;

/**
 * Word in the form `key:value`, `key:"some words"`, `key:name="some words"` or `key:[one,"some words"]`, with `!` in
 * front to exclude. Not `http://…`, `std::…`, `C:\…` and a lone `key:`, which are text. `\*` may begin a value.
 */
const TERM = new RegExp(
  String.raw`(?<=^|\s)(!?)([a-z][\w.-]+):(` +
    String.raw`(?:[^\s"=[]+=)?\[(?:[^\]"\\]|\\.|"(?:[^"\\]|\\.){0,300}"){0,${MAX_LIST}}\]` +
    String.raw`|(?:[^\s"=]+=)?"(?:[^"\\]|\\.)*"|(?!\/\/|:|\\(?!\*))[^\s"]\S*)(?=\s|$)`,
  'giu',
);

/** Text in the form of a term, in quotes so that it is none. */
const QUOTED_TEXT = /(?<=^|\s)"([a-z][\w.-]+:[^\s"]+)"(?=\s|$)/giu;

/** Word that would be a term if its quote were closed. */
const OPEN_QUOTE = /(?<=^|\s)!?([a-z][\w.-]+):(?:[^\s"=]+=)?"/iu;

/** Splits a search into terms and the text between them. Never throws. */
export function splitSearch(search: string): SearchPart[] {
  const parts: SearchPart[] = [];
  let end = 0;
  for (const match of search.matchAll(TERM)) {
    const [word, not = '', key = '', value = ''] = match;
    if (match.index > end) parts.push(search.slice(end, match.index));
    parts.push({ not: not === '!', key, values: valuesOf(value), word });
    end = match.index + word.length;
  }
  if (end < search.length) parts.push(search.slice(end));
  return parts;
}

/** Returns the key before a quote that is never closed; null without one. */
export function keyOfOpenQuote(text: string): string | null {
  return OPEN_QUOTE.exec(text)?.[1] ?? null;
}

/** Word `key:` without a value, with the word or the quoted words after it; or quoted words, which are passed over. */
const EMPTY_TERM = /(?<=^|\s)(?:"[^"]*"(?=\s|$)|(!?)([a-z][\w.-]+):(?=$|\s("[^"]+"|[^\s"]+)?))/giu;

/** Key that a space or the end of a search follows. */
export interface EmptyTerm {
  /** True: `!` stood before it. */
  readonly not: boolean;
  /** Key as written. */
  readonly key: string;
  /** Word or quoted words after it as written; null without any. */
  readonly next: string | null;
}

/** Returns keys without a value outside quotes, known ones or not. `text`: of `joinedText`. */
export function emptyTerms(text: string): EmptyTerm[] {
  return [...text.matchAll(EMPTY_TERM)].flatMap(([, not, key, next = null]) =>
    key === undefined ? [] : [{ not: not === '!', key, next }],
  );
}

/** Joins the texts of a search. Quotes that keep text from being a term are removed. */
export function joinedText(texts: readonly string[]): string {
  return texts
    .map((text) => text.replaceAll(QUOTED_TEXT, '$1').trim().replaceAll(/\s+/g, ' '))
    .filter((text) => text !== '')
    .join(' ');
}
