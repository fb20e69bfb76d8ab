import { ACCESS_LEVELS } from '../../../domain/projects/account.ts';
import { AppError, logFields } from '../../../domain/app-error.ts';
import type { Project } from '../../../domain/projects/project.ts';
import { definedMembers } from '../../../lib/defined-members.ts';
import { within } from '../../../lib/within.ts';
import { problems, problemSchema } from '../../http/common-schema.ts';
import { offsetPage } from '../../http/page-links.ts';
import { presenter } from '../../http/presenter.ts';
import { accountRoute, projectRoute, type Route } from '../../http/route.ts';
import { projectUrl } from '../shared/error-place.ts';
import { projectOfRequest } from './audit-targets.ts';
import { assertGoodPath, newProjectPath } from './new-project-path.ts';
import {
  projectSchema,
  acceptedSchema,
  createProjectSchema,
  projectsSchema,
  updateProjectSchema,
} from './project-schema.ts';

const present = presenter(projectSchema);

function presentProject(project: Project, externalUrl: string) {
  const segments = project.path.split('/');
  return present({
    ...project,
    description: null,
    nameWithNamespace: [...segments.slice(0, -1), project.name].join(' / '),
    path: segments.at(-1) ?? project.path,
    pathWithNamespace: project.path,
    webUrl: projectUrl({ externalUrl, project }),
    monitorAccessLevel: project.monitorEnabled ? 'enabled' : 'disabled',
  });
}

const oneProject = { 200: { description: 'The project', schema: projectSchema }, ...problems };

const conflict = { 409: { description: 'The path is already taken', schema: problemSchema } };

/**
 * Maximum milliseconds to wait for a deletion. The project itself is removed at once; its errors and events may take
 * minutes.
 */
const DELETION_PATIENCE_MS = 2000;

export const projectRoutes: readonly Route[] = [
  accountRoute({
    method: 'GET',
    path: '/api/v4/projects',
    operationId: 'listProjects',
    summary: 'List your projects (administrators: all projects), paged by page and per_page',
    action: 'read_self',
    pagedByOffset: true,
    responses: { 200: { description: 'One page of projects, by id', schema: projectsSchema }, ...problems },
    async handle(call) {
      const { deps, principal } = call;
      const { user } = principal;
      const all = user.admin ? await deps.store.listProjects() : await deps.store.projectsOfUser(user.id);
      const { items, headers } = offsetPage(call, all);
      const externalUrl = deps.externalUrl();
      return { status: 200, headers, body: items.map((project) => presentProject(project, externalUrl)) };
    },
  }),
  projectRoute({
    method: 'GET',
    path: '/api/v4/projects/:id',
    operationId: 'getProject',
    summary: 'Read one project',
    action: 'read_project',
    responses: oneProject,
    handle: async ({ deps, project }) => ({ status: 200, body: presentProject(project, deps.externalUrl()) }),
  }),
  accountRoute({
    method: 'POST',
    path: '/api/v4/projects',
    operationId: 'createProject',
    summary: 'Create a project and become its owner; administrators only',
    action: 'create_project',
    audit: { event: 'project_created', target: projectOfRequest },
    parameters: createProjectSchema,
    responses: { 201: { description: 'The project', schema: projectSchema }, ...problems, ...conflict },
    async handle({ deps, principal, params }) {
      const path = newProjectPath(params);
      const { name = path.slice(path.lastIndexOf('/') + 1), visibility = 'private' } = params;
      const created = await deps.store.createProject({ path, name, visibility });
      await deps.store.setMember(created.id, principal.user.id, ACCESS_LEVELS.owner);
      const project =
        params.monitor_access_level === 'disabled'
          ? await deps.store.updateProject(created.id, { monitorEnabled: false })
          : created;
      return { status: 201, body: presentProject(project ?? created, deps.externalUrl()) };
    },
  }),
  projectRoute({
    method: 'PUT',
    path: '/api/v4/projects/:id',
    operationId: 'updateProject',
    summary: 'Rename or move a project, change its visibility, turn its Monitor feature on or off',
    action: 'update_project',
    audit: { event: 'project_changed', target: projectOfRequest },
    parameters: updateProjectSchema,
    responses: { ...oneProject, ...conflict },
    async handle({ deps, project, params }) {
      const { path, name, visibility, monitor_access_level: monitor } = params;
      const patch = definedMembers({
        path,
        name,
        visibility,
        monitorEnabled: monitor === undefined ? undefined : monitor === 'enabled',
      });
      if (Object.keys(patch).length === 0) {
        const names = Object.keys(updateProjectSchema.properties).join(', ');
        throw new AppError('invalid_parameter', `${names} are missing, at least one parameter must be provided`);
      }
      if (path !== undefined) assertGoodPath(path);
      const updated = await deps.store.updateProject(project.id, patch);
      if (updated === null) throw new AppError('project_not_found', 'the project was deleted in the meantime');
      return { status: 200, body: presentProject(updated, deps.externalUrl()) };
    },
  }),
  projectRoute({
    method: 'DELETE',
    path: '/api/v4/projects/:id',
    operationId: 'deleteProject',
    summary: 'Delete a project; its stored data is removed in the background',
    action: 'delete_project',
    audit: { event: 'project_deleted', target: projectOfRequest },
    responses: { 202: { description: 'The project is deleted', schema: acceptedSchema }, ...problems },
    async handle({ deps, project }) {
      const deletion = deps.store.deleteProject(project.id);
      // Retention removes the data that a failure leaves.
      deletion.catch((error: unknown) => {
        deps.logger.warn(
          { ...logFields(error), project: project.id },
          'the data of a deleted project is not fully removed yet; retention removes the rest',
        );
      });
      await within(
        DELETION_PATIENCE_MS,
        () => deletion,
        () => undefined,
      );
      return { status: 202, body: { message: '202 Accepted' } };
    },
  }),
];
