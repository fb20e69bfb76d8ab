import { Schema } from 'mongoose';
import { COLLECTIONS, type OutcomeDocument } from '../documents.ts';
import { defineSchema } from './define-schema.ts';

export const outcomeSchema = defineSchema<OutcomeDocument>(
  COLLECTIONS.outcomes,
  {
    _id: Buffer,
    p: Number,
    hr: Number,
    k: Number,
    c: String,
    o: String,
    r: String,
    q: Number,
    w: Schema.Types.Mixed,
  },
  [{ name: 'by_hour', key: { hr: 1 } }],
);
