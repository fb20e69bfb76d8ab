import type { FromSchema } from 'json-schema-to-ts';
import { createBuildToken } from '../../../auth/build-token.ts';
import type { AccessToken } from '../../../domain/projects/account.ts';
import { AppError } from '../../../domain/app-error.ts';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { ONE_LINE, problems } from '../../http/common-schema.ts';
import { offsetPage } from '../../http/page-links.ts';
import { idOf } from '../../http/path-ids.ts';
import { projectRoute, type ProjectCall, type Route } from '../../http/route.ts';
import { endOfDay } from '../shared/end-of-day.ts';
import { buildTokenTarget } from './audit-targets.ts';
import { presentToken } from './token-presenter.ts';
import { newTokenSchema, tokensSchema } from './token-schema.ts';

/** Path of the tokens of a project in the host's API. */
const PATH = '/api/v4/projects/:id/access_tokens';

const createBuildTokenSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 255, pattern: ONE_LINE, description: 'Name of the token' },
    scopes: {
      type: 'array',
      items: { type: 'string', enum: ['ci'] },
      description: '`ci`: uploads of build tools and releases of this project, and nothing else',
    },
    expires_at: {
      type: 'string',
      maxLength: 10,
      description: 'Last day on which the token is valid, such as `2027-01-31`',
    },
  },
  required: ['name', 'scopes'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

/** Tokens of builds that are for the project, by id. */
async function tokensOf({ deps, project }: ProjectCall<unknown>): Promise<AccessToken[]> {
  const ids = await deps.store.tokensOfProject(project.id);
  const tokens = await Promise.all(ids.map((id) => deps.store.tokenById(id)));
  return tokens.filter((token) => token !== null);
}

export const buildTokenRoutes: readonly Route[] = [
  projectRoute({
    method: 'GET',
    path: PATH,
    operationId: 'listBuildTokens',
    summary: 'List the tokens for build tools of a project, without the tokens themselves, paged by page and per_page',
    action: 'manage_build_tokens',
    pagedByOffset: true,
    responses: { 200: { description: 'One page of tokens, by id', schema: tokensSchema }, ...problems },
    async handle(call) {
      const { items, headers } = offsetPage(call, await tokensOf(call));
      return { status: 200, headers, body: items.map((token) => presentToken(token, call.deps.clock.now())) };
    },
  }),
  projectRoute({
    method: 'POST',
    path: PATH,
    operationId: 'createBuildToken',
    summary: 'Create a token for build tools of this project; only this response contains it',
    action: 'manage_build_tokens',
    audit: { event: 'token_created', target: buildTokenTarget },
    parameters: createBuildTokenSchema,
    responses: { 201: { description: 'The token', schema: newTokenSchema }, ...problems },
    async handle({ deps, params, principal, project }: ProjectCall<FromSchema<typeof createBuildTokenSchema>>) {
      const now = deps.clock.now();
      const expiresAt = params.expires_at === undefined ? null : endOfDay(params.expires_at, now);
      const { token, text } = await createBuildToken(
        deps.store,
        { userId: principal.user.id, name: params.name, expiresAt, projects: [project], url: deps.externalUrl() },
        now,
      );
      deps.logger.info(
        { by_user_id: principal.user.id, project_id: project.id, token_id: token.id },
        'a token for build tools was created',
      );
      const headers = { 'Cache-Control': 'no-store' };
      return { status: 201, headers, body: { ...presentToken(token, now), token: text } };
    },
  }),
  projectRoute({
    method: 'DELETE',
    path: `${PATH}/:token_id`,
    operationId: 'revokeBuildToken',
    summary: 'Revoke a token for build tools; it stops working within two seconds',
    action: 'manage_build_tokens',
    audit: { event: 'token_revoked', target: buildTokenTarget },
    responses: { 204: { description: 'The token was revoked' }, ...problems },
    async handle(call) {
      const id = idOf(call.path.token_id);
      if (id === null || !(await call.deps.store.tokensOfProject(call.project.id)).includes(id)) {
        throw new AppError('not_found', 'there is no such token');
      }
      await call.deps.store.revokeToken(id);
      return { status: 204, body: null };
    },
  }),
];
