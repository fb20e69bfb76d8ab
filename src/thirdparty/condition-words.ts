import { isIP } from 'node:net';
import { NEW_FOR_MS, type Mark } from '../domain/error-marks.ts';
import type { SearchCondition } from '../domain/search-condition.ts';
import { searchKeyOf, type SearchKey } from '../domain/search-keys.ts';
import { unsupported } from './refused.ts';
import { quoted } from './search-query.ts';

/** Conditions that the query of a tracker knows, beside those with members of their own. */
export interface ConditionTraits {
  /** True: `!` before a word excludes. */
  readonly negation: boolean;
  /** True: `name:value` finds tags, apart from names that are keys. */
  readonly tags: boolean;
  /** True: `tags[name]:value` finds any tag. */
  readonly bracketedTags: boolean;
  /** True: `has:name` finds tags with any value. */
  readonly has: boolean;
  /** True: `is:assigned` and `is:unassigned`. */
  readonly assignment: boolean;
  /** True: `error.type`, and `user.email` and `user.ip`. */
  readonly eventFields: boolean;
  /** Words for marks; without them unknown. */
  readonly marks: Readonly<Partial<Record<Mark, string>>>;
}

export const NO_CONDITIONS: ConditionTraits = {
  ...{ negation: false, tags: false, bracketedTags: false, has: false, assignment: false, eventFields: false },
  marks: {},
};

/** Names that every tracker reads as it is. */
const PLAIN_NAME = /^[A-Za-z][\w.-]*$/;

function tagWord(key: string, value: string | null, { tags, bracketedTags, has }: ConditionTraits): string | null {
  if (!PLAIN_NAME.test(key)) return null;
  if (value === null) return has ? `has:${key}` : null;
  const isKey = searchKeyOf(key) !== undefined;
  if (isKey) return bracketedTags ? `tags[${key}]:${quoted(value)}` : null;
  return tags ? `${key}:${quoted(value)}` : null;
}

/** Returns the word for a condition, without its `!`; null when the tracker has none. */
function wordOf(condition: SearchCondition, traits: ConditionTraits): string | null {
  switch (condition.field) {
    case 'status':
      return `is:${condition.value}`;
    case 'level':
      return `level:${condition.value}`;
    case 'environment':
    case 'release':
      return `${condition.field}:${quoted(condition.value)}`;
    case 'mark':
      return traits.marks[condition.value] ?? null;
    case 'assignee':
      return condition.value === null && traits.assignment ? 'is:unassigned' : null;
    case 'type':
      return traits.eventFields ? `error.type:${quoted(condition.value)}` : null;
    case 'user': {
      const { value } = condition;
      const field = value.includes('@') ? 'user.email' : isIP(value) === 0 ? null : 'user.ip';
      return traits.eventFields && field !== null ? `${field}:${quoted(value)}` : null;
    }
    case 'tag':
      return tagWord(condition.key, condition.value, traits);
    default:
      return null;
  }
}

/** What people wrote for a condition, for messages. */
function written(condition: SearchCondition): string {
  const not = condition.not ? '!' : '';
  switch (condition.field) {
    case 'status':
    case 'mark':
      return `${not}is:${condition.value}`;
    case 'assignee':
      return condition.value === null ? `${not}is:unassigned` : `${not}assigned: with a person`;
    case 'tag':
      return condition.value === null ? `${not}has:${condition.key}` : `${not}${condition.key}:${condition.value}`;
    case 'first_seen':
    case 'last_seen':
      return `${not}${condition.field.replace('_', '-')}: between two times`;
    case 'user':
      return `${not}user: other than by e-mail or IP address`;
    default:
      return `${not}${condition.field}:${condition.value}`;
  }
}

/**
 * Returns the words of a query for conditions. Throws `unsupported_by_tracker`, with the word, for one that the tracker
 * does not have.
 */
export function conditionWords(conditions: readonly SearchCondition[], traits: ConditionTraits): string[] {
  return conditions.map((condition) => {
    const word = wordOf(condition, traits);
    if (word === null || (condition.not && !traits.negation)) throw unsupported(`search by ${written(condition)}`);
    if (!condition.not) return word;
    return word === 'is:unassigned' ? 'is:assigned' : `!${word}`;
  });
}

/** Returns the keys that searches may have, of those that need words of their own. */
export function conditionKeys({ tags, has, assignment, eventFields }: ConditionTraits): SearchKey[] {
  return [
    ...(eventFields ? (['user', 'type'] as const) : []),
    ...(assignment ? (['assigned'] as const) : []),
    ...(tags ? (['tag'] as const) : []),
    ...(has ? (['has'] as const) : []),
  ];
}

/** Replaces the mark `new` by its times: trackers call an error new for another time. */
export function withoutNew(conditions: readonly SearchCondition[], now: number): SearchCondition[] {
  const since = now - NEW_FOR_MS;
  return conditions.map((condition) =>
    condition.field === 'mark' && condition.value === 'new'
      ? condition.not
        ? { not: false, field: 'first_seen', after: null, before: since - 1 }
        : { not: false, field: 'first_seen', after: since, before: null }
      : condition,
  );
}
