import { withSearch } from '../../domain/search/fold-search.ts';
import type { SearchCondition } from '../../domain/search/search-condition.ts';
import { SEARCH_KEYS, type SearchKey } from '../../domain/search/search-keys.ts';
import { startOf } from '../../domain/search/time-range.ts';
import type { ErrorFilter, ErrorQuery } from '../../domain/search/error-query.ts';
import { conditionKeys, conditionWords, withoutNew } from './condition-words.ts';
import type { Dialect } from './dialect.ts';
import { unsupported } from '../http/refused.ts';
import { seenFilters } from './seen-bounds.ts';

/**
 * Returns a query in which time ranges are bounds of times, which trackers may have, and so is the mark `new` where the
 * tracker does not name it. Throws `unsupported_by_tracker` for a range or a review that the tracker does not have.
 */
export function trackerSelection(query: ErrorQuery, dialect: Dialect, now: number): ErrorQuery {
  const { range, forReview, conditions = [], ...rest } = query;
  if (range !== undefined && dialect.boundsIn !== 'query') throw unsupported('filter by a time range');
  if (forReview === true && dialect.conditions.marks.for_review === undefined) throw unsupported('filter by reviews');
  const since = range === undefined ? undefined : startOf(range, now);
  const lastSeenAfter =
    since === undefined ? rest.lastSeenAfter : Math.max(since, rest.lastSeenAfter ?? Number.NEGATIVE_INFINITY);
  const bounded: ErrorQuery = {
    ...rest,
    ...(lastSeenAfter === undefined ? {} : { lastSeenAfter }),
    ...(forReview === true ? { forReview } : {}),
  };
  const known = dialect.conditions.marks.new === undefined ? withoutNew(conditions, now) : conditions;
  return withSearch(bounded, bounded.search, known, true);
}

/** Returns the words of a query for its conditions and for a review. */
export function wordsOf({ conditions = [], forReview }: ErrorQuery, { conditions: traits }: Dialect): string[] {
  const review: readonly SearchCondition[] =
    forReview === true ? [{ not: false, field: 'mark', value: 'for_review' }] : [];
  return conditionWords([...conditions, ...review], traits);
}

/** Returns the filters of a tracker that are not in `TRACKER_FILTERS`. */
export function moreFilters({ boundsIn, conditions }: Dialect): ErrorFilter[] {
  return [
    ...seenFilters(boundsIn),
    ...(boundsIn === 'query' ? (['range'] as const) : []),
    ...(conditions.marks.for_review === undefined ? [] : (['for_review'] as const)),
    'conditions',
  ];
}

/** Returns the keys that searches of a tracker may have. */
export function trackerKeys({ boundsIn, conditions, unsupportedFilters }: Dialect): SearchKey[] {
  const known = new Set<SearchKey>(['is', ...conditionKeys(conditions)]);
  for (const filter of ['level', 'environment', 'release'] as const) {
    if (!unsupportedFilters.has(filter)) known.add(filter);
  }
  if (boundsIn !== null) known.add('first-seen');
  if (boundsIn === 'query') known.add('last-seen');
  return SEARCH_KEYS.filter((key) => known.has(key));
}
