import { anyOf, MAX_VALUES, type SearchCondition, type SingleCondition } from './search-condition.ts';
import type { SearchTerm } from './split-search.ts';
import type { TermValue } from './term-value.ts';

/** Tags whose values are a product and its version, and the names of the product alone. */
const PRODUCTS: ReadonlyMap<string, string> = new Map([
  ...['browser', 'os', 'runtime', 'device'].flatMap((tag) => [[tag, tag] as const, [`${tag}.name`, tag] as const]),
  ['device.family', 'device'],
  ['device.model', 'device'],
]);

/** Returns whether a key asks for a product: `browser:Firefox` finds `Firefox 140`. */
export function isProduct(key: string): boolean {
  return PRODUCTS.has(key);
}

/** Returns what is wrong with the number of values in a list; null: nothing. */
export function listProblem({ key, values }: SearchTerm): string | null {
  if (values.length === 0) return `${key}: has a list without values. Write ${key}:[one,another].`;
  if (values.length <= MAX_VALUES) return null;
  return `${key}: a list has at most ${MAX_VALUES} values: this one has ${values.length}.`;
}

/** Text of a value without its wildcard. */
export interface MatchedText {
  readonly text: string;
  /** True: `*` stood at its end. */
  readonly isPrefix: boolean;
}

/**
 * Returns the text of a value and whether it is a beginning; a sentence about what is wrong with its wildcards when they
 * are elsewhere. `key`: as written before the value, `tag:name=` for such. `isLiteral`: whether the `*` at a place is a
 * character.
 */
export function matchedText(
  key: string,
  { text, stars }: TermValue,
  isLiteral: (text: string, at: number) => boolean = () => false,
): MatchedText | string {
  const wild = stars.filter((at) => !isLiteral(text, at));
  const [first] = wild;
  if (first === undefined) return { text, isPrefix: false };
  if (wild.length === 1 && first === text.length - 1) return { text: text.slice(0, -1), isPrefix: true };
  const before = key.endsWith('=') ? key : `${key}:`;
  const start = text.slice(0, first).trim();
  const example = /["\s]/.test(start) ? `"${start}*"` : `${start === '' ? 'start' : start}*`;
  const literal = `"${text.replaceAll(/["\\*]/g, String.raw`\$&`)}"`;
  return `* stands only at the end of a value: ${before}${example}. To search for the character itself write ${before}${literal}.`;
}

/** Returns the condition of `name:value` for a tag; a sentence about what is wrong with it when there is none. */
export function tagCondition(term: SearchTerm): SearchCondition | string {
  const wrong = listProblem(term);
  if (wrong !== null) return wrong;
  const of: SingleCondition[] = [];
  for (const value of term.values) {
    if (value.text === '') return `${term.key}: has no value.`;
    const matched = matchedText(term.key, value);
    if (typeof matched === 'string') return matched;
    of.push(...byName(term.key, matched));
  }
  return anyOf(term.not, of);
}

/** Returns conditions of which one must hold. A product is found by its name, and in the tag of its name alone. */
function byName(key: string, matched: MatchedText): SingleCondition[] {
  const product = PRODUCTS.get(key);
  if (product === undefined || matched.isPrefix) return [tagIs(key, matched)];
  const named: SingleCondition = { field: 'tag', key: product, value: matched.text, match: 'name' };
  return key === product ? [named] : [named, tagIs(key, matched)];
}

/** Returns the condition on one tag. A lone `*` means any value. */
export function tagIs(key: string, { text, isPrefix }: MatchedText): SingleCondition {
  if (!isPrefix) return { field: 'tag', key, value: text };
  return text === '' ? { field: 'tag', key, value: null } : { field: 'tag', key, value: text, match: 'prefix' };
}
