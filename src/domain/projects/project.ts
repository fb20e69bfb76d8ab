import type { GroupMember } from './group.ts';

export type Visibility = 'private' | 'public';

export interface Project {
  readonly id: number;
  /** Full path, `group/subgroup/name`; unique and case-insensitive. */
  readonly path: string;
  readonly name: string;
  readonly visibility: Visibility;
  /** Monitor feature switch: when off, readers see no errors and ingestion continues. */
  readonly monitorEnabled: boolean;
  readonly createdAt: number;
}

/** Path that a project had before it was moved. */
export interface FormerPath {
  readonly projectId: number;
  /** May be in lower case. */
  readonly path: string;
}

export interface NewProject {
  readonly path: string;
  readonly name: string;
  readonly visibility: Visibility;
}

export interface ProjectPatch {
  readonly path?: string;
  readonly name?: string;
  readonly visibility?: Visibility;
  readonly monitorEnabled?: boolean;
}

/** Member of a project, by its own membership or by one of the groups that it is in. */
export interface Member extends GroupMember {
  readonly projectId: number;
}
