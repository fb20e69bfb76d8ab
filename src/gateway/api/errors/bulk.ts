import { decide } from '../../../auth/policy.ts';
import { AppError } from '../../../domain/app-error.ts';
import type { StatusDetails } from '../../../domain/errors/error-state.ts';
import { IN_ACTIVITY } from '../../http/audit/audit-rule.ts';
import { problems, problemSchema } from '../../http/common-schema.ts';
import { presenter } from '../../http/presenter.ts';
import { projectRoute, type AnyCall, type ProjectCall, type Route } from '../../http/route.ts';
import { errorIdOf, integratedOnly, projectBackend, type ProjectBackend } from '../shared/project-backend.ts';
import { withSearchOf } from '../shared/read-search.ts';
import {
  changeErrors,
  matchingIds,
  type BulkResult,
  type FormerState,
  type BulkDeps,
  type PlannedChange,
} from './bulk-errors.ts';
import { errorsTarget } from './audit-targets.ts';
import { bulkRequestOf, type BulkRequest } from './bulk-request.ts';
import { bulkResultSchema, bulkBodySchema, similarErrorSchema, similarErrorsSchema } from './bulk-schema.ts';

const present = presenter(bulkResultSchema);

function presentBulkResult(result: BulkResult) {
  return present({
    ...result,
    previous: result.previous.map(({ details, counted, now, ...state }) => ({
      ...state,
      statusDetails: shownDetails(details),
      counted: counted.length === 0 ? undefined : counted,
      now: now === undefined ? undefined : shownNow(now),
    })),
  });
}

/** Details that were none are an empty object; undefined: they were not changed. */
function shownDetails(details: StatusDetails | null | undefined) {
  return details === null ? {} : details;
}

function shownNow(now: FormerState['now'] & object) {
  return 'assignee' in now ? now : { ...now, statusDetails: shownDetails(now.details) };
}

const BASE = '/api/v4/projects/:id/error_tracking/errors';

const presentSimilar = presenter(similarErrorSchema);

async function planOf(
  call: ProjectCall<unknown>,
  tracked: ProjectBackend,
  deps: BulkDeps,
  request: BulkRequest,
): Promise<readonly PlannedChange[]> {
  if ('restore' in request) return request.restore;
  const { change, scope } = request;
  if ('ids' in scope) return [{ change, ids: scope.ids }];
  const selection = await withSearchOf(call, tracked, scope.selection);
  return [{ change, ids: await matchingIds(deps, selection, scope.expected) }];
}

/** Throws `forbidden` for deleting without the right to it. The route itself needs the right to change errors. */
async function requireRight({ deps, principal, project }: ProjectCall<unknown>, request: BulkRequest): Promise<void> {
  if ('restore' in request || request.change.kind !== 'delete') return;
  const level = await deps.store.accessLevel(project.id, principal.user.id);
  const decision = decide(principal, 'delete_errors', project, level);
  if (decision !== 'ok') throw new AppError(decision, 'only maintainers may delete errors');
}

/** Deleting is no activity of an error that is left. */
function isDeletion({ rawParameters: { action } }: AnyCall): boolean {
  return action === 'delete' || action === 'discard';
}

/** Must precede the routes of one error. */
export const bulkRoutes: readonly Route[] = [
  projectRoute({
    method: 'POST',
    path: `${BASE}/bulk`,
    operationId: 'changeErrors',
    summary: 'Change many errors: chosen ones, or all that match filters, at most 10,000; or take such a change back',
    action: 'update_errors',
    audit: { event: 'errors_deleted', target: errorsTarget, only: { when: isDeletion, else: IN_ACTIVITY.not } },
    body: bulkBodySchema,
    jsonOnly: true,
    responses: {
      200: { description: 'What was changed, and the states before', schema: bulkResultSchema },
      ...problems,
      409: {
        description:
          'Another number of errors matches than was confirmed, or the project has the maximum of discarded errors',
        schema: problemSchema,
      },
    },
    async handle(call) {
      const request = bulkRequestOf(call.rawParameters, call.deps.clock.now());
      await requireRight(call, request);
      const tracked = await projectBackend(call);
      const { backend, integratedErrors } = tracked;
      const deps = { backend, errors: integratedErrors, project: call.project, userId: call.principal.user.id };
      const result = await changeErrors(deps, await planOf(call, tracked, deps, request));
      return { status: 200, body: presentBulkResult(result) };
    },
  }),
  projectRoute({
    method: 'GET',
    path: `${BASE}/:error_id/similar`,
    operationId: 'listSimilarErrors',
    summary:
      'List errors that may have the same cause: of the same type or culprit, or with the same functions, at most 10',
    action: 'read_errors',
    responses: { 200: { description: 'Those with most in common first', schema: similarErrorsSchema }, ...problems },
    async handle(call) {
      const tracked = await projectBackend(call);
      const errorId = errorIdOf(call);
      const refusal = 'the connected third-party tracker cannot list similar errors';
      const similar = await integratedOnly(tracked, refusal).similar(call.project, errorId);
      return { status: 200, body: similar.map(({ error, reasons }) => presentSimilar({ ...error, reasons })) };
    },
  }),
];
