import type { Project } from '../../domain/projects/project.ts';
import type { GatewayStore } from './route-deps.ts';

/** Maximum characters of a path; no project has a longer one. */
const MAX_PATH_LENGTH = 1024;

export interface FoundProject {
  readonly project: Project;
  /** True when the request used a former path. */
  readonly moved: boolean;
}

/** True for a text that is no path of anything. */
export const isImpossible = (path: string): boolean =>
  path.length > MAX_PATH_LENGTH || path.includes('\0') || !path.isWellFormed();

type Projects = Pick<GatewayStore, 'projectById' | 'projectByPath'>;

/** Finds a project by full path (decoded, any case); null when there is none. */
export async function projectByPath(projects: Projects, path: string): Promise<FoundProject | null> {
  return isImpossible(path) ? null : projects.projectByPath(path);
}

/** Returns the former paths of projects in a group; none for what no group is called. */
export async function formerPathsIn(projects: Pick<GatewayStore, 'formerPathsIn'>, group: string) {
  return isImpossible(group) ? [] : projects.formerPathsIn(group);
}

/** Finds a project by the `:id` of the REST API: a number, or a full path, which contains a slash. */
export async function projectByReference(projects: Projects, reference: string): Promise<FoundProject | null> {
  if (!/^-?\d+$/.test(reference)) return reference.includes('/') ? projectByPath(projects, reference) : null;
  const id = Number(reference);
  const project = Number.isSafeInteger(id) && id > 0 ? await projects.projectById(id) : null;
  return project === null ? null : { project, moved: false };
}
