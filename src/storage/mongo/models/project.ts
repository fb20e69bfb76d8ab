import type { Visibility } from '../../../domain/project.ts';
import { COLLECTIONS } from '../documents.ts';
import { defineSchema } from './define-schema.ts';

export interface ProjectDocument {
  readonly _id: number;
  readonly path: string;
  /** The path in lower case: paths are unique without regard to case. */
  readonly lower: string;
  readonly name: string;
  readonly visibility: Visibility;
  readonly monitorEnabled: boolean;
  readonly createdAt: number;
}

export const projectSchema = defineSchema<ProjectDocument>(
  COLLECTIONS.projects,
  {
    _id: Number,
    path: String,
    lower: String,
    name: String,
    visibility: String,
    monitorEnabled: Boolean,
    createdAt: Number,
  },
  [{ name: 'by_path', key: { lower: 1 }, unique: true }],
);
