import type { AccessLevel } from './account.ts';

export type Visibility = 'private' | 'public';

export interface Project {
  readonly id: number;
  /** Full path, `group/subgroup/name`; unique without regard to case. */
  readonly path: string;
  readonly name: string;
  readonly visibility: Visibility;
  /** The Monitor feature switch: off hides errors from readers, ingestion goes on. */
  readonly monitorEnabled: boolean;
  readonly createdAt: number;
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

export interface Member {
  readonly projectId: number;
  readonly userId: number;
  readonly username: string;
  /** As it is displayed. */
  readonly name: string;
  readonly blocked: boolean;
  readonly accessLevel: AccessLevel;
}
