import { defineSchema } from './define-schema.ts';

/** Name of the collection that marks a database as ours; the first that set-up makes. */
export const CONTROL_COLLECTION = 'errgate';

/** The schema's version, that of who may send, or a lease that one process holds for a time. */
export interface ControlDocument {
  /** `schema`, `ingest` or the key of a lease. */
  readonly _id: string;
  /** Of `schema` and of `ingest`. */
  readonly version?: number;
  /** Of a lease: random, made by the process that holds it. */
  readonly owner?: string;
  /** Of a lease: when it ends unless it is renewed. Of `ingest`: when no announced change is under way any more. */
  readonly until?: number;
}

export const controlSchema = defineSchema<ControlDocument>(CONTROL_COLLECTION, {
  _id: String,
  version: Number,
  owner: String,
  until: Number,
});
