import type { mongo } from 'mongoose';
import type { Collections } from '../engine/collections.ts';
import { hexBinary, type Binary } from '../documents/document-keys.ts';
import { tagTerm, valueTerms } from '../documents/tag-terms.ts';
import { MAJORITY } from '../engine/operation-options.ts';

/** Documents per round trip. */
const AT_ONCE = 1000;
const HASH_DIGITS = 24;

/** Writes the terms by which searches find tags. Those of values had been hashes for a time, then as written. */
export async function putTagTerms(errorTags: Collections['errorTags']): Promise<void> {
  await addMembers(errorTags, {}, { p: 1, t: 1 }, ({ t }) => {
    const terms = Object.values(t).flatMap(({ k, v = {} }) => [
      tagTerm(k, null),
      ...Object.values(v).flatMap(({ v: value }) => valueTerms(k, value)),
    ]);
    return { $set: { x: [...new Set(terms)] } };
  });
}

/** Adds the hash by which the errors of a user are found. */
export async function addUserHashes(errorUsers: Collections['errorUsers']): Promise<void> {
  await addMembers(errorUsers, { h: { $exists: false } }, { p: 1 }, ({ _id }) => ({
    $set: { h: hexBinary(_id.toString('hex').slice(-HASH_DIGITS)) },
  }));
}

/** Updates all documents that match, in the order of their keys; one that is updated twice stays the same. */
async function addMembers<T extends { readonly _id: Binary; readonly p: number }>(
  collection: mongo.Collection<T>,
  missing: mongo.Filter<T>,
  projection: mongo.Document,
  updateOf: (row: T) => mongo.Document,
): Promise<void> {
  const all = collection as unknown as mongo.Collection<{ _id: Binary; p: number }>;
  for (let after: Binary | null = null; ;) {
    const beyond: mongo.Document = after === null ? {} : { _id: { $gt: after } };
    const rows = (await all
      .find({ ...beyond, ...missing } as mongo.Document, { projection, readPreference: 'primary' })
      .sort({ _id: 1 })
      .limit(AT_ONCE)
      .toArray()) as unknown as T[];
    const last = rows.at(-1);
    if (last === undefined) return;
    const operations = rows.map((row) => ({
      updateOne: { filter: { _id: row._id, p: row.p }, update: updateOf(row) },
    }));
    await all.bulkWrite(operations, {
      ordered: false,
      writeConcern: MAJORITY,
    });
    after = last._id;
  }
}
