import { foldGroup, type GroupSums } from '../../merge/group.ts';
import type { RecountLimiter } from '../../merge/recount-limiter.ts';
import { STATUS_CODES } from '../../error-status.ts';
import { duplicatesIn, unconfirmed } from '../batch/answers.ts';
import { byId, type BatchCollections, type UpdateOne } from '../batch/batch-collections.ts';
import { hexBinary, type ShownGroup } from '../documents.ts';
import { distinctUsers } from './distinct-users.ts';
import { allPointing, byNumber, pointingTo, toMember, type MemberDocument } from './members.ts';

/** Environments, and releases, that a merged error is found by. */
const MAX_FACETS = 1000;
/** Times a root may turn out to have been merged itself while it is brought up to date. */
const ROUNDS = 20;

export interface RollUpDeps {
  readonly collections: BatchCollections;
  readonly recounts: RecountLimiter;
  readonly now: () => number;
}

/** Brings every merged error up to date; distinct users of large ones are counted less often. Answers how many changed. */
export async function rollUpAll(deps: RollUpDeps): Promise<number> {
  const groups = new Map<string, MemberDocument[]>();
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
    const users = rows.reduce((sum, { u }) => sum + u, 0);
    const recount = root?.g?.mu !== users && deps.recounts.isDue(key, deps.now());
    if (recount || !agrees(root, rows)) {
      await rollUp(deps, p, into, recount);
      changed += 1;
    }
  }
  return changed;
}

/** Whether what is shown is what the members have counted, apart from users. */
function agrees(root: MemberDocument | undefined, rows: readonly MemberDocument[]): boolean {
  const ids = rows.map(({ id }) => id).sort((a, b) => a - b);
  // A user may resolve the error while a member's event is rolled up.
  const regressed = root?.st === STATUS_CODES.resolved && rows.some(({ rcv }) => rcv > (root.res ?? rcv));
  const count = rows.reduce((sum, { c }) => sum + c, 0);
  return ids.length > 1 && root?.g?.m.join() === ids.join() && root.g.c === count && !regressed;
}

/**
 * Makes anew what is shown of a root, from what its members have counted. A root that was merged itself hands its
 * members on; one without members shows itself again. Safe to repeat and to do twice at once: what an older look
 * writes last is put right by the next one. Answers the number of the root in the end; throws `store_unavailable`.
 */
export async function rollUp(deps: RollUpDeps, p: number, number: number, recount: boolean): Promise<number> {
  const { errors } = deps.collections;
  let root = number;
  for (let round = 0; round < ROUNDS; round += 1) {
    const [row] = await byNumber(errors, p, [root]);
    // Gone with its project.
    if (row === undefined) return root;
    const members = (await pointingTo(errors, p, [root])).filter(({ id }) => id !== root);
    if (row.into !== null && row.into !== root) {
      await point(deps, members, root, row.into);
      root = row.into;
    } else if (members.length === 0) {
      if (row.into === null) return root;
      await update(deps, [{ filter: { _id: row._id, p, into: root }, update: ALONE, upsert: false }]);
      return root;
    } else if (await show(deps, row, members, recount)) {
      return root;
    }
  }
  throw unconfirmed('other merges keep changing these errors');
}

const ALONE = { $set: { into: null }, $unset: { g: '' } } as const;

/** Makes errors that point to `from` point to `to`, the lesser number. */
async function point(deps: RollUpDeps, rows: readonly MemberDocument[], from: number, to: number): Promise<void> {
  await update(
    deps,
    rows.map(({ _id, p }) => ({ filter: { _id, p, into: from }, update: { $set: { into: to } }, upsert: false })),
  );
}

/** False when the root was merged into another one meanwhile. */
async function show(
  deps: RollUpDeps,
  row: MemberDocument,
  members: readonly MemberDocument[],
  recount: boolean,
): Promise<boolean> {
  const { _id, p, id } = row;
  const all = [row, ...members];
  const sums = foldGroup(all.map(toMember));
  const users = { u: row.g?.u ?? 0, mu: row.g?.mu ?? -1 };
  // Other members may have as many users together as those that were counted.
  if (recount || row.g?.m.join() !== sums.members.join()) {
    const began = deps.now();
    users.u = await distinctUsers(deps.collections.errorUsers, all);
    users.mu = sums.memberUsers;
    deps.recounts.counted(`${p} ${id}`, deps.now() - began, deps.now());
  }
  const g: ShownGroup = { c: sums.count, ...users, ...shownTexts(sums), ...facets(all) };
  const matched = await update(deps, [
    // Not where it points elsewhere by now: that pointer is never taken back.
    { filter: { _id, p, into: { $in: [null, id] } }, update: { $set: { into: id, g } }, upsert: false },
  ]);
  if (matched === 0) return false;
  const { resolved, unresolved } = STATUS_CODES;
  const regressed = { _id, p, st: resolved, res: { $lt: sums.newestReceived } };
  await update(deps, [{ filter: regressed, update: { $set: { st: unresolved, res: null } }, upsert: false }]);
  return true;
}

function shownTexts({ first, last, searchText, members }: GroupSums): Pick<ShownGroup, 'm' | 'first' | 'last'> {
  const { eventId, ...shown } = last;
  return {
    m: members,
    first: { at: first.at, id: hexBinary(first.eventId), release: first.release },
    last: { ...shown, id: hexBinary(eventId), q: searchText },
  };
}

function facets(members: readonly MemberDocument[]): Pick<ShownGroup, 'env' | 'rel'> {
  const union = (lists: (readonly string[])[]) => [...new Set(lists.flat())].slice(0, MAX_FACETS);
  return {
    env: union(members.map(({ env = [] }) => env)),
    rel: union(members.map(({ rel = [] }) => rel)),
  };
}

/** In the order of keys, as batches write. Answers how many documents matched; throws `store_unavailable`. */
export async function update({ collections }: RollUpDeps, operations: readonly UpdateOne[]): Promise<number> {
  if (operations.length === 0) return 0;
  const sorted = [...operations].sort((a, b) =>
    byId(a.filter._id as MemberDocument['_id'], b.filter._id as MemberDocument['_id']),
  );
  const answer = await collections.errors.updateEach(sorted);
  duplicatesIn(answer);
  return answer.matched;
}
