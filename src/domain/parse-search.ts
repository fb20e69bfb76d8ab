import { nearestName } from './nearest-name.ts';
import { conditionOf, isFieldName, withoutValue, type SearchNames } from './search-terms.ts';
import { isProduct, tagCondition } from './tag-terms.ts';
import { MAX_CONDITIONS, type SearchCondition } from './search-condition.ts';
import { SEARCH_KEY_NAMES, SEARCH_KEYS, searchKeyOf } from './search-keys.ts';
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

/** Maximum of tag names that a message lists. */
const MAX_LISTED = 20;

/** Returns whether a term that names no key and no tag is text: with a path as its value, as in `app:/srv/x`. */
function isText({ values }: SearchTerm): boolean {
  return values[0]?.text.startsWith('/') === true;
}

function unknownKey({ key, values, word, not }: SearchTerm, tags: ReadonlySet<string> | null): string {
  const nearest = nearestName(key, [...SEARCH_KEY_NAMES, ...(tags ?? [])]);
  const meant = nearest === null ? '' : ` Did you mean ${nearest}:?`;
  const others = [...(tags ?? [])].filter((tag) => searchKeyOf(tag) === undefined);
  const listed = others.slice(0, MAX_LISTED).join(', ');
  const known = `Keys: ${SEARCH_KEYS.join(', ')}${listed === '' ? '' : `; tags seen lately: ${listed}`}.`;
  const plain = not ? word.slice(1) : word;
  const asText = /["\s]/.test(plain) ? '' : ` To search for this text write it in quotes: "${plain}".`;
  const value = values[0]?.text ?? '';
  const tag = values.length !== 1 || /["\s*]/.test(value) ? `tag:${key}="…"` : `tag:${key}=${value}`;
  return `There is no search key ${key}:.${meant} ${known} For another tag write ${tag}.${asText}`;
}

/** Parses a search into text and conditions. Never throws. */
export function parseSearch(search: string, names: SearchNames): ParsedSearch {
  const conditions: SearchCondition[] = [];
  const texts: string[] = [];
  let problem: string | null = null;
  let terms = 0;
  for (const part of splitSearch(search)) {
    if (!isTerm(part)) {
      const open = keyOfOpenQuote(part);
      if (open !== null && searchKeyOf(open) !== undefined) problem ??= `The quote after ${open}: is not closed.`;
      texts.push(part);
      continue;
    }
    const key = searchKeyOf(part.key);
    const isTag = key === undefined && (names.tags?.has(part.key) === true || isProduct(part.key));
    if (key === undefined && !isTag && isText(part)) {
      texts.push(part.word);
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
