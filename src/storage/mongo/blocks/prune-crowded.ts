import type { PruneLimits } from '../../../domain/ports/stores/maintenance-store.ts';
import { capShares, LeastRanks, rankOf } from '../../events/payload-cap.ts';
import { STATUS_CODES } from '../../errors/error-status.ts';
import { BLOCK_SETTLES_MS, unpackSparse } from '../batch/block-removal.ts';
import type { MongoContext } from '../engine/context.ts';
import { hexBinary, groupHashOf } from '../documents/document-keys.ts';
import { WITH_PAYLOAD, type EventDocument } from '../documents/documents.ts';
import { reading, writing } from '../engine/operation-options.ts';
import { blockContext } from './block-context.ts';
import {
  NOTHING_REMOVED,
  removePayloads,
  STORED_PAYLOAD,
  type RemovedPayloads,
  type StoredPayload,
} from './payload-removal.ts';
import { SLICE_ROWS, type CrowdedWalk, type EventPlace, type PruneWalk } from './prune-walk.ts';
import { MAX_SHRUNK_BLOCKS } from '../../limits.ts';

/** Maximum projects per search for crowded errors. */
const PROJECTS_AT_ONCE = 100;
/** Maximum shrunk blocks looked at per call. */
const BLOCKS_AT_ONCE = 100;
/** Maximum blocks that wait until they are settled, about 5 MB. Above it the first ones stay until they go by age. */
const MAX_UNSETTLED = 20_000;

export interface CrowdedProgress extends RemovedPayloads {
  /** True when more calls are needed. */
  readonly busy: boolean;
}

/**
 * Removes a window of the payloads of a crowded error. Walks each error twice in time order, so that the cost grows
 * linearly with the removed payloads. Unpacks the rests of blocks at the end, because several errors may have bodies in
 * one block.
 */
export async function pruneCrowded(
  context: MongoContext,
  walk: PruneWalk,
  { maxEventsPerError, keysReceivedBefore }: PruneLimits,
): Promise<CrowdedProgress> {
  if (maxEventsPerError === null) return { ...NOTHING_REMOVED, busy: false };
  walk.crowded ??= await startWalk(context, walk, maxEventsPerError);
  const crowded = walk.crowded;
  if (crowded === null || walk.shrunk.size > MAX_SHRUNK_BLOCKS) {
    await unpackShrunk(context, walk);
    const busy = crowded !== null || walk.shrunk.size > 0;
    if (!busy) walk.endSearch(context.now() - BLOCK_SETTLES_MS);
    return { ...NOTHING_REMOVED, busy };
  }
  const rows = await readWindow(context, crowded);
  let removed = NOTHING_REMOVED;
  if (crowded.limit === null) {
    for (const { _id } of rows) crowded.ranks.add(rankOf(_id.buffer.subarray(4)));
  } else {
    const { limit } = crowded;
    const chosen = rows.filter(({ _id }) => rankOf(_id.buffer.subarray(4)) > limit);
    const { rows: gone, ...sums } = await removePayloads(context, chosen, keysReceivedBefore, walk.shrunk);
    await addToNumber(context, crowded, -sums.events);
    const last = gone.length < chosen.length ? gone.at(-1) : undefined;
    if (last !== undefined) {
      crowded.after = last;
      return { ...sums, busy: true };
    }
    removed = sums;
  }
  crowded.after = rows.at(-1) ?? crowded.after;
  if (rows.length < SLICE_ROWS && !(await nextWalk(context, crowded))) walk.crowded = null;
  return { ...removed, busy: true };
}

