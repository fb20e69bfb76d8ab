import type { AccessLevel } from '../../projects/account.ts';
import type { FormerPath, Member, NewProject, Project, ProjectPatch } from '../../projects/project.ts';

/** Projects, their members and their DSN ids from another tracker. */
export interface ProjectStore {
  /** Throws `conflict` when the path is taken. */
  createProject(project: NewProject): Promise<Project>;
  projectById(id: number): Promise<Project | null>;
  /** Case-insensitive; `moved` is true when the path is a former path of the project. */
  projectByPath(path: string): Promise<{ project: Project; moved: boolean } | null>;
  /** Former paths of projects whose first part is `group`, in any case, by path. */
  formerPathsIn(group: string): Promise<FormerPath[]>;
  listProjects(): Promise<Project[]>;
  /**
   * A changed path keeps the former one as a redirect. In other groups, people lose what only members have where they
   * have no role any more. Null when there is no such project.
   */
  updateProject(id: number, patch: ProjectPatch): Promise<Project | null>;
  /** Removes the project and all its stored data; false when there is none. Idempotent. */
  deleteProject(id: number): Promise<boolean>;

  /**
   * Accepts events that the project's own keys send to `alias`: its id in DSNs of another tracker, as `readDsnId`
   * returns it. Other projects may have the same alias, or have it as their id. A known alias is left.
   */
  addAlias(projectId: number, alias: string): Promise<void>;
  /** Aliases of a project in ascending order; empty for an unknown one. */
  listAliases(projectId: number): Promise<string[]>;

  /** Sets the membership of the project itself; roles in its groups stay. */
  setMember(projectId: number, userId: number, level: AccessLevel): Promise<void>;
  /** False when the user has no membership of the project itself. */
  removeMember(projectId: number, userId: number): Promise<boolean>;
  /** Members of the project and of the groups that it is in, by user id. */
  listMembers(projectId: number): Promise<Member[]>;
  /** The highest role in the project and in the groups that it is in; null: none. */
  accessLevel(projectId: number, userId: number): Promise<AccessLevel | null>;
  /** Projects in which the user has a role, by id. */
  projectsOfUser(userId: number): Promise<Project[]>;
}
