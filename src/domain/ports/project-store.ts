import type { AccessLevel } from '../account.ts';
import type { Member, NewProject, Project, ProjectPatch } from '../project.ts';

/** Projects, their members and the ids their DSNs had in another tracker. */
export interface ProjectStore {
  /** Throws `conflict` when the path is taken. */
  createProject(project: NewProject): Promise<Project>;
  projectById(id: number): Promise<Project | null>;
  /** Case-insensitive; `moved` is true when the path is a former one of the project. */
  projectByPath(path: string): Promise<{ project: Project; moved: boolean } | null>;
  listProjects(): Promise<Project[]>;
  /** A changed path leaves the former one behind as a redirect. Null when there is no such project. */
  updateProject(id: number, patch: ProjectPatch): Promise<Project | null>;
  /** Removes the project and everything stored for it; false when there is none. Safe to repeat. */
  deleteProject(id: number): Promise<boolean>;

  /** From now on events sent to project `aliasId` belong to `projectId`. Throws `conflict` when it is a project's own id or taken. */
  addAlias(aliasId: number, projectId: number): Promise<void>;
  /** The project that answers to an id in a DSN: the project itself, or the one the alias points to. */
  projectForIngest(id: number): Promise<Project | null>;

  setMember(projectId: number, userId: number, level: AccessLevel): Promise<void>;
  removeMember(projectId: number, userId: number): Promise<boolean>;
  listMembers(projectId: number): Promise<Member[]>;
  accessLevel(projectId: number, userId: number): Promise<AccessLevel | null>;
  /** Projects in which the user is a member, by id. */
  projectsOfUser(userId: number): Promise<Project[]>;
}
