import { AppError } from '../../../domain/app-error.ts';
import { problems, problemSchema, nullableText, time } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';
import { idOf } from '../../http/path-ids.ts';
import { presenter } from '../../http/presenter.ts';
import { projectRoute, type Route } from '../../http/route.ts';
import { errorIdOf, integratedOnly, projectBackend } from '../shared/project-backend.ts';
import { errorTarget } from './audit-targets.ts';
import { nullablePerson } from './triage-schema.ts';

const BASE = '/api/v4/projects/:id/error_tracking';

const IN_TRACKER = 'Errors of a third-party tracker cannot be deleted here: use the tracker';

const deleteErrorSchema = {
  type: 'object',
  properties: {
    discard: { type: 'boolean', description: 'True: also drops the events of this error in future' },
  },
  required: [],
  additionalProperties: false,
} as const;

const discardedSchema = objectSchema({
  title: 'DiscardedError',
  properties: {
    id: { type: 'integer' },
    title: { type: 'string' },
    type: nullableText,
    created_at: { ...time, description: 'Time from which its events are dropped' },
    user: { ...nullablePerson, description: 'Null if the user has since been removed' },
  },
});

const presentDiscarded = presenter(discardedSchema);

export const errorRemovalRoutes: readonly Route[] = [
  projectRoute({
    method: 'DELETE',
    path: `${BASE}/errors/:error_id`,
    operationId: 'deleteError',
    summary: 'Delete an error with its events, reports and notes; with discard its events are dropped in future too',
    action: 'delete_errors',
    audit: { event: 'errors_deleted', target: errorTarget },
    parameters: deleteErrorSchema,
    responses: {
      204: { description: 'The error is deleted' },
      ...problems,
      409: { description: 'The project has the maximum of discarded errors', schema: problemSchema },
    },
    async handle(call) {
      const errors = integratedOnly(await projectBackend(call), IN_TRACKER);
      const { project, params, principal } = call;
      await errors.remove(project, errorIdOf(call), params.discard === true, principal.user.id);
      return { status: 204, body: null };
    },
  }),
  projectRoute({
    method: 'GET',
    path: `${BASE}/discarded`,
    operationId: 'listDiscarded',
    summary: 'List the errors whose events are dropped, newest first, at most 1,000',
    action: 'read_errors',
    responses: {
      200: { description: 'The discarded errors', schema: { type: 'array', items: discardedSchema } },
      ...problems,
    },
    async handle(call) {
      const errors = integratedOnly(await projectBackend(call), IN_TRACKER);
      const groups = await errors.discarded(call.project);
      const ids = new Set(groups.flatMap(({ userId }) => userId ?? []));
      const users = new Map(
        await Promise.all([...ids].map(async (id) => [id, await call.deps.store.userById(id)] as const)),
      );
      return {
        status: 200,
        body: groups.map((group) =>
          presentDiscarded({ ...group, createdAt: group.at, user: users.get(group.userId ?? 0) ?? null }),
        ),
      };
    },
  }),
  projectRoute({
    method: 'DELETE',
    path: `${BASE}/discarded/:discarded_id`,
    operationId: 'restoreDiscarded',
    summary: 'Take events of a discarded error again; the next one makes a new error',
    action: 'delete_errors',
    audit: { event: 'discarded_error_restored', target: errorTarget },
    responses: { 204: { description: 'Its events are taken again' }, ...problems },
    async handle(call) {
      const errors = integratedOnly(await projectBackend(call), IN_TRACKER);
      const id = idOf(call.path.discarded_id);
      if (id === null) throw new AppError('not_found', 'the id of a discarded error is a number');
      await errors.restoreDiscarded(call.project, id);
      return { status: 204, body: null };
    },
  }),
];
