import { Schema } from 'mongoose';
import { COLLECTIONS, type ErrorHoursDocument } from '../documents.ts';
import { defineSchema } from './define-schema.ts';

export const errorHoursSchema = defineSchema<ErrorHoursDocument>(
  COLLECTIONS.errorHours,
  { _id: Buffer, p: Number, d: Number, h: Schema.Types.Mixed, w: Schema.Types.Mixed },
  [{ name: 'by_day', key: { d: 1 } }],
);
