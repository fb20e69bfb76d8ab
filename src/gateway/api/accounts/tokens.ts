import { generateAccessToken, hashAccessToken } from '../../../auth/access-token.ts';
import type { AccessToken } from '../../../domain/projects/account.ts';
import { AppError } from '../../../domain/app-error.ts';
import { problems } from '../../http/common-schema.ts';
import { offsetPage } from '../../http/page-links.ts';
import { idOf } from '../../http/path-ids.ts';
import { accountRoute, type AccountCall, type Route } from '../../http/route.ts';
import { endOfDay } from '../shared/end-of-day.ts';
import { tokenTarget } from './audit-targets.ts';
import { presentToken } from './token-presenter.ts';
import { createTokenSchema, newTokenSchema, tokenSchema, tokensSchema, type CreateToken } from './token-schema.ts';
import { userOf } from './user-lookup.ts';

const PATH = '/api/v4/personal_access_tokens';
/** Path at which users create their own tokens in the host's API. */
const HOST_PATH = '/api/v4/user/personal_access_tokens';

/** Returns a token of the user; administrators may access the tokens of all users. */
async function tokenOf({ deps, path, principal }: AccountCall<unknown>): Promise<AccessToken> {
  const id = idOf(path.token_id);
  const token = id === null ? null : await deps.store.tokenById(id);
  if (token === null || (token.userId !== principal.user.id && !principal.user.admin)) {
    throw new AppError('not_found', 'there is no such token');
  }
  return token;
}

/** Makes a token of the user; the answer is the only one that contains it. */
async function made({ deps, params }: AccountCall<CreateToken>, userId: number) {
  const now = deps.clock.now();
  const { name, description = null, scopes, expires_at } = params;
  const token = generateAccessToken();
  const created = await deps.store.createToken({
    userId,
    name,
    description,
    hash: hashAccessToken(token),
    scopes,
    expiresAt: expires_at === undefined ? null : endOfDay(expires_at, now),
  });
  const headers = { 'Cache-Control': 'no-store' };
  return { status: 201, headers, body: { ...presentToken(created, now), token } };
}

const CREATED = { 201: { description: 'The token', schema: newTokenSchema }, ...problems };

/** Creates the route for one of two addresses with the same answer. */
function creation(path: string, operationId: string): Route {
  return accountRoute({
    method: 'POST',
    path,
    operationId,
    summary: 'Create an access token for yourself; only this response contains it',
    action: 'manage_tokens',
    audit: { event: 'token_created', target: tokenTarget },
    parameters: createTokenSchema,
    responses: CREATED,
    handle: (call) => made(call, call.principal.user.id),
  });
}

/** The host's route for tokens of other people. The log says who made which token for whom, and never the token. */
const creationForUser = accountRoute({
  method: 'POST',
  path: '/api/v4/users/:user_id/personal_access_tokens',
  operationId: 'createUserToken',
  summary: 'Create an access token for a user; only this response contains it',
  action: 'manage_users',
  audit: { event: 'token_created', target: tokenTarget },
  parameters: createTokenSchema,
  responses: CREATED,
  async handle(call) {
    const user = await userOf(call);
    const answer = await made(call, user.id);
    call.deps.logger.info(
      { by_user_id: call.principal.user.id, user_id: user.id, token_id: answer.body.id, scopes: answer.body.scopes },
      'an administrator created an access token for a user',
    );
    return answer;
  },
});

export const tokenRoutes: readonly Route[] = [
  accountRoute({
    method: 'GET',
    path: PATH,
    operationId: 'listTokens',
    summary: 'List your access tokens, without the tokens themselves, paged by page and per_page',
    action: 'read_self',
    pagedByOffset: true,
    responses: { 200: { description: 'One page of tokens, by id', schema: tokensSchema }, ...problems },
    async handle(call) {
      const { deps, principal } = call;
      const { items, headers } = offsetPage(call, await deps.store.listTokens(principal.user.id));
      return { status: 200, headers, body: items.map((token) => presentToken(token, deps.clock.now())) };
    },
  }),
  accountRoute({
    method: 'GET',
    path: `${PATH}/self`,
    operationId: 'getOwnToken',
    summary: 'Read the access token of the request, without the token itself',
    action: 'read_self',
    responses: { 200: { description: 'The token', schema: tokenSchema }, ...problems },
    async handle({ deps, principal }) {
      if (principal.token === null) throw new AppError('not_found', 'the request has no access token, but a session');
      return { status: 200, body: presentToken(principal.token, deps.clock.now()) };
    },
  }),
  accountRoute({
    method: 'GET',
    path: `${PATH}/:token_id`,
    operationId: 'getToken',
    summary: 'Read one of your access tokens, without the token itself',
    action: 'read_self',
    responses: { 200: { description: 'The token', schema: tokenSchema }, ...problems },
    handle: async (call) => ({ status: 200, body: presentToken(await tokenOf(call), call.deps.clock.now()) }),
  }),
  creation(PATH, 'createToken'),
  creation(HOST_PATH, 'createOwnToken'),
  creationForUser,
  accountRoute({
    method: 'DELETE',
    path: `${PATH}/:token_id`,
    operationId: 'revokeToken',
    summary: 'Revoke an access token; it stops working within two seconds',
    action: 'manage_tokens',
    audit: { event: 'token_revoked', target: tokenTarget },
    responses: { 204: { description: 'The token was revoked' }, ...problems },
    async handle(call) {
      await call.deps.store.revokeToken((await tokenOf(call)).id);
      return { status: 204, body: null };
    },
  }),
];
