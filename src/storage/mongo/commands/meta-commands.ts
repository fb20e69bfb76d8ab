import { isDuplicateKey } from '../mongo-errors.ts';
import type { MongoContext } from '../context.ts';
import { writing } from '../operation-options.ts';
import { getMeta } from '../views/maintenance-views.ts';

export async function initMeta(context: MongoContext, key: string, value: string): Promise<string> {
  try {
    await context.collections.meta.insertOne({ _id: key, value }, writing('meta.insert'));
    return value;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return (await getMeta(context, key)) ?? value;
  }
}

export async function setMeta({ collections }: MongoContext, key: string, value: string): Promise<void> {
  const set = () =>
    collections.meta.updateOne({ _id: key }, { $set: { value } }, { ...writing('meta.set'), upsert: true });
  // Of two first upserts at once one is refused and finds the row the second time.
  await set().catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
    return set();
  });
}
