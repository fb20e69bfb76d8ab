import { COLLECTIONS } from '../documents.ts';
import type { ReleaseUserDocument } from '../release-documents.ts';
import { defineSchema } from './define-schema.ts';

export const releaseUserSchema = defineSchema<ReleaseUserDocument>(COLLECTIONS.releaseUsers, {
  _id: Buffer,
  p: Number,
  s: Number,
  n: Number,
});
