import type { AccessLevel } from '../account.ts';
import type { Member, NewProject, Project, ProjectPatch } from '../project.ts';

/** Projects, their members and their DSN ids from another tracker. */
export interface ProjectStore {
  /** Throws `conflict` when the path is taken. */
  createProject(project: NewProject): Promise<Project>;
  projectById(id: number): Promise<Project | null>;
  /** Case-insensitive; `moved` is true when the path is a former path of the project. */
  projectByPath(path: string): Promise<{ project: Project; moved: boolean } | null>;
  listProjects(): Promise<Project[]>;
  /** A changed path keeps the former one as a redirect. Null when there is no such project. */
  updateProject(id: number, patch: ProjectPatch): Promise<Project | null>;
  /** Removes the project and all its stored data; false when there is none. Idempotent. */
  deleteProject(id: number): Promise<boolean>;

  /**
   * Routes events sent to project `aliasId` to `projectId`. Throws `conflict` when it is the id of a project or taken.
   */
  addAlias(aliasId: number, projectId: number): Promise<void>;
  /** Project for an id in a DSN: the project itself, or the target of the alias. */
  projectForIngest(id: number): Promise<Project | null>;

  setMember(projectId: number, userId: number, level: AccessLevel): Promise<void>;
  removeMember(projectId: number, userId: number): Promise<boolean>;
  listMembers(projectId: number): Promise<Member[]>;
  accessLevel(projectId: number, userId: number): Promise<AccessLevel | null>;
  /** Projects in which the user is a member, by id. */
  projectsOfUser(userId: number): Promise<Project[]>;
}
