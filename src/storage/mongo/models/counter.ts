import { COLLECTIONS, type CounterDocument } from '../documents.ts';
import { defineSchema } from './define-schema.ts';

export const counterSchema = defineSchema<CounterDocument>(COLLECTIONS.counters, { _id: String, next: Number });
