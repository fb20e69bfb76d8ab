import { defineSchema } from './define-schema.ts';

/** A former path of a project. A project at the path itself goes first. */
export interface ProjectRedirectDocument {
  /** The path in lower case. */
  readonly _id: string;
  readonly projectId: number;
}

export const projectRedirectSchema = defineSchema<ProjectRedirectDocument>(
  'redirects',
  { _id: String, projectId: Number },
  [{ name: 'of_project', key: { projectId: 1 } }],
);
