import { LEVELS, STATUSES, type ListQuery } from './list-query.ts';

/** Search text split into filters and the rest. */
export interface ReadSearch {
  /** Filters named by `key:value` words; empty without any. */
  readonly filters: Partial<Pick<ListQuery, 'status' | 'level' | 'environment' | 'release'>>;
  /** Search text without those words. */
  readonly rest: string;
  /** Message about a word that is no valid filter; empty if all are. */
  readonly problem: string;
}

/** `key:value` or `key:"some words"`, with `!` in front to exclude; not `http://…`, `std::…` or a lone `key:`. */
const WORD = /(?<=^|\s)(!?)([a-z][a-z0-9_.-]*):("[^"]+"|[^\s:/"][^\s]*)(?=\s|$)/gi;

/** Synonyms of filter values in other trackers. */
const SYNONYMS: Readonly<Record<string, string>> = { archived: 'ignored', warn: 'warning' };

export const SEARCHED_ONLY = 'Search looks at title, message, type and culprit only.';

type Filters = { -readonly [K in keyof ReadSearch['filters']]: ReadSearch['filters'][K] };

function listed(values: readonly string[]): string {
  return `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}

/** Adds the filter of a word; returns a message if it is none, otherwise an empty string. */
function read(filters: Filters, key: string, value: string): string {
  const plain = value.toLowerCase();
  const word = SYNONYMS[plain] ?? plain;
  switch (key) {
    case 'is':
    case 'status': {
      const status = STATUSES.find((each) => each === word);
      if (status === undefined) return `${key}: takes ${listed(STATUSES)}.`;
      filters.status = status;
      return '';
    }
    case 'level': {
      const level = LEVELS.find((each) => each === word);
      if (level === undefined) return `level: takes ${listed(LEVELS)}.`;
      filters.level = level;
      return '';
    }
    case 'env':
    case 'environment':
      filters.environment = value;
      return '';
    case 'release':
      filters.release = value;
      return '';
    default:
      return SEARCHED_ONLY;
  }
}

/** Parses search syntax of other trackers, such as `is:resolved level:fatal timeout`. */
export function readSearch(text: string): ReadSearch {
  const filters: Filters = {};
  let problem = '';
  const rest = text.replaceAll(WORD, (whole: string, not: string, key: string, value: string) => {
    const why = not === '' ? read(filters, key.toLowerCase(), value.replaceAll('"', '')) : SEARCHED_ONLY;
    if (why !== '') problem = why;
    return why === '' ? '' : whole;
  });
  return { filters, rest: rest.trim().replaceAll(/\s+/g, ' '), problem };
}

const LABELS = { status: 'status', level: 'level', environment: 'environment', release: 'release' } as const;

/** Lists filters in words: `status resolved, level fatal`. */
export function filterText(filters: ReadSearch['filters']): string {
  const names = Object.keys(LABELS) as (keyof typeof LABELS)[];
  return names
    .filter((name) => filters[name] !== undefined)
    .map((name) => `${LABELS[name]} ${filters[name]}`)
    .join(', ');
}
