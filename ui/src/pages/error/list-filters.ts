import type { LocationQuery } from 'vue-router';
import { DEFAULT_SORT, LEVELS, parseListQuery, toLocationQuery, type ListQuery } from '../errors/list-query.ts';
import { RANGES } from '../errors/time-span.ts';

/** Words of a search that no tag is named by, though they look like `key:value`. */
const OTHER_KEYS =
  /^(is|status|level|env|environment|release|user(\..+)?|file(name)?|(stack|error)\..+|function|type|assign(ed|ee)(_to)?|(first|last)[-_]?seen|age|tag|has)$/i;
/** `key:value` or `key:"some words"`, without a list, a beginning or a negation. */
const TAG_WORD = /(?:^|\s)([^\s:"![\]*]+):(?:"([^"*]+)"|([^\s"*[\]<>]+))(?=\s|$)/g;

/** Tag that a search asks for, as the filter of events has it; empty: none, or more than the filter can name. */
export function tagOf(search: string): string {
  const tags = [...search.matchAll(TAG_WORD)].filter(([, key = '']) => !OTHER_KEYS.test(key));
  const [only] = tags;
  return only === undefined || tags.length > 1 ? '' : `${only[1] ?? ''}:${only[2] ?? only[3] ?? ''}`;
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
  const events = integrated ? { environment, release, tag: tagOf(search) } : {};
  return Object.fromEntries(Object.entries({ ...events, level, range }).filter(([, value]) => value !== ''));
}

/** Whether a list asks for events that are not all of an error's: its numbers are of all. */
export function isNarrowed(query: ListQuery): boolean {
  return ['environment', 'release', 'tag'].some((name) => name in takenAlong(query, true));
}

/** What came along from the list, and is no condition on events: the range of the chart, and the level. */
export function alongOf({ range, level }: LocationQuery): Record<string, string> {
  const known = (value: LocationQuery[string] | undefined, among: readonly string[]) =>
    typeof value === 'string' && among.includes(value) ? value : null;
  const parts = { range: known(range, RANGES), level: known(level, LEVELS) };
  return Object.fromEntries(Object.entries(parts).filter((part): part is [string, string] => part[1] !== null));
}

/** Route of the list with the filters of the address of an error, for a tab that has shown no list yet. */
export function listOf(project: string, { tag, ...query }: LocationQuery) {
  const { environment, release, level, range } = parseListQuery(query);
  const word = typeof tag === 'string' ? /^([^\s:"]+):([^"]+)$/.exec(tag) : null;
  const search = word === null ? '' : `${word[1] ?? ''}:"${word[2] ?? ''}"`;
  const wanted = {
    ...parseListQuery({}),
    ...{ environment, release, level, range, search },
    sort: DEFAULT_SORT,
  } as const;
  return { name: 'errors', params: { project: project.split('/') }, query: toLocationQuery(wanted) };
}
