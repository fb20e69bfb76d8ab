import type { MongoContext } from './context.ts';
import { isDuplicateKey } from './mongo-errors.ts';
import { writing } from './operation-options.ts';

const keyOf = (name: string): string => `lease:${name}`;

/**
 * Takes or renews a piece of work that one process does at a time; false while another one has it. A process
 * that vanishes loses it after `milliseconds`. The work itself must bear two at once: clocks may differ.
 */
export async function acquireLease(
  { collections, now }: MongoContext,
  name: string,
  owner: string,
  milliseconds: number,
): Promise<boolean> {
  const at = now();
  const filter = { _id: keyOf(name), $or: [{ owner }, { until: { $lte: at } }] };
  const update = { $set: { owner, until: at + milliseconds } };
  try {
    await collections.control.updateOne(filter, update, { ...writing('lease.take'), upsert: true });
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** Fine when the lease is somebody else's by now. */
export async function releaseLease({ collections }: MongoContext, name: string, owner: string): Promise<void> {
  await collections.control.deleteOne({ _id: keyOf(name), owner }, writing('lease.end'));
}
