import { AppError } from '../../domain/app-error.ts';
import type { Project } from '../../domain/projects/project.ts';
import type { Route } from '../http/route.ts';
import { previousWithCommits } from './previous-release.ts';
import { readCommits, readDeploy, readNewRelease, readRelease, type ReleaseBody } from './release-bodies.ts';
import { presentCommit, presentDeploy, presentToolRelease } from './release-presenter.ts';
import { announced, announcedIn, knownProjects, requireName, saveRelease } from './releases.ts';
import { namedProjects, projectsInPath } from './scope.ts';
import { toolRoute, type ToolCall } from './tool-route.ts';

/** Of a body the projects that it names; else those in the path, of which there must be one. */
function chosen(
  projects: readonly Project[],
  { projects: names = [] }: Pick<ReleaseBody, 'projects'>,
): readonly Project[] {
  if (names !== null && names.length > 0) return namedProjects(projects, names);
  if (projects.length === 1) return projects;
  throw new AppError('bad_request', 'The release names no project: name one with --project.');
}

async function create(call: ToolCall) {
  const all = await projectsInPath(call);
  const { version, ...body } = await readNewRelease(call);
  const release = requireName(version);
  const projects = chosen(all, body);
  const isNew = await saveRelease(call, projects, release, body);
  return {
    status: isNew ? 201 : 208,
    body: await presentToolRelease(call, await announcedIn(call, projects, release)),
  };
}

async function update(call: ToolCall) {
  const all = await projectsInPath(call);
  const release = requireName(call.path.version);
  const body = await readRelease(call);
  const { projects: names } = body;
  const projects = (names ?? []).length > 0 ? namedProjects(all, names ?? []) : await knownProjects(call, all, release);
  await saveRelease(call, projects, release, body);
  return { status: 200, body: await presentToolRelease(call, await announcedIn(call, projects, release)) };
}

async function list(call: ToolCall) {
  const projects = await projectsInPath(call);
  const releases = await announced(call, projects);
  return { status: 200, body: await Promise.all(releases.map((release) => presentToolRelease(call, release))) };
}

async function read(call: ToolCall) {
  const release = requireName(call.path.version);
  const found = await knownProjects(call, await projectsInPath(call), release);
  return { status: 200, body: await presentToolRelease(call, await announcedIn(call, found, release)) };
}

/** Tools send the last commits where the answer is empty. */
async function readPrevious(call: ToolCall) {
  const all = await projectsInPath(call);
  const release = requireName(call.path.version);
  const previous = await previousWithCommits(call, all, release);
  if (previous === null) return { status: 200, body: {} };
  const found = await announcedIn(call, await knownProjects(call, all, previous), previous);
  return { status: 200, body: await presentToolRelease(call, found) };
}

async function remove(call: ToolCall) {
  const { deps } = call;
  const release = requireName(call.path.version);
  for (const { id } of await knownProjects(call, await projectsInPath(call), release)) {
    await deps.store.removeBuildRelease(id, release);
  }
  return { status: 204, body: null };
}

async function addDeploy(call: ToolCall) {
  const { deps } = call;
  const all = await projectsInPath(call);
  const release = requireName(call.path.version);
  const { environment, projects: names, ...given } = await readDeploy(call);
  const projects = (names ?? []).length > 0 ? namedProjects(all, names ?? []) : await knownProjects(call, all, release);
  const finishedAt = given.finishedAt ?? deps.clock.now();
  const deploys = [];
  for (const { id } of projects) {
    deploys.push(await deps.store.addDeploy({ ...given, projectId: id, release, environment, finishedAt }));
  }
  return { status: 201, body: deploys.map(presentDeploy)[0] };
}

async function listDeploys(call: ToolCall) {
  const { deps } = call;
  const release = requireName(call.path.version);
  const [project] = await knownProjects(call, await projectsInPath(call), release);
  const deploys = project === undefined ? [] : await deps.store.deploysOfRelease(project.id, release);
  return { status: 200, body: deploys.map(presentDeploy) };
}

async function setCommits(call: ToolCall) {
  const { deps } = call;
  const release = requireName(call.path.version);
  const projects = await knownProjects(call, await projectsInPath(call), release);
  const { commits } = await readCommits(call);
  for (const project of projects) {
    await deps.store.putCommits(project.id, release, commits);
    await deps.integratedErrors.resolveByCommits(
      project,
      release,
      commits.map(({ commit }) => commit),
    );
  }
  return { status: 200, body: null };
}

/** There are none: tools upload bundles. */
async function listFiles(call: ToolCall) {
  await projectsInPath(call);
  return { status: 200, body: [] };
}

async function listCommits(call: ToolCall) {
  const { deps } = call;
  const release = requireName(call.path.version);
  const [project] = await knownProjects(call, await projectsInPath(call), release);
  const commits = project === undefined ? [] : await deps.store.commitsOfRelease(project.id, release);
  return { status: 200, body: commits.map(presentCommit) };
}

/** Returns the routes below an address that names an organization alone, or a project of it. */
function routesBelow(base: string, of: 'Organization' | 'Project'): Route[] {
  const where = of === 'Project' ? 'a project' : 'the projects of a group';
  const one = `${base}/releases/:version`;
  const route = (
    method: Route['method'],
    path: string,
    name: string,
    summary: string,
    handle: (call: ToolCall) => Promise<{ status: number; body: unknown }>,
  ) => toolRoute({ method, path, operationId: `tool${name}Of${of}`, summary: `${summary} ${where}`, handle });
  return [
    route('POST', `${base}/releases`, 'NewRelease', 'Announce a release of', create),
    route('GET', `${base}/releases`, 'Releases', 'List announced releases of', list),
    route('GET', one, 'Release', 'Read a release of', read),
    route('PUT', one, 'ChangedRelease', 'Change a release of', update),
    route('DELETE', one, 'RemovedRelease', 'Remove what builds told about a release of', remove),
    route(
      'GET',
      `${one}/previous-with-commits`,
      'PreviousRelease',
      'Read the release with commits before a release of',
      readPrevious,
    ),
    route('GET', `${one}/commits`, 'Commits', 'List the commits of a release of', listCommits),
    route('POST', `${one}/commits`, 'NewCommits', 'Set the commits of a release of', setCommits),
    route('GET', `${one}/deploys`, 'Deploys', 'List the deploys of a release of', listDeploys),
    route('POST', `${one}/deploys`, 'NewDeploy', 'Record a deploy of a release of', addDeploy),
    route('GET', `${one}/files`, 'Files', 'List single files of a release of', listFiles),
  ];
}

export const toolReleaseRoutes: readonly Route[] = [
  ...routesBelow('organizations/:organization', 'Organization'),
  ...routesBelow('projects/:organization/:project', 'Project'),
];
