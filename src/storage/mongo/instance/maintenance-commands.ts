import type { MongoContext } from '../engine/context.ts';
import { isDuplicateKey } from '../engine/mongo-errors.ts';
import { writing } from '../engine/operation-options.ts';

const keyOf = (name: string): string => `lease:${name}`;

/**
 * Takes or renews a lease for work of one process at a time; false while another process has it. A lease ends
 * `milliseconds` after its last renewal. The work must allow two processes at once, because clocks may differ.
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

/** Releases a lease; does nothing when another owner has it. */
export async function releaseLease({ collections }: MongoContext, name: string, owner: string): Promise<void> {
  await collections.control.deleteOne({ _id: keyOf(name), owner }, writing('lease.end'));
}

/** Milliseconds after which a gateway that stopped without notice is removed. */
const GATEWAY_TTL_MS = 3_600_000;

/** Announces a gateway. The server adds its own time, so that both clocks can be compared. */
export async function announceGateway(
  { collections, now }: MongoContext,
  gatewayId: string,
  version: string,
): Promise<void> {
  const gateways = collections.gateways;
  const update = { $set: { v: version, seen: now() }, $currentDate: { at: true } } as const;
  const options = { ...writing('gateways.announce'), upsert: true, returnDocument: 'after' } as const;
  try {
    const announced = await gateways.findOneAndUpdate({ _id: gatewayId }, update, options);
    if (announced === null) return;
    const long = new Date(announced.at.getTime() - GATEWAY_TTL_MS);
    await gateways.deleteMany({ at: { $lt: long } }, writing('gateways.forget'));
  } catch (error) {
    // The first announcement was sent twice at once; one was stored.
    if (!isDuplicateKey(error)) throw error;
  }
}

export async function retireGateway({ collections }: MongoContext, gatewayId: string): Promise<void> {
  await collections.gateways.deleteOne({ _id: gatewayId }, writing('gateways.retire'));
}
