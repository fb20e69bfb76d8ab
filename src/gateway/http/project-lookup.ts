import type { Project } from '../../domain/projects/project.ts';
import type { GatewayStore } from './route-deps.ts';

/** Maximum characters of a path; no project has a longer one. */
const MAX_PATH_LENGTH = 1024;

export interface FoundProject {
  readonly project: Project;
  /** True when the request used a former path. */
  readonly moved: boolean;
}

type Projects = Pick<GatewayStore, 'projectById' | 'projectByPath'>;

/** Finds a project by full path (decoded, any case); null when there is none. */
export async function projectByPath(projects: Projects, path: string): Promise<FoundProject | null> {
  const impossible = path.length > MAX_PATH_LENGTH || path.includes('\0') || !path.isWellFormed();
  return impossible ? null : projects.projectByPath(path);
}

/** Finds a project by the `:id` of the REST API: a number, or a full path, which contains a slash. */
export async function projectByReference(projects: Projects, reference: string): Promise<FoundProject | null> {
  if (!/^-?\d+$/.test(reference)) return reference.includes('/') ? projectByPath(projects, reference) : null;
  const id = Number(reference);
  const project = Number.isSafeInteger(id) && id > 0 ? await projects.projectById(id) : null;
  return project === null ? null : { project, moved: false };
}
