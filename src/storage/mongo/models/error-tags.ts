import { Schema } from 'mongoose';
import { COLLECTIONS, type ErrorTagsDocument } from '../documents.ts';
import { defineSchema } from './define-schema.ts';

export const errorTagsSchema = defineSchema<ErrorTagsDocument>(COLLECTIONS.errorTags, {
  _id: Buffer,
  p: Number,
  t: Schema.Types.Mixed,
  w: Schema.Types.Mixed,
});
