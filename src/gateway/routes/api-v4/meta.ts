import { AppError } from '../../../domain/app-error.ts';
import { updateSelfSchema, userSchema, versionSchema, type UpdateSelf } from '../../../schemas/api/account.ts';
import { problems, problemSchema } from '../../../schemas/api/common.ts';
import { givenEmail } from '../../given-email.ts';
import { openApiDocument } from '../../openapi.ts';
import { presentUser } from '../../presenters/user.ts';
import { accountRoute, publicRoute, type Route } from '../../route.ts';

const { 401: unauthorised, 403: forbidden } = problems;

export const accountRoutes: readonly Route[] = [
  accountRoute({
    surface: 'api',
    method: 'GET',
    path: '/api/v4/user',
    operationId: 'getUser',
    summary: 'Read the user that the access token belongs to',
    action: 'read_self',
    responses: { 200: { description: 'The user', schema: userSchema }, 401: unauthorised, 403: forbidden },
    handle: async ({ principal }) => ({ status: 200, body: presentUser(principal.user) }),
  }),
  accountRoute<UpdateSelf>({
    surface: 'api',
    method: 'PUT',
    path: '/api/v4/user',
    operationId: 'updateSelf',
    summary: 'Change your own e-mail address',
    action: 'update_self',
    parameters: updateSelfSchema,
    responses: {
      200: { description: 'The user', schema: userSchema },
      400: problems[400],
      401: unauthorised,
      403: forbidden,
    },
    async handle(call) {
      const { deps, principal } = call;
      const email = givenEmail(call, call.params.email);
      if (email === undefined) return { status: 200, body: presentUser(principal.user) };
      const updated = await deps.store.updateUser(principal.user.id, { email });
      deps.webSessions.forget();
      if (updated === null) throw new AppError('not_found', 'the user was removed in the meantime');
      return { status: 200, body: presentUser(updated) };
    },
  }),
  accountRoute({
    surface: 'api',
    method: 'GET',
    path: '/api/v4/version',
    operationId: 'getVersion',
    summary: 'Read the version of the service',
    action: 'read_self',
    responses: { 200: { description: 'The version', schema: versionSchema }, 401: unauthorised, 403: forbidden },
    handle: async ({ deps }) => ({ status: 200, body: { version: deps.version, revision: null } }),
  }),
];

/** Creates the route that describes all routes of `all`, including itself. */
export function openApiRoute(all: () => readonly Route[]): Route {
  return publicRoute({
    surface: 'api',
    method: 'GET',
    path: '/api/v4/openapi.json',
    operationId: 'getOpenApi',
    summary: 'Read this description as an OpenAPI 3.1 document',
    responses: {
      200: {
        description: 'The document',
        schema: {
          type: 'object',
          properties: { openapi: { type: 'string' }, paths: { type: 'object' } },
          required: ['openapi', 'paths'],
        },
      },
      406: { description: 'A format other than JSON was requested', schema: problemSchema },
    },
    handle: async ({ deps }) => ({
      status: 200,
      body: openApiDocument(all(), { version: deps.version, serverUrl: deps.externalUrl() }),
    }),
  });
}
