import { nearestName } from './nearest-name.ts';
import { conditionOf, isFieldName, withoutValue, type SearchNames } from './search-terms.ts';
import { isProduct, tagCondition } from './tag-terms.ts';
import { MAX_CONDITIONS, type SearchCondition } from './search-condition.ts';
import { SEARCH_KEY_NAMES, searchKeyOf } from './search-keys.ts';
import { emptyTerms, joinedText, keyOfOpenQuote, splitSearch, type SearchTerm } from './split-search.ts';

export interface ParsedSearch {
  /** Free text, null without any; the whole search unchanged when it has no terms. */
  readonly text: string | null;
  /** At most MAX_CONDITIONS. */
  readonly conditions: readonly SearchCondition[];
  /** What is wrong and what to do, as a sentence; null: nothing. Then the other members are those of the valid terms. */
  readonly problem: string | null;
  /** What was read otherwise than people may mean, as a sentence in ASCII; null: nothing. */
  readonly hint: string | null;
}

/** What reading a search needs to know. */
export interface SearchNeeds {
  readonly tags: boolean;
  readonly people: boolean;
}

const isTerm = (part: string | SearchTerm): part is SearchTerm => typeof part !== 'string';

/** Returns which names a search uses, so that others need not be read. */
export function searchNeeds(search: string): SearchNeeds {
  const terms = splitSearch(search).filter(isTerm);
  return {
    tags: terms.some(({ key, values }) => {
      const known = searchKeyOf(key);
      return known === undefined || (known === 'has' && values.some(({ text }) => isFieldName(text)));
    }),
    people: terms.some(
      ({ key, values }) => searchKeyOf(key) === 'assigned' && !values.every(({ text }) => /^(me|none)$/i.test(text)),
    ),
  };
}

/** Keys of other trackers for texts that words of a search find, too. Tags of these names go first. */
const TEXT_KEYS: ReadonlySet<string> = new Set(['message', 'title', 'culprit', 'transaction', 'error.value']);

/** Keys of other trackers that cannot be searched by here, and what to do instead. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ['times_seen', 'order the list by events'],
  ['timesseen', 'order the list by events'],
  ['timestamp', 'use last-seen: or first-seen:'],
  ['event.timestamp', 'use last-seen: or first-seen:'],
]);

/** Returns the text that a term of `TEXT_KEYS` searches for, or what is wrong with it. */
function textOf({ key, not, values }: SearchTerm): { readonly text: string } | { readonly problem: string } {
  const [value, another] = values;
  if (not || value === undefined || another !== undefined) {
    return { problem: `${key}: is searched for as text, of which none can be excluded or listed.` };
  }
  // Words are found within texts: a wildcard at an end changes nothing.
  const { text } = value;
  const plain = text.slice(value.stars[0] === 0 ? 1 : 0, value.stars.includes(text.length - 1) ? -1 : undefined);
  return plain.trim() === '' ? { problem: `${key}: has no value.` } : { text: `"${plain.replaceAll('"', ' ')}"` };
}

/** Quoted words, which stay, and `AND` or `OR` between others. */
const JOINING = /"[^"]*"|(?<=\s|^)(?:AND|OR)(?=\s|$)/g;

/** Removes `AND` between two parts of a search, which is what a space means, and tells whether an `OR` is there. */
function readJoining(text: string, isFirst: boolean, isLast: boolean): { readonly text: string; readonly or: boolean } {
  let or = false;
  const rest = text.replaceAll(JOINING, (word, at: number) => {
    const isBetween =
      (!isFirst || text.slice(0, at).trim() !== '') && (!isLast || text.slice(at + word.length).trim() !== '');
    if (word.startsWith('"') || !isBetween) return word;
    or ||= word === 'OR';
    return word === 'AND' ? ' ' : word;
  });
  return { text: rest, or };
}

/** Returns a term as an entry of a list, as written; null: it cannot be one. */
function entryOf(part: string | SearchTerm | undefined): string | null {
  if (part === undefined || !isTerm(part) || part.not || part.values.length !== 1) return null;
  return part.word.slice(part.key.length + 1);
}

/** Says how to search for one of several values, with those around an `OR`. */
function instead(before: string | SearchTerm | undefined, after: string | SearchTerm | undefined): string {
  const [one, other] = [entryOf(before), entryOf(after)];
  const isOneKey = one !== null && other !== null && (before as SearchTerm).key === (after as SearchTerm).key;
  const list = isOneKey ? `${(before as SearchTerm).key}:[${one},${other}]` : 'level:[error,fatal]';
  return `OR is not supported: list the values of a key, as in ${list}, or write the word "OR" in quotes.`;
}

