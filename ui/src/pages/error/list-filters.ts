import type { LocationQuery } from 'vue-router';
import { DEFAULT_SORT, LEVELS, parseListQuery, toLocationQuery, type ListQuery } from '../errors/list-query.ts';
import { RANGES } from '../errors/time-span.ts';

const parts = new Intl.ListFormat('en', { type: 'disjunction' });

/** Keys of a search that name an error, or text of it, though they look like tags. */
const ERROR_KEYS =
  /^(is|status|level|file(name)?|(stack|error)\..+|function|type|assign(ed|ee)(_to)?|assigned_or_suggested|(first|last)[-_]?seen|age|message|title|culprit|transaction)$/i;
/** Keys of a search that name events by something else than a tag. */
const EVENT_KEYS = [
  [/^env(ironment)?$/i, 'environment'],
  [/^release$/i, 'release'],
  [/^user(\..+)?$/i, 'user'],
  [/^url\.(host|path)$/i, 'URL'],
] as const;
/** `key:value` as the service reads it: not `http://…`, `std::…` and `C:\…`, which are text. Quoted text has no key. */
const TERM = /(?<=^|\s)(?:"[^"]*"|([a-z][\w.-]+):(?!\/\/|:|\\(?!\*))("[^"]*"|\[[^\]]*\]|[^\s"]\S*))(?=\s|$)/giu;

interface Term {
  /** What it narrows events by; null: nothing, it names an error. */
  readonly by: 'environment' | 'release' | 'user' | 'URL' | 'tag' | null;
  readonly key: string;
  /** As written. */
  readonly value: string;
}

/** Conditions of a search that do not exclude, in their order. */
function termsOf(search: string): Term[] {
  return [...search.matchAll(TERM)].flatMap(([, key, value = '']) => {
    if (key === undefined) return [];
    const known = EVENT_KEYS.find(([name]) => name.test(key));
    return [{ by: ERROR_KEYS.test(key) ? null : (known?.[1] ?? 'tag'), key, value }];
  });
}

/** Value of a term that the filter of events can have; empty for lists, beginnings and comparisons. */
function plainValue({ value }: Term): string {
  const plain = value.replaceAll(/^"|"$/g, '');
  return /[*"]/.test(plain) || /^[[<>]/.test(value) ? '' : plain;
}

/** Tag that a search asks for, as the filter of events has it; empty: none, or more than the filter can name. */
export function tagOf(search: string): string {
  const [only, ...others] = termsOf(search).filter(({ by }) => by === 'tag');
  if (only === undefined || others.length > 0 || /^(tag|has)$/i.test(only.key)) return '';
  const value = plainValue(only);
  return value === '' ? '' : `${only.key}:${value}`;
}

/** User that a search asks for; empty: none, or several. */
function userOf(search: string): string {
  const [only, ...others] = termsOf(search).filter(({ by }) => by === 'user');
  return only === undefined || others.length > 0 ? '' : plainValue(only);
}

/** Query with which the errors of a list are opened, so that what it filters goes along. */
export function takenAlong(
  {
    environment,
    release,
    level,
    range,
    search,
  }: Pick<ListQuery, 'environment' | 'release' | 'level' | 'range' | 'search'>,
  /** False: the external tracker does not filter events. */
  integrated: boolean,
): Record<string, string> {
  const events = integrated ? { environment, release, user: userOf(search), tag: tagOf(search) } : {};
  return Object.fromEntries(Object.entries({ ...events, level, range }).filter(([, value]) => value !== ''));
}

/** Filters of a list that its numbers ignore, because these are of all events of an error: `tag or user`. */
export function narrowedBy({
  environment,
  release,
  search,
}: Pick<ListQuery, 'environment' | 'release' | 'search'>): string {
  const named = new Set<Term['by']>(termsOf(search).map(({ by }) => by));
  if (environment !== '') named.add('environment');
  if (release !== '') named.add('release');
  return parts.format((['environment', 'release', 'user', 'URL', 'tag'] as const).filter((by) => named.has(by)));
}

/** What came along from the list, and is no condition on events: the range of the chart, and the level. */
export function alongOf({ range, level }: LocationQuery): Record<string, string> {
  const known = (value: LocationQuery[string] | undefined, among: readonly string[]) =>
    typeof value === 'string' && among.includes(value) ? value : null;
  const parts = { range: known(range, RANGES), level: known(level, LEVELS) };
  return Object.fromEntries(Object.entries(parts).filter((part): part is [string, string] => part[1] !== null));
}

/** Route of the list with the filters of the address of an error, for a tab that has shown no list yet. */
export function listOf(project: string, { tag, user, ...query }: LocationQuery) {
  const { environment, release, level, range } = parseListQuery(query);
  const named = typeof tag === 'string' ? /^([^\s:"]+):([^"]+)$/.exec(tag) : null;
  const words = [
    ...(typeof user === 'string' && /^[^"]+$/.test(user) ? [`user:"${user}"`] : []),
    ...(named === null ? [] : [`${named[1] ?? ''}:"${named[2] ?? ''}"`]),
  ];
  const wanted = {
    ...parseListQuery({}),
    ...{ environment, release, level, range, search: words.join(' ') },
    sort: DEFAULT_SORT,
  } as const;
  return { name: 'errors', params: { project: project.split('/') }, query: toLocationQuery(wanted) };
}
