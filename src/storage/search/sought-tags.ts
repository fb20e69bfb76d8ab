import type { SingleCondition, TextMatch } from '../../domain/search/search-condition.ts';

/** Beginning of texts; with `name`, a name that a version may follow. */
export interface TextStart {
  readonly text: string;
  readonly match: TextMatch;
}

/** Values of one tag, of which an error must have one. */
export interface SoughtTag {
  readonly key: string;
  /** True: values are compared as written; else without case, see `foldedText`. */
  readonly isExact: boolean;
  /** True: any value will do. */
  readonly any: boolean;
  readonly values: readonly string[];
  readonly starts: readonly TextStart[];
}

type TagCondition = Extract<SingleCondition, { readonly field: 'tag' | 'release' | 'environment' }>;

type OtherCondition = Exclude<SingleCondition, TagCondition>;

function isOnTag(condition: SingleCondition): condition is TagCondition {
  return condition.field === 'tag' || condition.field === 'release' || condition.field === 'environment';
}

/** Returns a text as searches compare it. */
export function foldedText(text: string): string {
  return text.toLowerCase();
}

/** Returns the only value that a tag must have, as written. */
export function exactTag(key: string, value: string): SoughtTag {
  return { key, isExact: true, any: false, values: [value], starts: [] };
}

/** Returns the conditions on tags by their tag, and the other ones. Texts are folded. */
export function soughtTags(conditions: readonly SingleCondition[]): {
  readonly tags: readonly SoughtTag[];
  readonly others: readonly OtherCondition[];
} {
  const tags = new Map<string, SoughtTag>();
  for (const condition of conditions.filter(isOnTag)) {
    const key = condition.field === 'tag' ? condition.key : condition.field;
    const { any, values, starts } = tags.get(key) ?? { any: false, values: [], starts: [] };
    const { value, match } = condition;
    const texts = value === null ? [] : [foldedText(value)];
    tags.set(key, {
      ...{ key, isExact: false },
      any: any || value === null,
      values: match === 'prefix' ? values : [...new Set([...values, ...texts])],
      starts: match === undefined ? starts : [...starts, ...texts.map((text) => ({ text, match }))],
    });
  }
  const others = conditions.filter((condition): condition is OtherCondition => !isOnTag(condition));
  return { tags: [...tags.values()], others };
}
