import { Schema } from 'mongoose';
import { COLLECTIONS } from '../documents.ts';
import type { EventReportsDocument } from '../release-documents.ts';
import { defineSchema } from './define-schema.ts';

export const eventReportsSchema = defineSchema<EventReportsDocument>(COLLECTIONS.eventReports, {
  _id: Buffer,
  p: Number,
  rcv: Number,
  r: Schema.Types.Mixed,
  w: Schema.Types.Mixed,
});
