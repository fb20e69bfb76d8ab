import { LEVELS, type Level } from '../../../domain/events/event.ts';
import { TIME_RANGES, type TimeRange } from '../../../domain/search/time-range.ts';
import { TO_RANK, WITH_FACTS } from './error-documents.ts';

/** Key of an index: members in order, with their direction. Hints give it, because a hand-made index has another name. */
export type IndexKey = Readonly<Record<string, 1 | -1>>;

/** Returns the key of the index for an order of lists: of each status, by a member, then by number. */
export const orderKey = (member: string): IndexKey => ({ p: 1, st: 1, [member]: -1, id: -1 });

/** Keys of the indexes that queries ask for by a hint. */
export const ERROR_KEYS = {
  byNumber: { p: 1, id: 1 },
  byRoot: { into: 1, p: 1 },
  byAssignee: { p: 1, as: 1 },
  byTerm: { p: 1, tm: 1 },
  byLevel: { p: 1, st: 1, 'last.level': 1 },
  forReview: { p: 1, ask: -1 },
  regressed: { p: 1, 'reg.at': -1 },
  escalated: { p: 1, 'esc.at': -1 },
} as const satisfies Readonly<Record<string, IndexKey>>;

/** Most errors have this level: an entry for each in `by_level` would help no search. */
const USUAL_LEVEL: Level = 'error';

/**
 * Levels that `by_level` has: those behind the usual one in the order of texts. A condition with `$in` would add `debug`,
 * but servers differ in which queries they take to imply it.
 */
export const INDEXED_LEVELS: readonly Level[] = LEVELS.filter((level) => level > USUAL_LEVEL);

/** Index of errors with events in a range, by their number. */
const countedIn = (range: TimeRange) =>
  ({
    name: `by_count_${range}`,
    key: orderKey(`rg.${range}`),
    partialFilterExpression: { [`rg.${range}`]: { $gt: 0 } },
  }) as const;

const mergedCountedIn = (range: TimeRange) => mergedBy(`merged_by_count_${range}`, `g.rg.${range}`);

const mergedBy = (name: string, member: `g.${string}`) =>
  ({ name, key: orderKey(member), partialFilterExpression: { g: { $exists: true } } }) as const;

/**
 * Indexes of errors. Each sort has one, read in order per status; a list of all statuses merges three ranges. `merged_…`
 * have few entries.
 */
export const ERROR_INDEXES = [
  { name: 'by_last_seen', key: orderKey('last.at') },
  { name: 'by_first_seen', key: orderKey('first.at') },
  { name: 'by_count', key: orderKey('c') },
  { name: 'by_users', key: orderKey('u') },
  // Needs no unique index: the counter assigns each number once. A unique index would exclude the shard key {p,
  // _id}.
  { name: 'by_number', key: ERROR_KEYS.byNumber },
  // Counts the new errors of a release.
  { name: 'by_first_release', key: { p: 1, 'first.release': 1, into: 1 } },
  // Few entries: only users merge errors.
  { name: 'by_root', key: ERROR_KEYS.byRoot, partialFilterExpression: { into: { $gte: 1 } } },
  // Few entries: errors that are ignored until a time.
  { name: 'by_mute', key: { mt: 1 }, partialFilterExpression: { mt: { $gt: 0 } } },
  // Errors of a release. An event changes it only when it is the first of its error in the release.
  { name: 'by_release', key: { p: 1, rel: 1, id: -1 } },
  // Few entries: errors whose status waits for something.
  { name: 'by_details', key: { p: 1, st: 1, det: 1 }, partialFilterExpression: { det: { $gt: '' } } },
  { name: 'by_assignee', key: ERROR_KEYS.byAssignee, partialFilterExpression: { as: { $gt: 0 } } },
  // Few entries: errors whose facts are not in the log of alerts yet.
  { name: 'pending', key: { pn: 1 }, partialFilterExpression: WITH_FACTS },
  { name: 'by_term', key: ERROR_KEYS.byTerm, partialFilterExpression: { tm: { $exists: true } } },
  { name: 'by_level', key: ERROR_KEYS.byLevel, partialFilterExpression: { 'last.level': { $gt: USUAL_LEVEL } } },
  // Few entries: errors that ask for a review, and those with a mark.
  { name: 'for_review', key: ERROR_KEYS.forReview, partialFilterExpression: { ask: { $gt: 0 } } },
  { name: 'regressed', key: ERROR_KEYS.regressed, partialFilterExpression: { 'reg.at': { $gt: 0 } } },
  { name: 'escalated', key: ERROR_KEYS.escalated, partialFilterExpression: { 'esc.at': { $gt: 0 } } },
  // Few entries: errors with new events since the last ranking, and those with events in the last 30 days.
  { name: 'to_rank', key: { dq: 1 }, partialFilterExpression: TO_RANK },
  { name: 'rank_due', key: { due: 1 }, partialFilterExpression: { due: { $gt: 0 } } },
  // Ranked errors only, so that a new error costs nothing.
  { name: 'by_matters', key: orderKey('rk'), partialFilterExpression: { rk: { $exists: true } } },
  ...TIME_RANGES.map(countedIn),
  ...TIME_RANGES.map(mergedCountedIn),
  mergedBy('merged_by_matters', 'g.rk'),
  mergedBy('merged_by_last_seen', 'g.last.at'),
  mergedBy('merged_by_first_seen', 'g.first.at'),
  mergedBy('merged_by_count', 'g.c'),
  mergedBy('merged_by_users', 'g.u'),
] as const;
