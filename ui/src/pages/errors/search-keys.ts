import { LEVELS, type ListQuery } from './list-query.ts';
import { TABS } from './list-tabs.ts';

/** Filters with a control of their own. */
type WordFilters = Partial<Pick<ListQuery, 'status' | 'for_review' | 'level' | 'environment' | 'release'>>;

/** Search text split into filters with a control, and the rest. */
export interface ReadSearch {
  /** Filters named by `key:value` words; empty without any. */
  readonly filters: WordFilters;
  /** Search text without those words. The service reads its other words. */
  readonly rest: string;
}

/** `key:value` or `key:"some words"` of the keys with a control. */
const WORD = /(?<=^|\s)(is|status|level|env|environment|release):("[^"]+"|[^\s:/"][^\s]*)(?=\s|$)/gi;

/** Quoted words, and words that join conditions. */
const JOINING = /"[^"]*"|(?<=^|\s)(?:AND|OR)(?=\s|$)/g;

/** Synonyms of filter values in other trackers. */
const SYNONYMS: Readonly<Record<string, string>> = {
  archived: 'ignored',
  muted: 'ignored',
  'for-review': 'for_review',
  warn: 'warning',
};

/** Control that each key belongs to. */
const CONTROLS: Readonly<Record<string, 'tab' | 'level' | 'environment' | 'release'>> = {
  is: 'tab',
  status: 'tab',
  level: 'level',
  env: 'environment',
  environment: 'environment',
  release: 'release',
};

/**
 * Filter of a word; null when its control has no such value, such as for `is:new`. Beginnings, lists, and versions
 * without their package are left to the service.
 */
function filterOf(control: 'tab' | 'level' | 'environment' | 'release', value: string): WordFilters | null {
  if (/[*[]/.test(value) || (control === 'release' && !value.includes('@'))) return null;
  if (control === 'environment' || control === 'release') return { [control]: value };
  const plain = value.toLowerCase();
  const word = SYNONYMS[plain] ?? plain;
  if (control === 'tab') return TABS.find(({ key }) => key === word)?.part ?? null;
  const level = LEVELS.find((each) => each === word);
  return level === undefined ? null : { level };
}

/**
 * Takes the words out of a search that have a control of their own: status, level, environment and release. Of a key
 * that occurs more than once all words stay, because a control has one value.
 */
export function readSearch(given: string): ReadSearch {
  // The service says what to write for an OR.
  if ([...given.matchAll(JOINING)].some(([word]) => word === 'OR')) return { filters: {}, rest: given.trim() };
  // An AND that joined a condition would be left at an end of the rest.
  const text = given.search(WORD) === -1 ? given : given.replaceAll(JOINING, (word) => (word === 'AND' ? '' : word));
  const controls = [...text.matchAll(WORD)].map(([, key = '']) => CONTROLS[key.toLowerCase()]);
  let filters: WordFilters = {};
  const rest = text.replaceAll(WORD, (whole: string, key: string, value: string) => {
    const control = CONTROLS[key.toLowerCase()];
    if (control === undefined || controls.filter((each) => each === control).length > 1) return whole;
    const filter = filterOf(control, value.replaceAll('"', ''));
    if (filter === null) return whole;
    filters = { ...filters, ...filter };
    return '';
  });
  return { filters, rest: rest.trim().replaceAll(/\s+/g, ' ') };
}
