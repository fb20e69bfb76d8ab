import { AppError } from '../domain/app-error.ts';
import type { ErrorQuery, SeenBounds } from '../domain/search/error-query.ts';
import { listIssues } from './endpoints/list-issues.ts';
import { unsupported } from './http/refused.ts';
import { searchQuery, TRACKER_FILTERS, type TrackerFilter } from './dialect/search-query.ts';
import { type BoundsPlace, boundWords, missingBound } from './dialect/seen-bounds.ts';
import type { TrackerSession } from './session.ts';

/** Value that matches no environment, release, level or error. */
const IMPOSSIBLE = 'errgate-probe-7d1f42c09b';

/** Time before which all errors began. */
const FAR = Date.parse('2999-01-01T00:00:00Z');

/** Returns true when the tracker lists errors for an impossible filter; null when it refuses the request. */
async function showsAny(session: TrackerSession, query: string, environment: string | null): Promise<boolean | null> {
  try {
    const { rows } = await listIssues(session, { query, sort: 'last_seen', environment, limit: 1, cursor: null });
    return rows.length > 0;
  } catch (error) {
    const status = error instanceof AppError && error.code === 'tracker_refused' ? error.details?.status : null;
    if (status === 400 || status === 422) return null;
    throw error;
  }
}

const EVERYTHING = { status: 'all', level: null, release: null, search: null } as const;

/**
 * Tests each filter of an unknown tracker with an impossible value: ignored filters still list errors. Inconclusive for
 * a project without errors.
 */
export async function probeFilters(session: TrackerSession): Promise<void> {
  const { dialect } = session;
  if ((await showsAny(session, '', null)) !== true) return;
  const queries: Readonly<Record<Exclude<TrackerFilter, 'environment'>, string>> = {
    release: searchQuery({ ...EVERYTHING, release: IMPOSSIBLE }),
    level: `level:${IMPOSSIBLE}`,
    search: searchQuery({ ...EVERYTHING, search: IMPOSSIBLE }),
  };
  for (const [filter, query] of Object.entries(queries) as [TrackerFilter, string][]) {
    if ((await showsAny(session, query, null)) === true) dialect.unsupportedFilters.add(filter);
  }
  const inQuery = searchQuery({ ...EVERYTHING, environment: IMPOSSIBLE });
  if ((await showsAny(session, '', IMPOSSIBLE)) === false) {
    dialect.environmentIn = 'parameter';
  } else if ((await showsAny(session, inQuery, null)) === false) {
    dialect.environmentIn = 'query';
  } else {
    dialect.unsupportedFilters.add('environment');
  }
  dialect.boundsIn = await findBoundsPlace(session);
  dialect.filtersProbed = true;
}

/**
 * Finds whether a tracker knows the words for bounds of times: an impossible bound must leave no error, and a wide one
 * some, because words that a tracker does not know may be read as text that no error has.
 */
async function findBoundsPlace(session: TrackerSession): Promise<BoundsPlace | null> {
  const shows = (bounds: SeenBounds): Promise<boolean | null> =>
    showsAny(session, searchQuery({ ...EVERYTHING, bounds: boundWords(bounds) }), null);
  const knows = (await shows({ firstSeenAfter: FAR })) === false && (await shows({ firstSeenBefore: FAR })) === true;
  return knows ? 'query' : null;
}

/** Same as `probeFilters`, but leaves filters unknown when the tracker fails, as `probeSorts` does for sorts. */
export async function probeFiltersIfAble(session: TrackerSession): Promise<void> {
  try {
    await probeFilters(session);
  } catch (error) {
    if (!(error instanceof AppError) || !error.code.startsWith('tracker_')) throw error;
  }
}

/**
 * Throws `unsupported_by_tracker` for a filter that the tracker ignores, because the list would contain other errors.
 */
export async function checkFilters(session: TrackerSession, query: ErrorQuery): Promise<void> {
  const { dialect } = session;
  const asked = TRACKER_FILTERS.filter((filter) => query[filter] !== null && query[filter] !== '');
  const hasBounds = missingBound(query, null) !== null;
  if ((asked.length > 0 || hasBounds) && !dialect.filtersProbed) await probeFilters(session);
  if (missingBound(query, dialect.boundsIn) !== null) throw unsupported('filter by time');
  const missing = asked.find((filter) => dialect.unsupportedFilters.has(filter));
  if (missing !== undefined) throw unsupported(missing === 'search' ? 'search' : `filter by ${missing}`);
}
