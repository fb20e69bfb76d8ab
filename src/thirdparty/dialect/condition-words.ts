import { isIP } from 'node:net';
import { NEW_FOR_MS, type Mark } from '../../domain/errors/error-marks.ts';
import { ERROR_STATUSES } from '../../domain/errors/error-status.ts';
import {
  choicesOf,
  statusesIn,
  type SearchCondition,
  type SingleCondition,
  type TextMatch,
} from '../../domain/search/search-condition.ts';
import { searchKeyOf, type SearchKey } from '../../domain/search/search-keys.ts';
import { unsupported } from '../http/refused.ts';
import { quoted, quotedStart } from './search-query.ts';

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
  /** True: `*` at the end of a value, and lists `key:[one, another]`. */
  readonly patterns: boolean;
  /** True: `browser.name`, `os.name`, `runtime.name` and `device.family` have a product without its version. */
  readonly productNames: boolean;
  /** Words for marks; without them unknown. */
  readonly marks: Readonly<Partial<Record<Mark, string>>>;
}

export const NO_CONDITIONS: ConditionTraits = {
  ...{ negation: false, tags: false, bracketedTags: false, has: false, assignment: false, eventFields: false },
  ...{ patterns: false, productNames: false },
  marks: {},
};

/** Returns what a version without the marks of TRACKER_MARKS knows. */
export function withoutTrackerMarks({ marks, ...traits }: ConditionTraits): ConditionTraits {
  const { new: _new, regressed: _regressed, escalating: _escalating, ...others } = marks;
  return { ...traits, marks: others };
}

/** Names that every tracker reads as it is. */
const PLAIN_NAME = /^[A-Za-z][\w.-]*$/;

/** Key and value of a word `key:value`; the value as the tracker reads it. */
type Word = readonly [key: string, value: string];

/** Returns a value as the tracker reads it; null where it knows no beginnings. */
function valueOf(value: string, match: TextMatch | undefined, { patterns }: ConditionTraits): string | null {
  if (match !== 'prefix') return quoted(value);
  return patterns ? quotedStart(value) : null;
}

type TagCondition = Extract<SingleCondition, { readonly field: 'tag' }>;

function tagWord({ key, value, match }: TagCondition, traits: ConditionTraits): Word | null {
  const { tags, bracketedTags, has, productNames } = traits;
  if (!PLAIN_NAME.test(key)) return null;
  if (value === null) return has ? ['has', key] : null;
  const read = valueOf(value, match, traits);
  if (read === null) return null;
  if (searchKeyOf(key) !== undefined) return bracketedTags ? [`tags[${key}]`, read] : null;
  // Values with a digit have a version.
  if (match === 'name' && productNames && !/\d/.test(value)) {
    return [key === 'device' ? 'device.family' : `${key}.name`, read];
  }
  return tags ? [key, read] : null;
}

/** Returns the word for a condition, without its `!`; null when the tracker has none. */
function wordOf(condition: SingleCondition, traits: ConditionTraits): Word | null {
  const withKey = (key: string, value: string | null): Word | null => (value === null ? null : [key, value]);
  switch (condition.field) {
    case 'status':
      return ['is', condition.value];
    case 'level':
      return ['level', condition.value];
    case 'environment':
    case 'release':
      return withKey(condition.field, valueOf(condition.value, condition.match, traits));
    case 'mark': {
      const [key, value] = traits.marks[condition.value]?.split(':') ?? [];
      return key === undefined || value === undefined ? null : [key, value];
    }
    case 'assignee':
      return condition.value === null && traits.assignment ? ['is', 'unassigned'] : null;
    case 'type':
      return traits.eventFields ? withKey('error.type', valueOf(condition.value, condition.match, traits)) : null;
    case 'user': {
      const { value } = condition;
      const field = value.includes('@') ? 'user.email' : isIP(value) === 0 ? null : 'user.ip';
      return traits.eventFields && field !== null ? [field, quoted(value)] : null;
    }
    case 'tag':
      return tagWord(condition, traits);
    default:
      return null;
  }
}

/** Returns the word for conditions of which one must hold; null when the tracker has none. */
function listWord(of: readonly SingleCondition[], traits: ConditionTraits): Word | null {
  // Where a tracker has the name of a product by itself, it is the tag that was asked for.
  const plain = of.filter((each) => each.field !== 'tag' || each.match !== 'name');
  const found = (plain.length === 0 ? of : plain).map((each) => wordOf(each, traits));
  const words = found.filter((word) => word !== null);
  const [first, ...more] = words;
  if (first === undefined || words.length < found.length) return null;
  const [key] = first;
  const values = [...new Set(words.map(([, value]) => value))];
  if (more.some(([other]) => other !== key)) return null;
  if (values.length === 1) return first;
  return traits.patterns && key !== 'is' && key !== 'has' ? [key, `[${values.join(', ')}]`] : null;
}

/** Returns what people wrote for a condition, for messages. */
function writtenSingle(condition: SingleCondition): string {
  switch (condition.field) {
    case 'status':
    case 'mark':
      return `is:${condition.value}`;
    case 'assignee':
      return condition.value === null ? 'is:unassigned' : 'assigned: with a person';
    case 'tag': {
      const star = condition.match === 'prefix' ? '*' : '';
      return condition.value === null ? `has:${condition.key}` : `${condition.key}:${condition.value}${star}`;
    }
    case 'first_seen':
    case 'last_seen':
      return `${condition.field.replace('_', '-')}: between two times`;
    case 'user':
      return 'user: other than by e-mail or IP address';
    case 'level':
      return `level:${condition.value}`;
    default:
      return `${condition.field}:${condition.value}${condition.match === 'prefix' ? '*' : ''}`;
  }
}

function written(condition: SearchCondition): string {
  const [only, ...others] = choicesOf(condition).map(writtenSingle);
  const list = others.length === 0 ? '' : `, or ${others[0] ?? ''}`;
  return `${condition.not ? '!' : ''}${only ?? ''}${list}`;
}

/** Returns a list of statuses as its opposite, where that is one status. */
function oneStatus(condition: SearchCondition): SearchCondition {
  const statuses = statusesIn(condition) ?? [];
  const [other, another] = ERROR_STATUSES.filter((status) => !statuses.includes(status));
  if (statuses.length < 2 || other === undefined || another !== undefined) return condition;
  return { not: !condition.not, field: 'status', value: other };
}

/**
 * Returns the words of a query for conditions. Throws `unsupported_by_tracker`, with the word, for one that the tracker
 * does not have.
 */
export function conditionWords(conditions: readonly SearchCondition[], traits: ConditionTraits): string[] {
  return conditions.map((asked) => {
    const condition = oneStatus(asked);
    const word = listWord(choicesOf(condition), traits)?.join(':');
    if (word === undefined || (condition.not && !traits.negation)) throw unsupported(`search by ${written(asked)}`);
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

/** Replaces the mark `new` by its times, for trackers that do not have the mark. */
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
