import { AppError } from '../../domain/app-error.ts';
import { parseErrorId } from '../errors/error-id.ts';
import { isBefore, type FirstOccurrence, type LastOccurrence } from '../fold.ts';
import type { Occurred, StatusProgress } from '../state/status-end.ts';

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
  readonly progress: MemberProgress;
  readonly first: FirstOccurrence;
  readonly last: LastOccurrence;
  readonly searchText: string;
}

/** What has happened to a member since its status was set. */
export type MemberProgress = Pick<StatusProgress, 'newest' | 'passed' | 'events' | 'users'>;

/** Displayed data of a merged error, except its distinct users. */
export interface GroupSums {
  readonly count: number;
  readonly newestReceived: number;
  /** Of all members: a user that is new in two of them counts twice. */
  readonly progress: MemberProgress;
  readonly first: FirstOccurrence;
  readonly last: LastOccurrence;
  readonly searchText: string;
  /** Greatest number of users that a tracker counted for a member: at least as many are shown. Null: none. */
  readonly baseUsers: number | null;
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
  let baseUsers: number | null = null;
  for (const member of sorted) {
    if (member.baseUsers !== null) baseUsers = Math.max(baseUsers ?? 0, member.baseUsers);
    first = isBefore(member.first, first) ? member.first : first;
    last = isBefore(last, member.last) ? member.last : last;
    newestReceived = Math.max(newestReceived, member.newestReceived);
  }
  return {
    count: sorted.reduce((sum, { count }) => sum + count, 0),
    newestReceived,
    progress: sumProgress(sorted.map(({ progress }) => progress)),
    first,
    last,
    searchText: joined(sorted.map(({ searchText }) => searchText)),
    baseUsers,
    memberUsers: sorted.reduce((sum, member) => sum + member.userCount + (member.baseUsers ?? 0), 0),
    members: sorted.map(({ id }) => id),
  };
}

/** Adds up what has happened to the members. */
export function sumProgress(all: readonly MemberProgress[]): MemberProgress {
  const newest = (occurred: readonly (Occurred | null)[]) =>
    occurred.reduce((one, other) => (one === null || (other !== null && other.at > one.at) ? other : one), null);
  return {
    newest: newest(all.map((each) => each.newest)),
    passed: newest(all.map((each) => each.passed)),
    events: all.reduce((sum, { events }) => sum + events, 0),
    users: all.reduce((sum, { users }) => sum + users, 0),
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
