import { defineSchema } from './define-schema.ts';

/** A project that is gone and whose data is being removed. */
export interface RemovedProjectDocument {
  readonly _id: number;
  readonly removedAt: number;
}

export const removedProjectSchema = defineSchema<RemovedProjectDocument>('removedprojects', {
  _id: Number,
  removedAt: Number,
});
