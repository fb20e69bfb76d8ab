import { decide } from '../../auth/policy.ts';
import { AppError } from '../../domain/app-error.ts';
import type { Project } from '../../domain/projects/project.ts';
import { organizationOf, projectOfSlug } from '../../domain/projects/slugs.ts';
import { formerPathsIn } from '../http/project-lookup.ts';
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

/** Project as tools may name it. */
interface ToolProject extends Project {
  /** Those in the organization of the request. */
  readonly formerPaths: readonly string[];
}

/**
 * Returns the projects of the organization in the path, by id. Where builds still have the name from before a move, those
 * that were there: with a token of builds always, with any other one when none is there now. Throws `not_found` when the
 * caller has none.
 */
export async function projectsOfOrganization(call: ToolCall): Promise<ToolProject[]> {
  const { organization = '' } = call.path;
  const allowed = await projectsOf(call);
  const former = await formerPathsIn(call.deps.store, organization);
  const known = allowed.map((project) => ({
    ...project,
    formerPaths: former.filter(({ projectId }) => projectId === project.id).map(({ path }) => path),
  }));
  const present = known.filter((project) => isIn(organization, project));
  const isForProjects = call.principal.onlyProjects !== null;
  const projects =
    isForProjects || present.length === 0
      ? known.filter((project) => isIn(organization, project) || project.formerPaths.length > 0)
      : present;
  if (projects.length > 0) return projects;
  throw new AppError(
    'not_found',
    `There is no organization "${shown(organization)}" with a project that this token may upload to: name the first ` +
      'part of the path of the project. If that is another one since the token was made, make a new token.',
  );
}

const isIn = (organization: string, project: Project): boolean =>
  organizationOf(project).toLowerCase() === organization.toLowerCase();

/**
 * Returns the organization that has the chunks of a request about these projects: none learns what another one has, so
 * that a former name opens nothing.
 */
export function ownerOfChunks({ path }: ToolCall, projects: readonly Project[]): string {
  const { organization = '' } = path;
  const [first] = projects;
  return first === undefined || projects.some((project) => isIn(organization, project))
    ? organization
    : organizationOf(first);
}

/** Returns the project in the path. Throws `not_found`. */
export async function projectInPath(call: ToolCall): Promise<Project> {
  return namedInPath(call, await projectsOfOrganization(call));
}

/** Returns the one of the projects that the path names. Throws `not_found`. */
export function namedInPath({ path }: ToolCall, projects: readonly ToolProject[]): Project {
  const { project: slug = '' } = path;
  const found = projectOfSlug(projects, slug);
  if (found === null) throw unknownProject(slug);
  return found;
}

/** Returns the projects that a request is about: the one in its path, or all of the organization. */
export async function projectsInPath(call: ToolCall): Promise<readonly Project[]> {
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
  return new AppError(
    'not_found',
    `There is no project "${shown(name)}" that this token may upload to: name it by its id, or by the rest of its path ` +
      'with "-" for "/".',
  );
}

const shown = (name: string): string => name.slice(0, 100);
