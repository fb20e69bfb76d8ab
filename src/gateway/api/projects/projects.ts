import type { FromSchema } from 'json-schema-to-ts';
import { decide } from '../../../auth/policy.ts';
import { ACCESS_LEVELS } from '../../../domain/projects/account.ts';
import { AppError, logFields } from '../../../domain/app-error.ts';
import { createProjectInGroup } from '../../../domain/projects/create-project.ts';
import { assertFreeForProject } from '../../../domain/projects/free-paths.ts';
import { groupOfPath, isSamePath, lastPart } from '../../../domain/projects/group-paths.ts';
import { definedMembers } from '../../../lib/defined-members.ts';
import { within } from '../../../lib/within.ts';
import { assertMayMakeIn } from '../../http/group-lookup.ts';
import { problems, problemSchema } from '../../http/common-schema.ts';
import { offsetPage } from '../../http/page-links.ts';
import { accountRoute, inGroupRoute, projectRoute, type ProjectCall, type Route } from '../../http/route.ts';
import type { GatewayStore } from '../../http/route-deps.ts';
import { acceptedSchema, presentProject, projectSchema, projectsSchema } from '../shared/project-answer.ts';
import { projectOfRequest } from './audit-targets.ts';
import { assertGoodPath, groupOfNewProject, newProjectPath, type WantedProject } from './new-project-path.ts';
import { createProjectSchema, updateProjectSchema } from './project-schema.ts';

const oneProject = { 200: { description: 'The project', schema: projectSchema }, ...problems };

const conflict = { 409: { description: 'The path is already taken', schema: problemSchema } };

/** Returns the parameters of a new project with the path of its group in place of the id. */
async function withGroupPath(
  store: Pick<GatewayStore, 'groupById'>,
  { namespace_id: id, ...wanted }: FromSchema<typeof createProjectSchema>,
): Promise<WantedProject> {
  if (id === undefined) return wanted;
  const group = await store.groupById(id);
  if (group === null) throw new AppError('group_not_found', `there is no group with the id ${id}`);
  return { ...wanted, namespace_path: group.path };
}

/**
 * Throws `forbidden` unless the user may move a project to a path: its owner, who may create projects in the group. Its
 * members get a role in the project.
 */
async function assertMayMove({ deps, principal, project }: ProjectCall<unknown>, path: string): Promise<void> {
  await assertFreeForProject(deps.store, path, project.path);
  const group = groupOfPath(path);
  if (isSamePath(group ?? '', groupOfPath(project.path) ?? '')) return;
  const level = await deps.store.accessLevel(project.id, principal.user.id);
  if (decide(principal, 'move_project', project, level) !== 'ok') {
    throw new AppError('forbidden', 'only an owner of the project moves it to another group');
  }
  await assertMayMakeIn(deps.store, principal, 'create_project', group);
}

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
  inGroupRoute({
    method: 'POST',
    path: '/api/v4/projects',
    operationId: 'createProject',
    summary: 'Create a project in a group of which you are a Maintainer; administrators: anywhere, and as its owner',
    action: 'create_project',
    audit: { event: 'project_created', target: projectOfRequest },
    groupOf: (_path, given) => groupOfNewProject(given),
    parameters: createProjectSchema,
    responses: { 201: { description: 'The project', schema: projectSchema }, ...problems, ...conflict },
    async handle({ deps, principal, params }) {
      const path = newProjectPath(await withGroupPath(deps.store, params));
      const { name = lastPart(path), visibility } = params;
      await assertFreeForProject(deps.store, path);
      const wanted = { path, name, ...(visibility !== undefined && { visibility }) };
      const created = await createProjectInGroup(deps.store, deps.alertStore, wanted);
      // Others have the role of the group, above which they grant themselves none.
      if (principal.user.admin) await deps.store.setMember(created.id, principal.user.id, ACCESS_LEVELS.owner);
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
    summary: 'Rename a project, change its visibility, turn its Monitor feature on or off; owners: move it to a group',
    action: 'update_project',
    audit: { event: 'project_changed', target: projectOfRequest },
    parameters: updateProjectSchema,
    responses: { ...oneProject, ...conflict },
    async handle(call) {
      const { deps, project, params } = call;
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
      if (path !== undefined) {
        assertGoodPath(path);
        await assertMayMove(call, path);
      }
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
