import { Schema } from 'mongoose';
import { COLLECTIONS, type ErrorDocument } from '../documents.ts';
import { defineSchema } from './define-schema.ts';

const occurrence = { at: Number, id: Buffer, release: String };

/** One per grouping key. Each sort has an index that is read in order per status; a list of all merges three ranges. */
export const errorSchema = defineSchema<ErrorDocument>(
  COLLECTIONS.errors,
  {
    _id: Buffer,
    p: Number,
    id: Number,
    v: Number,
    st: Number,
    c: Number,
    u: Number,
    k: Number,
    first: occurrence,
    last: {
      ...occurrence,
      // A member called `type` is one, not the type of `last`.
      type: { type: String },
      message: String,
      title: String,
      culprit: String,
      level: String,
      platform: String,
      q: String,
    },
    rcv: Number,
    res: Number,
    into: Number,
    g: Schema.Types.Mixed,
    env: [String],
    rel: [String],
    w: Schema.Types.Mixed,
  },
  [
    { name: 'by_last_seen', key: { p: 1, st: 1, 'last.at': -1, id: -1 } },
    { name: 'by_first_seen', key: { p: 1, st: 1, 'first.at': -1, id: -1 } },
    { name: 'by_count', key: { p: 1, st: 1, c: -1, id: -1 } },
    { name: 'by_users', key: { p: 1, st: 1, u: -1, id: -1 } },
    // Not unique: the counter sees to that, and a unique index would rule out the shard key {p, _id}.
    { name: 'by_number', key: { p: 1, id: 1 } },
    // For the number of errors that are new in a release.
    { name: 'by_first_release', key: { p: 1, 'first.release': 1, into: 1 } },
    // Few: people merge them.
    { name: 'by_root', key: { into: 1, p: 1 }, partialFilterExpression: { into: { $gte: 1 } } },
    ...(
      [
        ['merged_by_last_seen', 'g.last.at'],
        ['merged_by_first_seen', 'g.first.at'],
        ['merged_by_count', 'g.c'],
        ['merged_by_users', 'g.u'],
      ] as const
    ).map(([name, member]) => ({
      name,
      key: { p: 1, st: 1, [member]: -1, id: -1 } as const,
      partialFilterExpression: { g: { $exists: true } },
    })),
  ],
);
