import type { NewFact } from '../../../domain/alerts/alert-fact.ts';
import type { ActivityEntry } from '../../../domain/errors/error-state.ts';
import { passedStep, usersFact } from '../../alerts/facts.ts';
import { foldGroup, sumProgress, type GroupSums, type MemberProgress } from '../../merge/group.ts';
import type { RecountLimiter } from '../../merge/recount-limiter.ts';
import { STATUS_CODES } from '../../errors/error-status.ts';
import { statusEnd } from '../../state/status-end.ts';
import type { MarkMembers } from '../updates/marks.ts';
import { leaving, originOf, subjectOf } from '../updates/pending-facts.ts';
import { afterStep, reachedStep, sameStep } from '../updates/users-steps.ts';
import {
  statusEndFact,
  unresolveOperation,
  memberProgressOf,
  NO_DETAILS,
  ownCounts,
  progressOf,
  unresolvedUpdate,
} from '../updates/status-members.ts';
import { duplicatesIn, unconfirmed } from '../batch/answers.ts';
import { byId, type BatchCollections, type Doc, type UpdateOne } from '../engine/batch-collections.ts';
import type { ShownGroup } from '../documents/error-documents.ts';
import { firstSeen, lastSeen } from '../documents/error-members.ts';
import { distinctUsers } from './distinct-users.ts';
import { hasExtras, shownExtras } from '../updates/shown-extras.ts';
import {
  allPointing,
  byNumber,
  countedUsers,
  pointingTo,
  toMember,
  type MemberDocument,
  type MemberTotals,
} from './members.ts';

/** Maximum environments, releases and types by which a merged error is found. */
const MAX_FACETS = 1000;
/** Maximum number of rounds; another one follows when the root was merged itself meanwhile. */
const ROUNDS = 20;

export interface RollUpDeps {
  readonly collections: BatchCollections;
  readonly recounts: RecountLimiter;
  readonly now: () => number;
}

