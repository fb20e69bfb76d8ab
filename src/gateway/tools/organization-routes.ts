import type { Project } from '../../domain/projects/project.ts';
import { organizationOf, slugOf } from '../../domain/projects/slugs.ts';
import { isoTime } from '../http/iso-time.ts';
import type { Route } from '../http/route.ts';
import { repositoriesOf } from './repositories.ts';
import { projectInPath, projectsOf, projectsOfOrganization } from './scope.ts';
import { toolRoute, type ToolCall } from './tool-route.ts';

/** Names of scopes that tools know. */
const TOOL_SCOPES = { ci: ['org:ci'], api: ['org:ci', 'org:read', 'project:read', 'project:releases'] };

function presentOrganization(slug: string, projects: readonly Project[], externalUrl: string) {
  return {
    id: slug,
    slug,
    name: slug,
    status: { id: 'active', name: 'active' },
    dateCreated: isoTime(Math.min(...projects.map(({ createdAt }) => createdAt))),
    features: [],
    // Tools send all later requests to the second one.
    links: { organizationUrl: externalUrl, regionUrl: externalUrl },
  };
}

function presentToolProject(project: Project) {
  const { id, name, createdAt } = project;
  return { id: String(id), slug: slugOf(project), name, platform: null, dateCreated: isoTime(createdAt) };
}

function presentOrganizations({ deps }: ToolCall, projects: readonly Project[]) {
  const slugs = [...new Set(projects.map(organizationOf))];
  return slugs.map((slug) => {
    const its = projects.filter((project) => organizationOf(project) === slug);
    return presentOrganization(slug, its, deps.externalUrl());
  });
}

function presentWhole(call: ToolCall, project: Project) {
  const [organization] = presentOrganizations(call, [project]);
  return { ...presentToolProject(project), status: 'active', features: [], organization };
}

export const organizationRoutes: readonly Route[] = [
  toolRoute({
    method: 'GET',
    path: '',
    operationId: 'toolInfo',
    summary: 'Say whether the token is valid',
    async handle({ deps, principal }) {
      const { user, scopes, onlyProjects } = principal;
      const { id, username, email } = user;
      return {
        status: 200,
        body: {
          version: '0',
          errgate: deps.version,
          auth: { scopes: TOOL_SCOPES[scopes.includes('api') ? 'api' : 'ci'] },
          // A token of builds stands for no person.
          user: onlyProjects === null ? { id: String(id), username, email: email ?? username } : null,
        },
      };
    },
  }),
  toolRoute({
    method: 'GET',
    path: 'organizations',
    operationId: 'toolOrganizations',
    summary: 'List the groups of the projects that the token may upload to',
    handle: async (call) => ({ status: 200, body: presentOrganizations(call, await projectsOf(call)) }),
  }),
  toolRoute({
    method: 'GET',
    path: 'organizations/:organization',
    operationId: 'toolOrganization',
    summary: 'Describe a group',
    async handle(call) {
      const { deps, path } = call;
      const { organization = '' } = path;
      const projects = await projectsOfOrganization(call);
      const present = presentOrganizations(call, projects).find(
        ({ slug }) => slug.toLowerCase() === organization.toLowerCase(),
      );
      // Tools go on with the name in the answer.
      return { status: 200, body: present ?? presentOrganization(organization, projects, deps.externalUrl()) };
    },
  }),
  toolRoute({
    method: 'GET',
    path: 'organizations/:organization/projects',
    operationId: 'toolProjectsOfOrganization',
    summary: 'List the projects of a group that the token may upload to',
    async handle(call) {
      const projects = await projectsOfOrganization(call);
      return { status: 200, body: projects.map((project) => presentWhole(call, project)) };
    },
  }),
  toolRoute({
    method: 'GET',
    path: 'projects',
    operationId: 'toolProjects',
    summary: 'List the projects that the token may upload to',
    handle: async (call) => ({
      status: 200,
      body: (await projectsOf(call)).map((project) => presentWhole(call, project)),
    }),
  }),
  toolRoute({
    method: 'GET',
    path: 'projects/:organization/:project',
    operationId: 'toolProject',
    summary: 'Describe a project',
    handle: async (call) => ({ status: 200, body: presentWhole(call, await projectInPath(call)) }),
  }),
  toolRoute({
    method: 'GET',
    path: 'organizations/:organization/repos',
    operationId: 'toolRepositories',
    summary: 'List the repositories of the projects',
    handle: async (call) => ({
      status: 200,
      body: await repositoriesOf(call.deps.store, await projectsOfOrganization(call)),
    }),
  }),
  toolRoute({
    method: 'POST',
    path: 'projects/:organization/:project/reprocessing',
    operationId: 'toolReprocessing',
    summary: 'Accept the wish to read events again, which happens when they are read',
    async handle(call) {
      await projectInPath(call);
      return { status: 200, body: 'null' };
    },
  }),
];
