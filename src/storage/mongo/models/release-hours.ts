import { Schema } from 'mongoose';
import { COLLECTIONS } from '../documents.ts';
import type { ReleaseHoursDocument } from '../release-documents.ts';
import { defineSchema } from './define-schema.ts';

export const releaseHoursSchema = defineSchema<ReleaseHoursDocument>(
  COLLECTIONS.releaseHours,
  { _id: Buffer, p: Number, d: Number, h: Schema.Types.Mixed, w: Schema.Types.Mixed },
  [{ name: 'by_day', key: { d: 1 } }],
);
