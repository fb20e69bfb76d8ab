import { AppError } from '../../domain/app-error.ts';
import { parseErrorId } from '../error-id.ts';
import { NO_EVENT_ID } from '../imported-group-hash.ts';
import { isBefore, type FirstOccurrence, type LastOccurrence } from '../fold.ts';

/** Maximum errors in one merged error, its root included: displaying one reads all of them. */
export const MAX_GROUP = 200;
/** Maximum characters of the members' texts that searches read. */
const MAX_SEARCH_TEXT = 65_536;

/** Own counts of an error; merging does not change them. */
export interface GroupMember {
  /** Public number of the error. */
  readonly id: number;
  readonly count: number;
  /** Own distinct users. */
  readonly userCount: number;
  /** Users that the tracker of an imported error counted; null: none. */
  readonly baseUsers: number | null;
  readonly newestReceived: number;
  readonly first: FirstOccurrence;
  readonly last: LastOccurrence;
  readonly searchText: string;
}

/** Displayed data of a merged error, except its distinct users. */
export interface GroupSums {
  readonly count: number;
  readonly newestReceived: number;
  readonly first: FirstOccurrence;
  readonly last: LastOccurrence;
  readonly searchText: string;
  /** Greatest number of users that a tracker counted for a member: at least as many are shown. Null: none. */
  readonly baseUsers: number | null;
  /** Time of the newest own event that is the last occurrence of a member; null: only trackers know of any. */
  readonly ownLastAt: number | null;
  /**
   * Sum of the members' users, own ones and those of trackers. While it and the members are unchanged, so is the number
   * of distinct users.
   */
  readonly memberUsers: number;
  /** Numbers of the members, the root's included, ascending. */
  readonly members: readonly number[];
}

/** Sums up the members. `members` must not be empty; the root has the least number. */
export function foldGroup(members: readonly GroupMember[]): GroupSums {
  const sorted = [...members].sort((a, b) => a.id - b.id);
  const [root] = sorted;
  if (root === undefined) {
    throw new RangeError('a merged error has at least its root');
  }
  let { first, last, newestReceived } = root;
  let ownLastAt: number | null = null;
  let baseUsers: number | null = null;
  for (const member of sorted) {
    if (member.last.eventId !== NO_EVENT_ID) ownLastAt = Math.max(ownLastAt ?? member.last.at, member.last.at);
    if (member.baseUsers !== null) baseUsers = Math.max(baseUsers ?? 0, member.baseUsers);
    first = isBefore(member.first, first) ? member.first : first;
    last = isBefore(last, member.last) ? member.last : last;
    newestReceived = Math.max(newestReceived, member.newestReceived);
  }
  return {
    count: sorted.reduce((sum, { count }) => sum + count, 0),
    newestReceived,
    first,
    last,
    searchText: joined(sorted.map(({ searchText }) => searchText)),
    baseUsers,
    ownLastAt,
    memberUsers: sorted.reduce((sum, member) => sum + member.userCount + (member.baseUsers ?? 0), 0),
    members: sorted.map(({ id }) => id),
  };
}

/** Joins the texts, each once: members mostly share most of them. */
function joined(texts: readonly string[]): string {
  const lines = new Set(texts.flatMap((text) => text.split('\n')));
  return [...lines].join('\n').slice(0, MAX_SEARCH_TEXT).toWellFormed();
}

/** Returns the numbers of a request to merge, each once; null when one is invalid. Throws `bad_request`. */
export function numbersToMerge(errorIds: readonly string[]): number[] | null {
  const ids = new Set(errorIds.map(parseErrorId));
  if (ids.size < 2) {
    throw new AppError('bad_request', 'ids must name at least one other error to merge with');
  }
  const numbers = [...ids].filter((id) => id !== null);
  return numbers.length === ids.size ? numbers : null;
}

export function requireGroupSize(members: number): void {
  if (members > MAX_GROUP) {
    throw new AppError(
      'bad_request',
      `at most ${MAX_GROUP} errors can be merged into one, this would be ${members}: merge fewer`,
    );
  }
}

/** Throws `bad_request` when the root is to be separated from its own group. */
export function requireNotRoot(root: number, ids: readonly number[]): void {
  if (ids.includes(root)) {
    throw new AppError('bad_request', `the others were merged into ${root}: name the errors to unmerge`);
  }
}
