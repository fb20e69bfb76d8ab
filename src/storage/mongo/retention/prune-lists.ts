import type { mongo } from 'mongoose';
import { SLICE_ROWS } from '../blocks/prune-walk.ts';
import type { MongoContext } from '../engine/context.ts';
import type { Binary } from '../documents/document-keys.ts';
import { reading, writing } from '../engine/operation-options.ts';
import { DAY_MS } from '../../../domain/durations.ts';

/** Days without an event after which the name of a user is removed. */
const NAMES_KEPT_DAYS = 90;
/** Days after which no batch of the time of a deletion is replayed any more. */
const DELETIONS_KEPT_DAYS = 90;

interface Keyed {
  readonly _id: Binary;
  readonly p: number;
}

/** Removes a slice of old names of users; returns the number of removed ones. */
export async function pruneUserNames({ collections, now }: MongoContext): Promise<number> {
  const old = { d: { $lt: Math.floor(now() / DAY_MS) - NAMES_KEPT_DAYS } };
  const rows = await collections.userNames
    .find<Keyed>(old, reading('user_names.old', { p: 1 }))
    .limit(SLICE_ROWS)
    .toArray();
  return removeAll(rows, (filter) =>
    collections.userNames.deleteMany({ ...filter, ...old }, writing('user_names.delete')),
  );
}

/** Removes a slice of the rows of errors that were deleted long ago; returns the number of removed ones. */
export async function pruneDeletedErrors({ collections, now }: MongoContext): Promise<number> {
  const old = { at: { $lt: now() - DELETIONS_KEPT_DAYS * DAY_MS } };
  const rows = await collections.deletedErrors
    .find<Keyed>(old, reading('deleted_errors.old', { p: 1 }))
    .limit(SLICE_ROWS)
    .toArray();
  return removeAll(rows, (filter) =>
    collections.deletedErrors.deleteMany({ ...filter, ...old }, writing('deleted_errors.prune')),
  );
}

async function removeAll(
  rows: readonly Keyed[],
  remove: (filter: { p: number; _id: { $in: Binary[] } }) => Promise<mongo.DeleteResult>,
): Promise<number> {
  let removed = 0;
  for (const p of new Set(rows.map((row) => row.p))) {
    const _id = { $in: rows.filter((row) => row.p === p).map((row) => row._id) };
    removed += (await remove({ p, _id })).deletedCount;
  }
  return removed;
}
