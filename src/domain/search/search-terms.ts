import { MARKS } from '../errors/error-marks.ts';
import { LEVELS } from '../events/event.ts';
import { anyOf, type SearchCondition, type SingleCondition } from './search-condition.ts';
import { choiceOf, searchKeyEntry, searchKeyOf, type SearchKey, type SearchValueKind } from './search-keys.ts';
import { parseSeen, SEEN_FORMS } from './seen-range.ts';
import type { EmptyTerm, SearchTerm } from './split-search.ts';
import { ERROR_STATUSES } from '../errors/error-status.ts';
import { listProblem, matchedText, tagIs } from './tag-terms.ts';
import type { TermValue } from './term-value.ts';

/** People that a search may name. */
interface SearchPeople {
  /** User that asks; null: none in particular. */
  readonly me: number | null;
  /** Ids of members by username in lower case. */
  readonly people: ReadonlyMap<string, number>;
}

/** Names that a search may use, and when it is asked. */
export interface SearchNames extends SearchPeople {
  /** Time of the question in milliseconds. */
  readonly now: number;
  /** Names of tags that may stand as a key; null: any may, unless it is nearly the name of a key. */
  readonly tags: ReadonlySet<string> | null;
}

function oneOf(key: SearchKey): string {
  const values = searchKeyEntry(key).values ?? [];
  return `${key}: takes ${values.slice(0, -1).join(', ')} or ${values.at(-1) ?? ''}.`;
}

function is({ not, values }: SearchTerm): SearchCondition | string {
  const of: SingleCondition[] = [];
  for (const { text } of values) {
    const word = choiceOf('is', text);
    const status = ERROR_STATUSES.find((known) => known === word);
    const mark = MARKS.find((known) => known === word);
    if (status !== undefined) of.push({ field: 'status', value: status });
    else if (mark !== undefined) of.push({ field: 'mark', value: mark });
    else if (word === undefined) return oneOf('is');
    else if (values.length > 1) return LISTS_OF_IS;
    else return { not: word === 'assigned' ? !not : not, field: 'assignee', value: null };
  }
  return new Set(of.map(({ field }) => field)).size > 1 ? LISTS_OF_IS : anyOf(not, of);
}

const LISTS_OF_IS = 'is: a list has statuses alone or marks alone: is:[resolved,ignored] or is:[new,regressed].';

function assigned(text: string, { me, people }: SearchPeople): SingleCondition | string {
  const name = text.replace(/^@/, '').toLowerCase();
  if (name === 'none') return { field: 'assignee', value: null };
  const id = name === 'me' ? me : (people.get(name) ?? null);
  if (id === null) return `No member of this project has the username ${text}: use me, none or a username.`;
  return { field: 'assignee', value: id };
}

function seen(key: 'first-seen' | 'last-seen', text: string, now: number): SingleCondition | string {
  const range = parseSeen(text, now);
  if (range === null) return `${key}: takes a time such as ${SEEN_FORMS}.`;
  return { field: key === 'first-seen' ? 'first_seen' : 'last_seen', ...range };
}

function tag({ text, stars }: TermValue): SingleCondition | string {
  const equals = text.indexOf('=');
  const name = equals === -1 ? text : text.slice(0, equals);
  if (name === '' || equals === text.length - 1) return 'tag: takes the name of a tag and its value: tag:name=value.';
  if (stars.some((at) => at < name.length)) return has('tag');
  if (equals === -1) return { field: 'tag', key: name, value: null };
  const start = equals + 1;
  const value = { text: text.slice(start), stars: stars.map((at) => at - start) };
  const matched = matchedText(`tag:${name}=`, value);
  return typeof matched === 'string' ? matched : tagIs(name, matched);
}

function has(key: 'tag' | 'has'): string {
  return `${key}: takes the whole name of a tag: * stands only at the end of its value, as in tag:name=start*.`;
}

/** Returns whether a `*` belongs to a pointer of Go, as in `main.(*Server).run`. */
function isPointer(text: string, at: number): boolean {
  return text[at - 1] === '(' && at < text.length - 1;
}

function text(
  key: 'environment' | 'release' | 'file' | 'function' | 'type' | 'url.host' | 'url.path',
  value: TermValue,
): SingleCondition | string {
  const matched = matchedText(key, value, key === 'function' ? isPointer : undefined);
  if (typeof matched === 'string') return matched;
  if (!matched.isPrefix) return { field: key, value: matched.text };
  if (key === 'environment' || key === 'release') {
    return matched.text === '' ? tagIs(key, matched) : { field: key, value: matched.text, match: 'prefix' };
  }
  return matched.text.trim() === ''
    ? `${key}: * needs at least one character before it, as in ${key}:start*.`
    : { field: key, value: matched.text, match: 'prefix' };
}

