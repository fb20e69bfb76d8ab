import { Schema } from 'mongoose';
import { COLLECTIONS } from '../documents.ts';
import type { ReleaseDocument } from '../release-documents.ts';
import { defineSchema } from './define-schema.ts';

export const releaseSchema = defineSchema<ReleaseDocument>(
  COLLECTIONS.releases,
  {
    _id: Buffer,
    p: Number,
    e: String,
    r: String,
    first: Number,
    last: Number,
    ev: Number,
    u: Number,
    cu: Number,
    c: Schema.Types.Mixed,
    w: Schema.Types.Mixed,
  },
  [
    { name: 'by_first_seen', key: { p: 1, e: 1, first: -1, _id: -1 } },
    { name: 'by_last_seen', key: { last: 1 } },
  ],
);