/** Quoted words, which stay, a key behind parentheses, and `NOT` at the end. */
const LOGIC = /"[^"]*"|(?<=\s|^)\(+!?([a-z][\w.-]+):(?=[^\s)])|(?<=\s|^)(NOT)\s+$/giu;

/** Says how to search without parentheses and `NOT` around the term that follows; null without any. */
function withoutLogic(text: string, next: string | SearchTerm | undefined): string | null {
  for (const [, key, not] of text.matchAll(LOGIC)) {
    if (key !== undefined && searchKeyOf(key) !== undefined) {
      return 'Parentheses around conditions are not supported: write the conditions without them; all of them must hold.';
    }
    if (not === 'NOT' && next !== undefined && isTerm(next)) {
      const word = next.not ? next.word.slice(1) : `!${next.word}`;
      return `NOT is not supported: write ${word}, or the word "NOT" in quotes.`;
    }
  }
  return null;
}

/** Returns whether a term that names no key and no tag is text: with a path as its value, as in `app:/srv/x`. */
function isText({ values }: SearchTerm): boolean {
  return values[0]?.text.startsWith('/') === true;
}

function unknownKey({ key, values, word, not }: SearchTerm, tags: ReadonlySet<string> | null): string {
  const advice = INSTEAD.get(key.toLowerCase());
  if (advice !== undefined) return `Errors cannot be searched by ${key}: here; ${advice}.`;
  const nearest = nearestName(key, [...SEARCH_KEY_NAMES, ...(tags ?? [])]);
  if (nearest !== null) return `There is no search key ${key}:. Did you mean ${nearest}:?`;
  const plain = not ? word.slice(1) : word;
  const asText = /["\s]/.test(plain) ? '' : `, or the text in quotes: "${plain}"`;
  const value = values[0]?.text ?? '';
  const tag = values.length !== 1 || /["\s*]/.test(value) ? `tag:${key}="…"` : `tag:${key}=${value}`;
  return `There is no search key ${key}:. For a tag write ${tag}${asText}.`;
}

/** Parses a search into text and conditions. Never throws. */
export function parseSearch(search: string, names: SearchNames): ParsedSearch {
  const conditions: SearchCondition[] = [];
  const texts: string[] = [];
  let problem: string | null = null;
  let terms = 0;
  const parts = splitSearch(search);
  for (const [at, part] of parts.entries()) {
    if (!isTerm(part)) {
      const open = keyOfOpenQuote(part);
      if (open !== null && searchKeyOf(open) !== undefined) problem ??= `The quote after ${open}: is not closed.`;
      const { text, or } = readJoining(part, at === 0, at === parts.length - 1);
      problem ??= withoutLogic(part, parts[at + 1]);
      if (or) problem ??= instead(parts[at - 1], parts[at + 1]);
      texts.push(text);
      continue;
    }
    const key = searchKeyOf(part.key);
    const isTag = key === undefined && (names.tags?.has(part.key) === true || isProduct(part.key));
    if (key === undefined && !isTag && isText(part)) {
      texts.push(part.word);
      continue;
    }
    if (key === undefined && !isTag && names.tags !== null && TEXT_KEYS.has(part.key.toLowerCase())) {
      const read = textOf(part);
      if ('problem' in read) problem ??= read.problem;
      else texts.push(read.text);
      continue;
    }
    const isMaybeTag = names.tags === null && nearestName(part.key, SEARCH_KEY_NAMES) === null;
    const read =
      key !== undefined
        ? conditionOf(key, part, names)
        : isTag || isMaybeTag
          ? tagCondition(part)
          : unknownKey(part, names.tags);
    if (typeof read === 'string') problem ??= read;
    else conditions.push(read);
    terms += 1;
  }
  if (terms > MAX_CONDITIONS) problem ??= `A search has at most ${MAX_CONDITIONS} conditions: this one has ${terms}.`;
  const text = joinedText(texts);
  let hint: string | null = null;
  for (const empty of emptyTerms(text)) {
    const key = searchKeyOf(empty.key);
    if (key !== undefined) hint ??= withoutValue(key, empty);
  }
  const whole = terms === 0 && text === search.trim().replaceAll(/\s+/g, ' ') ? search : text;
  return { text: text === '' ? null : whole, conditions: conditions.slice(0, MAX_CONDITIONS), problem, hint };
}
