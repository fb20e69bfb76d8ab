import { AppError } from '../../../domain/app-error.ts';
import { IN_ACTIVITY } from '../../http/audit/audit-rule.ts';
import { problems } from '../../http/common-schema.ts';
import { isPlainErrorId } from '../../http/path-ids.ts';
import { presenter } from '../../http/presenter.ts';
import { projectRoute, type Route } from '../../http/route.ts';
import { errorIdOf, integratedOnly, projectBackend } from '../shared/project-backend.ts';
import { presentErrorDetail } from './error-presenter.ts';
import {
  MAX_IDS,
  errorDetailSchema,
  mergedErrorSchema,
  mergeBodySchema,
  unmergeBodySchema,
  unmergedSchema,
} from './error-schema.ts';

/**
 * Returns the ids of errors in `ids` of a body; null without the member. Throws `invalid_parameter` for anything but a
 * list of ids.
 */
function errorIdsOf(rawParameters: Readonly<Record<string, unknown>>): string[] | null {
  const { ids } = rawParameters;
  if (ids === undefined || ids === null) return null;
  if (!Array.isArray(ids)) throw new AppError('invalid_parameter', 'ids is invalid: give a list of error ids');
  if (ids.length === 0) throw new AppError('invalid_parameter', 'ids is empty');
  if (ids.length > MAX_IDS) throw new AppError('invalid_parameter', `ids has more than ${MAX_IDS} entries`);
  return ids.map((id: unknown) => {
    const text = typeof id === 'number' ? String(id) : id;
    if (typeof text !== 'string' || !isPlainErrorId(text)) throw new AppError('invalid_parameter', 'ids is invalid');
    return text;
  });
}

const BASE = '/api/v4/projects/:id/error_tracking/errors/:error_id';

const presentMerged = presenter(mergedErrorSchema);

const CANNOT_MERGE = 'Errors of a third-party tracker cannot be merged or unmerged here: use the tracker';

export const mergeRoutes: readonly Route[] = [
  projectRoute({
    method: 'POST',
    path: `${BASE}/merge`,
    operationId: 'mergeErrors',
    summary: 'Merge errors into the one with the lowest id, with the events, users and tags of all',
    action: 'update_errors',
    audit: IN_ACTIVITY,
    body: mergeBodySchema,
    responses: { 200: { description: 'The merged error', schema: errorDetailSchema }, ...problems },
    async handle(call) {
      const tracked = await projectBackend(call);
      const { backend, context } = tracked;
      const ids = errorIdsOf(call.rawParameters);
      if (ids === null) throw new AppError('invalid_parameter', 'ids is missing');
      const errorId = errorIdOf(call);
      const root = await integratedOnly(tracked, CANNOT_MERGE).merge(
        call.project,
        [errorId, ...ids],
        call.principal.user.id,
      );
      const error = await backend.get(call.project, root);
      return { status: 200, body: presentErrorDetail(error, context) };
    },
  }),
  projectRoute({
    method: 'POST',
    path: `${BASE}/unmerge`,
    operationId: 'unmergeErrors',
    summary: 'Separate merged errors, so that each is an error of its own again',
    action: 'update_errors',
    audit: IN_ACTIVITY,
    body: unmergeBodySchema,
    responses: {
      200: {
        description: 'The error that they were merged into, and the errors that are separate again',
        schema: unmergedSchema,
      },
      ...problems,
    },
    async handle(call) {
      const tracked = await projectBackend(call);
      const { backend, context } = tracked;
      const ids = errorIdsOf(call.rawParameters);
      const askedId = errorIdOf(call);
      const { errorId, separated } = await integratedOnly(tracked, CANNOT_MERGE).unmerge(
        call.project,
        askedId,
        ids,
        call.principal.user.id,
      );
      const error = await backend.get(call.project, errorId);
      const body = { ...presentErrorDetail(error, context), unmerged: separated.map(presentMerged) };
      return { status: 200, body };
    },
  }),
];