function user({ text, stars }: TermValue): SingleCondition | string {
  return stars.length === 0
    ? { field: 'user', value: text }
    : 'user: takes a whole id, e-mail address, user name or IP address, without *, because they are stored as hashes. Write for example user:ada@example.com, or choose a suggestion.';
}

/** Values in messages, by kind. */
const EXAMPLES: Readonly<Record<Exclude<SearchValueKind, 'choice'>, string>> = {
  ...{ text: 'value', person: 'me', time: '-24h', tag: 'name' },
};

/** Keys that are tags of every event with a value, too. */
const TAG_KEYS: readonly string[] = ['level', 'environment', 'release', 'url.host'] satisfies SearchKey[];

/** Returns whether a name is one of a key and not of a tag, unless events have a tag called so. */
export function isFieldName(name: string): boolean {
  return searchKeyOf(name) !== undefined && !TAG_KEYS.includes(name);
}

/** What to search for instead of the presence of a key, where an example of its value does not say it. */
const INSTEAD: Readonly<Partial<Record<SearchKey, string>>> = {
  ...{ assigned: 'is:assigned', user: 'user:ada@example.com', 'url.path': 'has:url' },
};

/** Returns what is wrong with a name in `has`; null: nothing. Of external trackers tags are not known: null. */
function hasProblem({ not, values }: SearchTerm, { tags }: SearchNames): string | null {
  const name = values.find(({ text }) => tags !== null && !tags.has(text) && isFieldName(text))?.text ?? '';
  const key = searchKeyOf(name);
  if (key === undefined) return null;
  const before = not ? '!' : '';
  const instead = TAG_KEYS.includes(key) ? `has:${key}` : (INSTEAD[key] ?? `${key}:${exampleOf(key)}`);
  return `has: takes the name of a tag, and ${name} is a field: no error seen lately has a tag called ${name}. Write ${before}${instead}, or ${before}tag:${name} for an older tag of that name.`;
}

function exampleOf(key: SearchKey): string {
  const { kind, values } = searchKeyEntry(key);
  return kind === 'choice' ? (values?.[0] ?? '') : EXAMPLES[kind];
}

/** Returns what became of a key that a space follows, and how to search by it. ASCII. */
export function withoutValue(key: SearchKey, { not, next }: EmptyTerm): string {
  const { kind } = searchKeyEntry(key);
  const isValue = next !== null && /^[ -~]+$/.test(next) && !next.endsWith(':');
  const usable =
    isValue && (kind !== 'choice' || choiceOf(key, next) !== undefined) && (kind !== 'time' || /^[-+<>\d]/.test(next));
  const term = `${not ? '!' : ''}${key}:${usable ? next : exampleOf(key)}`;
  return `${key}: was searched for as text, because no value follows it at once. To search by it write ${term}`;
}

function single(key: Exclude<SearchKey, 'is'>, value: TermValue, names: SearchNames): SingleCondition | string {
  switch (key) {
    case 'level': {
      const level = LEVELS.find((known) => known === choiceOf('level', value.text));
      return level === undefined ? oneOf('level') : { field: 'level', value: level };
    }
    case 'environment':
    case 'release':
    case 'file':
    case 'function':
    case 'type':
    case 'url.host':
    case 'url.path':
      return text(key, value);
    case 'user':
      return user(value);
    case 'assigned':
      return assigned(value.text, names);
    case 'first-seen':
    case 'last-seen':
      return seen(key, value.text, names.now);
    case 'tag':
      return tag(value);
    case 'has':
      return value.stars.length > 0 ? has('has') : { field: 'tag', key: value.text, value: null };
  }
}

/** Returns the condition of a term; a sentence about what is wrong with it when there is none. */
export function conditionOf(key: SearchKey, term: SearchTerm, names: SearchNames): SearchCondition | string {
  const wrong = listProblem(term);
  if (wrong !== null) return wrong;
  if (term.values.some((value) => value.text === '')) return `${key}: has no value.`;
  if (key === 'is') return is(term);
  const notTag = key === 'has' ? hasProblem(term, names) : null;
  if (notTag !== null) return notTag;
  const of: SingleCondition[] = [];
  for (const value of term.values) {
    const read = single(key, value, names);
    if (typeof read === 'string') return read;
    of.push(read);
  }
  return anyOf(term.not, of);
}
