import type { MongoContext } from '../engine/context.ts';
import type { Binary } from '../documents/document-keys.ts';
import type { Watermarks } from '../documents/documents.ts';
import { reading } from '../engine/operation-options.ts';

/** Events received after a time, by group hash and batch. */
export interface Received {
  /** Returns those that are counted in an error's document with these watermarks. */
  of(groupHash: string, watermarks: Watermarks): number;
  /** False when a gateway has begun to write meanwhile: read the documents again. */
  readonly isWhole: boolean;
}

/**
 * Counts the stored events received after a time. Batches that are not closed are told apart, because an event is stored
 * before it is counted. `closed`: read before the documents; this is called behind their read.
 */
export async function countedLater(
  context: MongoContext,
  p: number,
  until: number,
  closed: ReadonlyMap<number, number>,
): Promise<Received> {
  const { collections } = context;
  const isOpen = { $or: [...closed].map(([id, n]) => ({ $and: [{ $eq: ['$s', id] }, { $gt: ['$n', n] }] })) };
  const n = closed.size === 0 ? { $literal: null } : { $cond: [isOpen, '$n', null] };
  const groups = await collections.events
    .aggregate<Counted>(
      [{ $match: { p, r: { $gt: until } } }, { $group: { _id: { l: '$l', s: '$s', n }, count: { $sum: 1 } } }],
      reading('events.known_until'),
    )
    .toArray();
  const byGroupHash = new Map<string, Counted[]>();
  for (const group of groups) {
    const groupHash = group._id.l.toString('hex');
    const list = byGroupHash.get(groupHash);
    if (list === undefined) byGroupHash.set(groupHash, [group]);
    else list.push(group);
  }
  const slots = await lastClosed(context);
  return {
    isWhole: [...slots.keys()].every((slot) => closed.has(slot)),
    of: (groupHash, watermarks) =>
      (byGroupHash.get(groupHash) ?? [])
        .filter(({ _id }) => _id.n === null || _id.n <= (watermarks[String(_id.s)] ?? -1))
        .reduce((sum, { count }) => sum + count, 0),
  };
}

interface Counted {
  /** `n`: number of a batch that may not be counted yet; null: of closed ones. */
  readonly _id: { readonly l: Binary; readonly s: number; readonly n: number | null };
  readonly count: number;
}

/** Returns the number of the last closed batch of each slot. */
export async function lastClosed({ collections }: MongoContext): Promise<Map<number, number>> {
  const slots = await collections.slots.find({}, reading('slots.last_closed', { n: 1, open: 1 })).toArray();
  return new Map(slots.map(({ _id, n, open }) => [_id, open ? n - 1 : n]));
}
