import type { Watermarks } from '../documents/documents.ts';
import { duplicatesIn, unconfirmed } from './answers.ts';
import type { BatchCollection, UpdateOne } from '../engine/batch-collections.ts';
import { findKeys } from './known/key-filters.ts';
import { hex } from './marked-rows.ts';
import type { PlannedWrite } from '../engine/planned-write.ts';
import type { Claim } from './slots.ts';

export interface GuardOptions {
  readonly claim: Claim;
  /** Converts the update of a document that was expected and is missing into a write that creates it. */
  readonly revive?: (write: PlannedWrite) => Promise<PlannedWrite>;
}

/** Maximum times a write may lose a race against the same document's first insert. */
const ROUNDS = 6;

/**
 * Applies each write to its document once, however often it is repeated. The guard passes only where the slot's
 * watermark is below the batch. A refusal means "applied already" or "lost an insert race". The watermarks tell which:
 * where one is lower, or the document is missing, the write is repeated. Returns the number of documents created.
 * `writes` must be sorted by `_id`. Throws `store_unavailable`.
 */
export async function writeGuarded(
  collection: BatchCollection,
  writes: readonly PlannedWrite[],
  options: GuardOptions,
): Promise<number> {
  const { claim, revive } = options;
  let left = [...writes];
  let made = 0;
  for (let round = 0; left.length > 0; round += 1) {
    if (round === ROUNDS) {
      throw unconfirmed('documents refused a write that they do not contain');
    }
    const answer = await collection.updateEach(left.map((write) => guarded(write, claim)));
    duplicatesIn(answer);
    made += answer.upserted;
    if (answer.matched + answer.upserted === left.length) {
      return made;
    }
    left = await notApplied(collection, left, claim);
    if (revive !== undefined && left.some(({ upsert }) => !upsert)) {
      left = await Promise.all(left.map(async (write) => (write.upsert ? write : revive(write))));
    }
  }
  return made;
}

function guarded({ _id, p, update, upsert }: PlannedWrite, { slot, n }: Claim): UpdateOne {
  const watermark = `w.${slot}`;
  return {
    // `$not` with `$gte`, because `$lt` misses documents without a watermark of the slot.
    filter: { _id, p, [watermark]: { $not: { $gte: n } } },
    update: { ...update, $set: { ...(update.$set as object | undefined), [watermark]: n } },
    upsert,
  };
}

/** Returns the writes whose document is absent or has a lower watermark. */
async function notApplied(
  collection: BatchCollection,
  writes: readonly PlannedWrite[],
  { slot, n }: Claim,
): Promise<PlannedWrite[]> {
  const found = (await findKeys(collection, writes, { [`w.${slot}`]: 1 })) as unknown as {
    _id: PlannedWrite['_id'];
    w?: Watermarks;
  }[];
  const watermarks = new Map(found.map(({ _id, w }) => [hex(_id), w?.[String(slot)] ?? 0]));
  return writes.filter(({ _id }) => (watermarks.get(hex(_id)) ?? 0) < n);
}
