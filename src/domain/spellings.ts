import type { SearchCondition, SingleCondition, TextMatch } from './search-condition.ts';

type SpelledCondition = Extract<SingleCondition, { readonly field: 'tag' | 'release' | 'environment' }>;

/** Condition on a tag, release or environment with a value, whose case does not matter. */
type ValuedCondition = SpelledCondition & { readonly value: string };

/** Maximum of other spellings of one value; further ones are not searched for. */
export const MAX_SPELLINGS = 4;

/** Returns the texts of a condition whose case does not matter, with the tag that they are of. */
export function spelledTexts(condition: SearchCondition): readonly { readonly tag: string; readonly text: string }[] {
  const of = condition.field === 'any' ? condition.of : [condition];
  return of.filter(isValued).map((each) => ({ tag: tagOf(each), text: each.value }));
}

function isValued(condition: SingleCondition): condition is ValuedCondition {
  const { field } = condition;
  return (field === 'tag' || field === 'release' || field === 'environment') && condition.value !== null;
}

function tagOf(condition: SpelledCondition): string {
  return condition.field === 'tag' ? condition.key : condition.field;
}

/** Returns the part of a known value that is a text in another or the same case; null: it does not match. */
function spelledPart(known: string, text: string, match: TextMatch | undefined): string | null {
  const part = known.slice(0, text.length);
  if (part.toLowerCase() !== text.toLowerCase()) return null;
  const rest = known.slice(text.length);
  const isMatch = match === 'prefix' || rest === '' || (match === 'name' && /^ ?[0-9]/.test(rest));
  return isMatch ? part : null;
}

/** Returns how people mostly write a text: `firefox`, `FIREFOX`, `Firefox`. */
function usualSpellings(text: string): string[] {
  const lower = text.toLowerCase();
  const capitals = lower.replace(/(?<![\p{L}\p{N}])\p{L}/gu, (letter) => letter.toUpperCase());
  return [lower, text.toUpperCase(), capitals];
}

function spelled<T extends SingleCondition>(condition: T, known: ReadonlyMap<string, readonly string[]>): T {
  if (!isValued(condition)) return condition;
  const { value, match } = condition;
  const parts = (known.get(tagOf(condition)) ?? []).flatMap((each) => spelledPart(each, value, match) ?? []);
  // Values of tags are known of the errors seen last alone.
  const found = parts.length === 0 && condition.field === 'tag' ? usualSpellings(value) : parts;
  const others = [...new Set(found)].filter((each) => each !== value).slice(0, MAX_SPELLINGS);
  return others.length === 0 ? condition : { ...condition, spellings: others };
}

/**
 * Adds to values of tags, releases and environments their other spellings among the known values, by tag; to a tag
 * without a known one those that are usual.
 */
export function withSpellings(
  condition: SearchCondition,
  known: ReadonlyMap<string, readonly string[]>,
): SearchCondition {
  if (condition.field !== 'any') return spelled(condition, known);
  return { ...condition, of: condition.of.map((each) => spelled(each, known)) };
}

/** Returns the longest text with which all of them begin, in any case. At least one. */
export function commonStart(texts: readonly string[]): string {
  const [first = '', ...others] = texts;
  let length = first.length;
  for (const text of others) {
    while (text.slice(0, length).toLowerCase() !== first.slice(0, length).toLowerCase()) length -= 1;
  }
  return first.slice(0, length);
}
