import { ERROR_STATUSES, type ErrorStatus } from '../errors/error-status.ts';
import { statusesIn, type SearchCondition } from './search-condition.ts';
import { MAX_TAB_COUNT, type ErrorSelection, type SeenBounds, type TabCounts } from './error-query.ts';

type Folded = { -readonly [Member in keyof ErrorSelection]: ErrorSelection[Member] };

type SeenCondition = Extract<SearchCondition, { readonly field: 'first_seen' | 'last_seen' }>;

const latest = (a: number | undefined, b: number | null): number | undefined => (b === null ? a : Math.max(a ?? b, b));
const earliest = (a: number | undefined, b: number | null): number | undefined =>
  b === null ? a : Math.min(a ?? b, b);

/** Narrows the bounds of a query; those of both must hold. */
function narrow(bounds: SeenBounds, { field, after, before }: SeenCondition): SeenBounds {
  const { firstSeenAfter, firstSeenBefore, lastSeenAfter, lastSeenBefore } = bounds;
  const narrowed =
    field === 'first_seen'
      ? {
          ...{ firstSeenAfter: latest(firstSeenAfter, after), firstSeenBefore: earliest(firstSeenBefore, before) },
          ...{ lastSeenAfter, lastSeenBefore },
        }
      : {
          ...{ firstSeenAfter, firstSeenBefore },
          ...{ lastSeenAfter: latest(lastSeenAfter, after), lastSeenBefore: earliest(lastSeenBefore, before) },
        };
  return Object.fromEntries(Object.entries(narrowed).filter(([, bound]) => bound !== undefined));
}

/** Returns a time without its negation, where one of its bounds is open. */
function positive(condition: SearchCondition): SearchCondition {
  if (!condition.not || (condition.field !== 'first_seen' && condition.field !== 'last_seen')) return condition;
  const { field, after, before } = condition;
  if (after !== null && before === null) return { not: false, field, after: null, before: after - 1 };
  if (before !== null && after === null) return { not: false, field, after: before + 1, before: null };
  return condition;
}

/** Moves a condition into the member of the query that means the same. False when there is none, or it is taken. */
function foldInto(query: Folded, condition: SearchCondition, isTracker: boolean): boolean {
  if (condition.not) return false;
  switch (condition.field) {
    case 'level':
      if (query.level !== null) return query.level === condition.value;
      query.level = condition.value;
      return true;
    case 'environment':
    case 'release':
      if (!isTracker || condition.match !== undefined) return false;
      if (query[condition.field] !== null) return query[condition.field] === condition.value;
      query[condition.field] = condition.value;
      return true;
    case 'mark':
      if (condition.value === 'for_review') query.forReview = true;
      return condition.value === 'for_review';
    case 'first_seen':
    case 'last_seen':
      Object.assign(query, narrow(query, condition));
      return true;
    default:
      return false;
  }
}

/**
 * Adds a parsed search to a query. A status in the search takes the place of the query's own. Conditions for which
 * queries have a member of their own become that member, so that backends read them in one place. Releases and
 * environments do so for trackers: errgate compares those of conditions in any case, those of queries as written.
 */
export function withSearch<Q extends ErrorSelection>(
  query: Q,
  text: string | null,
  conditions: readonly SearchCondition[],
  isTracker: boolean,
): Q {
  const folded: Folded = { ...query, search: text };
  const states = conditions.filter((condition) => statusesIn(condition) !== null);
  const [only] = states;
  if (only !== undefined) {
    folded.status = states.length === 1 && only.field === 'status' && !only.not ? only.value : 'all';
  }
  const left = conditions
    .map(positive)
    .filter((condition) =>
      statusesIn(condition) === null ? !foldInto(folded, condition, isTracker) : folded.status === 'all',
    );
  const { conditions: _former, ...rest } = folded;
  return { ...query, ...rest, ...(left.length === 0 ? {} : { conditions: left }) };
}

function isMet(condition: SearchCondition, status: ErrorStatus): boolean {
  const statuses = statusesIn(condition);
  return statuses === null || statuses.includes(status) !== condition.not;
}

/** Returns how many errors a selection matches, of the counts without its statuses. */
export function matchingCount(selection: ErrorSelection, counts: TabCounts): number {
  const fits = (status: ErrorStatus): boolean =>
    (selection.status === 'all' || selection.status === status) &&
    (selection.conditions ?? []).every((condition) => isMet(condition, status));
  if (selection.forReview === true) return fits('unresolved') ? counts.forReview : 0;
  const sum = ERROR_STATUSES.filter(fits).reduce((total, status) => total + counts[status], 0);
  return Math.min(MAX_TAB_COUNT, sum);
}

/** Returns a selection without what its search says about the status: the tabs of a list are statuses themselves. */
export function withoutStatuses(selection: ErrorSelection): ErrorSelection {
  const { conditions = [], ...rest } = selection;
  const left = conditions.filter((condition) => statusesIn(condition) === null);
  return left.length === 0 ? rest : { ...rest, conditions: left };
}