async function startWalk(context: MongoContext, walk: PruneWalk, cap: number): Promise<CrowdedWalk | null> {
  const { most, newest, spread } = capShares(cap);
  const error = await findCrowded(context, walk, most);
  if (error === null) return null;
  const ofError = { p: error.p, l: hexBinary(groupHashOf(error._id)), ...WITH_PAYLOAD };
  const ends = (direction: 1 | -1, skip: number, limit = 1) =>
    context.collections.events
      .find<EventPlace>(ofError, reading('events.crowded_ends', { at: 1 }))
      .sort({ at: direction, _id: direction })
      .skip(skip)
      .limit(limit)
      .toArray();
  const [[oldest], [end]] = await Promise.all([ends(1, 0), ends(-1, newest - 1)]);
  if (oldest === undefined || end === undefined) {
    // The count had drifted; it is only a hint for the search.
    const { length } = await ends(1, 0, newest);
    await addToNumber(context, { error }, length - error.k);
    return startWalk(context, walk, cap);
  }
  return { error, outside: newest + 1, oldest, after: oldest, end, ranks: new LeastRanks(spread), limit: null };
}

function readWindow({ collections }: MongoContext, { error, after, end }: CrowdedWalk) {
  const inside = [
    { $or: [{ at: { $gt: after.at } }, { at: after.at, _id: { $gt: after._id } }] },
    { $or: [{ at: { $lt: end.at } }, { at: end.at, _id: { $lt: end._id } }] },
  ];
  const ofError = {
    p: error.p,
    l: hexBinary(groupHashOf(error._id)),
    at: { $gte: after.at, $lte: end.at },
    ...WITH_PAYLOAD,
  };
  return collections.events
    .find<StoredPayload & Pick<EventDocument, 'at'>>(
      { ...ofError, $and: inside },
      reading('events.crowded', { at: 1, ...STORED_PAYLOAD }),
    )
    .sort({ at: 1, _id: 1 })
    .limit(SLICE_ROWS)
    .toArray();
}

/** Stores what is left of some of the blocks that the walk has shrunk with its events. Unsettled ones wait. */
async function unpackShrunk(context: MongoContext, { shrunk, unsettled }: PruneWalk): Promise<void> {
  const some = [...shrunk].slice(0, BLOCKS_AT_ONCE);
  for (const [name] of some) shrunk.delete(name);
  const left = await unpackSparse(
    blockContext(context),
    some.map(([, block]) => block),
  );
  for (const { _id, p, t } of left) unsettled.set(_id.toString('hex'), { _id, p, t });
  for (const [first] of unsettled) {
    if (unsettled.size <= MAX_UNSETTLED) break;
    unsettled.delete(first);
  }
}

/** Switches from ranking to removing; false when nothing is left to remove. */
async function nextWalk(context: MongoContext, crowded: CrowdedWalk): Promise<boolean> {
  if (crowded.limit !== null) return false;
  // All payloads were read, so their number is known. The stored count may have drifted when an earlier run was
  // interrupted.
  await addToNumber(context, crowded, crowded.outside + crowded.ranks.seen - crowded.error.k);
  const limit = crowded.ranks.limit();
  if (limit === Infinity) return false;
  crowded.limit = limit;
  crowded.after = crowded.oldest;
  return true;
}

async function addToNumber(
  { collections }: MongoContext,
  { error: { _id, p } }: Pick<CrowdedWalk, 'error'>,
  k: number,
): Promise<void> {
  if (k !== 0) await collections.errors.updateOne({ _id, p }, { $inc: { k } }, writing('errors.count_payloads'));
}

/** Finds errors with the greatest counts by the index of counts, per project and status. */
async function findCrowded(
  { collections }: MongoContext,
  walk: PruneWalk,
  kept: number,
): Promise<CrowdedWalk['error'] | null> {
  while (!walk.crowdedDone) {
    const projects = await collections.projects
      .find({ _id: { $gt: walk.crowdedAfter } }, reading('projects.walk', { _id: 1 }))
      .sort({ _id: 1 })
      .limit(PROJECTS_AT_ONCE)
      .toArray();
    const ids = projects.map(({ _id }) => _id);
    const crowded = { p: { $in: ids }, st: { $in: Object.values(STATUS_CODES) }, c: { $gt: kept }, k: { $gt: kept } };
    const error =
      ids.length === 0 ? null : await collections.errors.findOne(crowded, reading('errors.crowded', { p: 1, k: 1 }));
    if (error !== null) return error;
    walk.crowdedAfter = ids.at(-1) ?? walk.crowdedAfter;
    walk.crowdedDone = ids.length < PROJECTS_AT_ONCE;
  }
  return null;
}
