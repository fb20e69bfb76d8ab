import { MARKS } from './error-marks.ts';
import { LEVELS } from './event.ts';
import type { SearchCondition } from './search-condition.ts';
import { choiceOf, searchKeyEntry, type SearchKey, type SearchValueKind } from './search-keys.ts';
import { parseSeen, SEEN_FORMS } from './seen-range.ts';
import type { EmptyTerm, SearchTerm } from './split-search.ts';
import { ERROR_STATUSES } from './error-status.ts';

/** People that a search may name. */
export interface SearchPeople {
  /** User that asks; null: nobody in particular. */
  readonly me: number | null;
  /** Ids of members by username in lower case. */
  readonly people: ReadonlyMap<string, number>;
}

function oneOf(key: SearchKey): string {
  const values = searchKeyEntry(key).values ?? [];
  return `${key}: takes ${values.slice(0, -1).join(', ')} or ${values.at(-1) ?? ''}.`;
}

function is({ value, not }: SearchTerm): SearchCondition | string {
  const word = choiceOf('is', value);
  const status = ERROR_STATUSES.find((known) => known === word);
  if (status !== undefined) return { not, field: 'status', value: status };
  const mark = MARKS.find((known) => known === word);
  if (mark !== undefined) return { not, field: 'mark', value: mark };
  if (word === undefined) return oneOf('is');
  return { not: word === 'assigned' ? !not : not, field: 'assignee', value: null };
}

function assigned({ value, not }: SearchTerm, { me, people }: SearchPeople): SearchCondition | string {
  const name = value.replace(/^@/, '').toLowerCase();
  if (name === 'none') return { not, field: 'assignee', value: null };
  const id = name === 'me' ? me : (people.get(name) ?? null);
  if (id === null) return `No member of this project has the username ${value}: use me, none or a username.`;
  return { not, field: 'assignee', value: id };
}

function seen(key: 'first-seen' | 'last-seen', { value, not }: SearchTerm, now: number): SearchCondition | string {
  const range = parseSeen(value, now);
  if (range === null) return `${key}: takes a time such as ${SEEN_FORMS}.`;
  return { not, field: key === 'first-seen' ? 'first_seen' : 'last_seen', ...range };
}

function tag({ value, not }: SearchTerm): SearchCondition | string {
  const equals = value.indexOf('=');
  const name = equals === -1 ? value : value.slice(0, equals);
  if (name === '' || equals === value.length - 1) return 'tag: takes the name of a tag and its value: tag:name=value.';
  return { not, field: 'tag', key: name, value: equals === -1 ? null : value.slice(equals + 1) };
}

/** Values in messages, by kind. */
const EXAMPLES: Readonly<Record<Exclude<SearchValueKind, 'choice'>, string>> = {
  ...{ text: 'value', person: 'me', time: '-24h', tag: 'name' },
};

/** Returns what is wrong with a key that a space follows, and how to write it. */
export function withoutValue(key: SearchKey, { key: written, word, next }: EmptyTerm): string {
  const { kind, values } = searchKeyEntry(key);
  const example = kind === 'choice' ? (values?.[0] ?? '') : EXAMPLES[kind];
  const usable = next !== null && !next.endsWith(':') && (kind !== 'choice' || choiceOf(key, next) !== undefined);
  return `${written}: has no value. Write it without a space: ${word}${usable ? next : example}`;
}

/** Returns the condition of a term; a sentence about what is wrong with it when there is none. */
export function conditionOf(
  key: SearchKey,
  term: SearchTerm,
  names: SearchPeople & { readonly now: number },
): SearchCondition | string {
  const { value, not } = term;
  if (value === '') return `${key}: has no value.`;
  switch (key) {
    case 'is':
      return is(term);
    case 'level': {
      const level = LEVELS.find((known) => known === choiceOf('level', value));
      return level === undefined ? oneOf('level') : { not, field: 'level', value: level };
    }
    case 'environment':
    case 'release':
    case 'user':
    case 'file':
    case 'function':
    case 'type':
      return { not, field: key, value };
    case 'assigned':
      return assigned(term, names);
    case 'first-seen':
    case 'last-seen':
      return seen(key, term, names.now);
    case 'tag':
      return tag(term);
    case 'has':
      return { not, field: 'tag', key: value, value: null };
  }
}
