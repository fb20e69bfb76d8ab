import type { BaseResult, ImportedCounts } from '../../domain/imports/import.ts';

/** Base of an imported error, as stored with its last counts. */
export interface StoredBase {
  readonly baseCount: number;
  readonly baseUsers: number | null;
  /** Count of the tracker when the base was taken, and its time; null: never taken. */
  readonly trackerCount: number | null;
  readonly baseAt: number | null;
}

export interface NewBase {
  readonly result: BaseResult;
  readonly baseCount: number;
  readonly baseUsers: number | null;
}

/**
 * Returns the base that follows from counts of a tracker: what it counted less what it has of our own events. Users
 * never become fewer, because distinct users of different times cannot be subtracted. An answer older than the stored
 * one changes nothing.
 */
export function nextBase(before: StoredBase, counts: ImportedCounts, knownThere: number): NewBase {
  const { baseCount, baseUsers, trackerCount, baseAt } = before;
  if (knownThere !== counts.knownThere) return { result: 'moved', baseCount, baseUsers };
  if (baseAt !== null && counts.at < baseAt) return { result: 'unchanged', baseCount, baseUsers };
  if (trackerCount !== null && counts.count < trackerCount) return { result: 'fewer', baseCount, baseUsers };
  const count = Math.max(0, counts.count - knownThere);
  const users = counts.users === null ? baseUsers : Math.max(counts.users, baseUsers ?? 0);
  const same = trackerCount !== null && count === baseCount && users === baseUsers;
  return { result: same ? 'unchanged' : 'set', baseCount: count, baseUsers: users };
}

/**
 * True when events may be missing from the total: no counts were taken yet, some events are known there by time only
 * (`knownBoth`), or the tracker counts fewer events than are known there.
 */
export function isAtLeast(base: Pick<StoredBase, 'trackerCount'>, knownAt: number | null, knownBoth: number): boolean {
  return base.trackerCount === null || knownBoth > 0 || base.trackerCount < (knownAt ?? 0);
}

/**
 * Returns the tracker's buckets without own events, which are shown beside them. Buckets of a tracker that has none of
 * the own events stay as they are.
 */
export function bucketsWithoutOwn(
  buckets: ImportedCounts['hours'],
  knownThere: number,
  ownIn: (startSeconds: number) => number,
): [startSeconds: number, count: number][] {
  return buckets.map(([start, count]) => [start, knownThere === 0 ? count : Math.max(0, count - ownIn(start))]);
}
