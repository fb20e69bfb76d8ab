import { defineSchema } from './define-schema.ts';

/** An id that a project had in another tracker, for DSNs brought along. */
export interface ProjectAliasDocument {
  /** The id in the DSN. */
  readonly _id: number;
  readonly projectId: number;
}

export const projectAliasSchema = defineSchema<ProjectAliasDocument>('aliases', { _id: Number, projectId: Number }, [
  { name: 'of_project', key: { projectId: 1 } },
]);
