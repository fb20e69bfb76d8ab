import { COLLECTIONS } from '../documents.ts';
import type { SessionRowDocument } from '../release-documents.ts';
import { defineSchema } from './define-schema.ts';

export const sessionRowSchema = defineSchema<SessionRowDocument>(
  COLLECTIONS.sessionRows,
  { _id: Buffer, p: Number, hr: Number, k: Buffer, t: Number, s: Number, n: Number },
  // Pruning walks from the oldest.
  [{ name: 'by_hour', key: { hr: 1 } }],
);
