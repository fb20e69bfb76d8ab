import { COLLECTIONS, type ErrorUserDocument } from '../documents.ts';
import { defineSchema } from './define-schema.ts';

export const errorUserSchema = defineSchema<ErrorUserDocument>(COLLECTIONS.errorUsers, {
  _id: Buffer,
  p: Number,
  s: Number,
  n: Number,
});
