import { nullableText, problems, problemSchema } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';
import { openApiDocument } from '../../http/openapi.ts';
import { accountRoute, publicRoute, type Route } from '../../http/route.ts';

const versionSchema = objectSchema({
  title: 'Version',
  properties: { version: { type: 'string' }, revision: nullableText },
});

const { 401: unauthorised, 403: forbidden } = problems;

export const versionRoutes: readonly Route[] = [
  accountRoute({
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
