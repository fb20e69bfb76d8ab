import { decide } from '../../../auth/policy.ts';
import type { Principal } from '../../../auth/principal.ts';
import { formerIdIn } from '../../../domain/former-link.ts';
import type { FoundError } from '../../../domain/ports/import-store.ts';
import { problems } from '../../../schemas/api/common.ts';
import {
  formerLinkParametersSchema,
  formerLinksSchema,
  type FormerLinkParameters,
} from '../../../schemas/api/import.ts';
import type { CommonDeps } from '../../gateway-deps.ts';
import { errorUrl } from '../../presenters/error.ts';
import { accountRoute, type Route } from '../../route.ts';

/** Returns the error with its address; null for a project whose errors the user may not read. */
async function shown(deps: CommonDeps, principal: Principal, { projectId, errorId }: FoundError) {
  const project = await deps.store.projectById(projectId);
  if (project === null) return null;
  const level = await deps.store.accessLevel(projectId, principal.user.id);
  if (decide(principal, 'read_errors', project, level) !== 'ok') return null;
  const { id, path } = project;
  return {
    project: { id, path_with_namespace: path },
    error_id: errorId,
    web_url: errorUrl({ project, integrated: true, externalUrl: deps.externalUrl() }, errorId),
  };
}

export const formerLinkRoutes: readonly Route[] = [
  accountRoute<FormerLinkParameters>({
    surface: 'api',
    method: 'GET',
    path: '/api/v4/error_tracking/former_links',
    operationId: 'findFormerLink',
    summary: 'Find imported errors by their address or id in a former tracker; those that you may read',
    action: 'read_self',
    parameters: formerLinkParametersSchema,
    responses: {
      200: { description: 'The errors; empty when none was imported', schema: formerLinksSchema },
      ...problems,
    },
    async handle({ deps, principal, params }) {
      const id = formerIdIn(params.path);
      const found = id === null ? [] : await deps.store.findByExternalId(null, id);
      const errors = await Promise.all(found.map((error) => shown(deps, principal, error)));
      return { status: 200, body: errors.filter((error) => error !== null) };
    },
  }),
];