/** Updates every merged error; recounts distinct users of large ones less often. Returns the number of changed ones. */
export async function rollUpAll(deps: RollUpDeps): Promise<number> {
  const groups = new Map<string, MemberTotals[]>();
  for (const row of await allPointing(deps.collections.errors)) {
    const key = `${row.p} ${row.into ?? 0}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  let changed = 0;
  for (const [key, rows] of groups) {
    const [first] = rows;
    if (first === undefined || first.into === null) continue;
    const { p, into } = first;
    const root = rows.find(({ id }) => id === into);
    const users = rows.reduce((sum, row) => sum + countedUsers(row), 0);
    const recount = root?.g?.mu !== users && deps.recounts.isDue(key, deps.now());
    if (recount || !agrees(root, rows, deps.now())) {
      await rollUp(deps, p, into, recount);
      changed += 1;
    }
  }
  return changed;
}

/** Returns true when the displayed row equals the members' counts, apart from users. */
function agrees(root: MemberTotals | undefined, rows: readonly MemberTotals[], now: number): boolean {
  const ids = rows.map(({ id }) => id).sort((a, b) => a - b);
  const count = rows.reduce((sum, { c }) => sum + c, 0);
  if (ids.length < 2 || root?.g?.m.join() !== ids.join() || root.g.c !== count) return false;
  if (root.g.ty === undefined) return false;
  const details = root.det ?? NO_DETAILS;
  if (rows.some(({ id, rdet }) => id !== root.id && rdet !== details)) return false;
  if (!hasExtras(root.g, shownExtras(root.g, root.st, rows, now))) return false;
  // A user may change the status while a member's event is rolled up.
  return endOf(root, sumProgress(rows.map(memberProgressOf)), Math.max(...rows.map(({ rcv }) => rcv))) === null;
}

/**
 * Recomputes the displayed row of a root from its members. A merged root passes its members on; a root without members
 * is displayed itself again. Safe to repeat and to run twice at once: the next run corrects an outdated write. Returns
 * the number of the final root; throws `store_unavailable`.
 */
export async function rollUp(
  deps: RollUpDeps,
  p: number,
  number: number,
  recount: boolean,
  now = deps.now(),
): Promise<number> {
  const { errors } = deps.collections;
  let root = number;
  for (let round = 0; round < ROUNDS; round += 1) {
    const [row] = await byNumber(errors, p, [root]);
    // Removed with its project.
    if (row === undefined) return root;
    const members = (await pointingTo(errors, p, [root])).filter(({ id }) => id !== root);
    if (row.into !== null && row.into !== root) {
      await point(deps, members, root, row.into);
      root = row.into;
    } else if (members.length === 0) {
      if (row.into === null) return root;
      await update(deps, [{ filter: { _id: row._id, p, into: root }, update: ALONE, upsert: false }]);
      return root;
    } else if (await show(deps, row, members, recount, now)) {
      return root;
    }
  }
  throw unconfirmed('other merges keep changing these errors');
}

const ALONE = { $set: { into: null }, $unset: { g: '' } } as const;

/** Points an error to another root; null: to none. Its events count for the status of that root from then on. */
export function pointTo(root: number | null) {
  return { $set: { into: root }, $unset: { rdet: '', rc: '', rn: '' } } as const;
}

/** Changes the pointers of errors from `from` to `to`, the lesser number. */
async function point(deps: RollUpDeps, rows: readonly MemberDocument[], from: number, to: number): Promise<void> {
  await update(
    deps,
    rows.map(({ _id, p }) => ({ filter: { _id, p, into: from }, update: pointTo(to), upsert: false })),
  );
}

/** Writes the displayed row; false when the root was merged meanwhile. */
async function show(
  deps: RollUpDeps,
  row: MemberDocument,
  members: readonly MemberDocument[],
  recount: boolean,
  now: number,
): Promise<boolean> {
  const { _id, p, id } = row;
  const all = [row, ...(await joined(deps, row, members))];
  const sums = foldGroup(all.map(toMember));
  const users = { u: row.g?.u ?? 0, mu: row.g?.mu ?? -1 };
  let distinct: number | null = null;
  // Compares the members too, because other members may have the same sum of users.
  if (recount || row.g?.m.join() !== sums.members.join()) {
    const began = deps.now();
    distinct = await distinctUsers(deps.collections.errorUsers, all);
    users.u = Math.max(distinct, sums.baseUsers ?? 0);
    users.mu = sums.memberUsers;
    deps.recounts.counted(`${p} ${id}`, deps.now() - began, deps.now());
  }
  const texts = shownTexts(sums);
  const extras = shownExtras({ ...users, ...texts }, row.st, all, now);
  const g: ShownGroup = { c: sums.count, ...users, ...texts, ...facets(all), ...extras };
  const shown = { ...row, g };
  const { same, $set, ...pushed } = distinct === null ? NO_STEP : raisedStep(shown, all, distinct);
  const { esc = g.esc, ask = g.ask } = $set as MarkMembers;
  const marked = { ...g, ...(esc === undefined ? {} : { esc }), ...(ask === undefined ? {} : { ask }) };
  const matched = await update(deps, [
    // Excludes a root that points elsewhere by now: that pointer must not be reset.
    {
      filter: { _id, p, into: { $in: [null, id] }, ...same },
      update: { $set: { into: id, g: marked, ...inherited(all), ...$set }, ...pushed },
      upsert: false,
    },
  ]);
  if (matched === 0) return false;
  await settle(deps, shown, sums, all);
  return true;
}

/** Raise of a root's step: a condition for the step that was read, and what is written with the displayed row. */
interface RaisedStep {
  readonly same: Doc;
  readonly $set: Doc;
  readonly $push?: object;
}

const NO_STEP: RaisedStep = { same: {}, $set: {} };

/**
 * Returns the raise of the step of affected users of a merged error. What a member had reached before counts as known, so
 * that merging and separating repeats no fact. Members' own steps are raised when they leave.
 */
function raisedStep(root: MemberDocument, all: readonly MemberDocument[], distinct: number): RaisedStep {
  const known = Math.max(...all.map(reachedStep));
  const step = passedStep(distinct, known);
  const reached = step ?? known;
  if (reached === reachedStep(root)) return NO_STEP;
  const left = step === null ? { $set: {} } : leaving(stepFact(root, step), false);
  return { same: sameStep(root), ...left, $set: { ...left.$set, ...afterStep(reached) } };
}

function stepFact(root: MemberDocument, step: number): NewFact {
  return usersFact(subjectOf(root), step, (root.g?.last ?? root.last).at, originOf(root));
}

/** Gives a root without an assignee that of its first member with one. */
function inherited([row, ...members]: readonly MemberDocument[]): Pick<MemberDocument, 'as'> {
  const found = [...members].sort((a, b) => a.id - b.id).find(({ as }) => (as ?? null) !== null);
  return (row?.as ?? null) !== null || found?.as === undefined ? {} : { as: found.as };
}

/**
 * Lets members that joined since the root's status was set count for its condition from now on. Returns the members as
 * they are then. Of two roll-ups at once the first one sets where they begin.
 */
async function joined(
  deps: RollUpDeps,
  root: MemberDocument,
  members: readonly MemberDocument[],
): Promise<MemberDocument[]> {
  const rdet = root.det ?? NO_DETAILS;
  const joining = members.filter((member) => member.rdet !== rdet);
  await update(
    deps,
    joining.map((member) => ({
      filter: { _id: member._id, p: member.p, into: root.id, rdet: member.rdet ?? { $not: { $gt: '' } } },
      update: { $set: { rdet, ...begin(member) } },
      upsert: false,
    })),
  );
  return members.map((member) => (member.rdet === rdet ? member : { ...member, rdet, ...begin(member) }));
}

function begin(member: MemberDocument): { rc: number; rn: number } {
  const { mc, mn } = ownCounts(member);
  return { rc: mc, rn: mn };
}

function endOf(
  root: MemberTotals | MemberDocument,
  progress: MemberProgress,
  newestReceived: number,
): ActivityEntry | null {
  return statusEnd({ ...progressOf(root), ...progress, newestReceived });
}

/** Ends the status of a merged error that events of its members end. */
async function settle(
  deps: RollUpDeps,
  row: MemberDocument,
  sums: GroupSums,
  all: readonly MemberDocument[],
): Promise<void> {
  const end = endOf(row, sums.progress, sums.newestReceived);
  if (end === null || (await update(deps, [unresolveOperation(row, end, statusEndFact(row, end))])) === 0) return;
  if (row.st !== STATUS_CODES.ignored) return;
  const others = all.filter(({ id, st }) => id !== row.id && st === STATUS_CODES.ignored);
  await update(
    deps,
    others.map(({ _id, p, st }) => ({
      filter: { _id, p, st, into: row.id },
      update: unresolvedUpdate(null, { unmutes: true }),
      upsert: false,
    })),
  );
}

function shownTexts({ first, last, searchText, members }: GroupSums): Pick<ShownGroup, 'm' | 'first' | 'last'> {
  return { m: members, first: firstSeen(first), last: lastSeen(last, searchText) };
}

function facets(members: readonly MemberDocument[]): Pick<ShownGroup, 'env' | 'rel' | 'ty'> {
  const union = (lists: (readonly string[])[]) => [...new Set(lists.flat())].slice(0, MAX_FACETS);
  return {
    env: union(members.map(({ env = [] }) => env)),
    rel: union(members.map(({ rel = [] }) => rel)),
    ty: union(members.map(({ last }) => [last.type ?? ''])),
  };
}

/** Writes in the order of keys, as batches do. Returns the number of matched documents; throws `store_unavailable`. */
export async function update({ collections }: RollUpDeps, operations: readonly UpdateOne[]): Promise<number> {
  if (operations.length === 0) return 0;
  const sorted = [...operations].sort((a, b) =>
    byId(a.filter._id as MemberDocument['_id'], b.filter._id as MemberDocument['_id']),
  );
  const answer = await collections.errors.updateEach(sorted);
  duplicatesIn(answer);
  return answer.matched;
}
