import { COLLECTIONS, type EventDocument } from '../documents.ts';
import { defineSchema } from './define-schema.ts';

/** The condition of the index `of_error`; queries that are to use it repeat it. */
export const WITH_PAYLOAD = { d: { $exists: true } } as const;

/** Key and payload of an event. */
export const eventSchema = defineSchema<EventDocument>(
  COLLECTIONS.events,
  {
    _id: Buffer,
    p: Number,
    l: Buffer,
    v: Number,
    u: Buffer,
    at: Number,
    r: Number,
    s: Number,
    n: Number,
    d: Buffer,
  },
  [
    { name: 'of_error', key: { p: 1, l: 1, at: -1, _id: -1 }, partialFilterExpression: WITH_PAYLOAD },
    // Pruning walks from the oldest.
    { name: 'by_receipt', key: { r: 1 } },
  ],
);
