import { decide } from '../../auth/policy.ts';
import { AppError } from '../../domain/app-error.ts';
import type { Project } from '../../domain/projects/project.ts';
import { organizationOf, projectOfSlug } from '../../domain/projects/slugs.ts';
import type { ToolCall } from './tool-route.ts';

/** Returns the projects that the caller may upload to, by id. */
export async function projectsOf({ deps, principal }: ToolCall): Promise<Project[]> {
  const { store } = deps;
  const { user } = principal;
  const allowed: Project[] = [];
  for (const project of user.admin ? await store.listProjects() : await store.projectsOfUser(user.id)) {
    if (principal.onlyProjects?.includes(project.id) === false) continue;
    const level = user.admin ? null : await store.accessLevel(project.id, user.id);
    if (decide(principal, 'upload_artifacts', project, level) === 'ok') allowed.push(project);
  }
  return allowed;
}

/** Returns the projects of the organization in the path. Throws `not_found` when the caller has none there. */
export async function projectsOfOrganization(call: ToolCall): Promise<Project[]> {
  const { organization = '' } = call.path;
  const projects = (await projectsOf(call)).filter(
    (project) => organizationOf(project).toLowerCase() === organization.toLowerCase(),
  );
  if (projects.length > 0) return projects;
  throw new AppError(
    'not_found',
    `There is no organization "${shown(organization)}" with a project that this token may upload to.`,
  );
}

/** Returns the project in the path. Throws `not_found`. */
export async function projectInPath(call: ToolCall): Promise<Project> {
  const { project: slug = '' } = call.path;
  const found = projectOfSlug(await projectsOfOrganization(call), slug);
  if (found === null) throw unknownProject(slug);
  return found;
}

/** Returns the projects that a request is about: the one in its path, or all of the organization. */
export async function projectsInPath(call: ToolCall): Promise<Project[]> {
  return call.path.project === undefined ? projectsOfOrganization(call) : [await projectInPath(call)];
}

/** Returns the projects that a body names by slug or id. Throws `bad_request` for one that may not be uploaded to. */
export function namedProjects(projects: readonly Project[], names: readonly (string | number)[]): Project[] {
  const found = names.map((name) => {
    const project = projectOfSlug(projects, String(name));
    if (project === null) throw new AppError('bad_request', unknownProject(String(name)).message);
    return project;
  });
  return [...new Set(found)];
}

function unknownProject(name: string): AppError {
  return new AppError('not_found', `There is no project "${shown(name)}" that this token may upload to.`);
}

const shown = (name: string): string => name.slice(0, 100);
