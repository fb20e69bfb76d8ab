import type { MongoContext } from '../context.ts';
import { isDuplicateKey } from '../mongo-errors.ts';
import { writing } from '../operation-options.ts';

/** Those that ended without a word are forgotten after this time. Milliseconds. */
const FORGOTTEN_MS = 3_600_000;

/** The server notes its own time beside the gateway's, so that the two clocks can be compared. */
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
    const long = new Date(announced.at.getTime() - FORGOTTEN_MS);
    await gateways.deleteMany({ at: { $lt: long } }, writing('gateways.forget'));
  } catch (error) {
    // Its own first word came twice at once: one of them was heard.
    if (!isDuplicateKey(error)) throw error;
  }
}

export async function retireGateway({ collections }: MongoContext, gatewayId: string): Promise<void> {
  await collections.gateways.deleteOne({ _id: gatewayId }, writing('gateways.retire'));
}
