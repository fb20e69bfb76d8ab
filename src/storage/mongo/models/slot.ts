import { COLLECTIONS, type SlotDocument } from '../documents.ts';
import { defineSchema } from './define-schema.ts';

export const slotSchema = defineSchema<SlotDocument>(
  COLLECTIONS.slots,
  {
    _id: Number,
    j: String,
    o: String,
    n: Number,
    l: Number,
    h: String,
    open: Boolean,
    x: [Number],
    seen: Number,
    off: Number,
  },
  [{ name: 'by_journal', key: { j: 1 }, unique: true, partialFilterExpression: { j: { $exists: true } } }],
);
