/** Word of a search in the form `key:value`. */
export interface SearchTerm {
  /** True: `!` stood before it. */
  readonly not: boolean;
  /** Key as written. */
  readonly key: string;
  /** Value without its quotes. Of `tag:name="some value"` the part before the quotes is in it: `name=some value`. */
  readonly value: string;
  /** The whole word as written. */
  readonly word: string;
}

/** Part of a search: text between terms, or a term. */
export type SearchPart = string | SearchTerm;

/**
 * Word in the form `key:value`, `key:"some words"` or `key:name="some words"`, with `!` in front to exclude. Not
 * `http://…`, `std::…`, `C:\…` and a lone `key:`, which are text.
 */
const TERM = /(?<=^|\s)(!?)([a-z][\w.-]+):((?:[^\s"=]+=)?"(?:[^"\\]|\\.)*"|(?!\/\/|:|\\)[^\s"]\S*)(?=\s|$)/giu;

/** Text in the form of a term, in quotes so that it is none. */
const QUOTED_TEXT = /(?<=^|\s)"([a-z][\w.-]+:[^\s"]+)"(?=\s|$)/giu;

/** Word that would be a term if its quote were closed. */
const OPEN_QUOTE = /(?<=^|\s)!?([a-z][\w.-]+):(?:[^\s"=]+=)?"/iu;

/** Removes quotes of a value; `\"` and `\\` in them mean the character itself. */
function unquoted(value: string): string {
  const start = value.indexOf('"');
  if (!value.endsWith('"') || start === -1 || start === value.length - 1) return value;
  const inside = value.slice(start + 1, -1).replaceAll(/\\(["\\])/g, '$1');
  return start === 0 || value[start - 1] === '=' ? `${value.slice(0, start)}${inside}` : value;
}

/** Splits a search into terms and the text between them. Never throws. */
export function splitSearch(search: string): SearchPart[] {
  const parts: SearchPart[] = [];
  let end = 0;
  for (const match of search.matchAll(TERM)) {
    const [word, not = '', key = '', value = ''] = match;
    if (match.index > end) parts.push(search.slice(end, match.index));
    parts.push({ not: not === '!', key, value: unquoted(value), word });
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
  /** Key as written. */
  readonly key: string;
  /** The word as written, without a value: `!level:`. */
  readonly word: string;
  /** Word or quoted words after it as written; null without any. */
  readonly next: string | null;
}

/** Returns keys without a value outside quotes, known ones or not. `text`: of `joinedText`. */
export function emptyTerms(text: string): EmptyTerm[] {
  return [...text.matchAll(EMPTY_TERM)].flatMap(([, not = '', key, next = null]) =>
    key === undefined ? [] : [{ key, word: `${not}${key}:`, next }],
  );
}

/** Joins the texts of a search. Quotes that keep text from being a term are removed. */
export function joinedText(texts: readonly string[]): string {
  return texts
    .map((text) => text.replaceAll(QUOTED_TEXT, '$1').trim().replaceAll(/\s+/g, ' '))
    .filter((text) => text !== '')
    .join(' ');
}
