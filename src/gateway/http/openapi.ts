import { POLICY, type Rule } from '../../auth/policy.ts';
import type { ParametersSchema } from '../../schemas/parameters.ts';
import { problemSchema } from './common-schema.ts';
import type { ResponseDoc, Route } from './route.ts';

interface About {
  readonly version: string;
  readonly serverUrl: string;
}

type Json = Record<string, unknown>;

/** Descriptions of path parameters by name. */
const PATH_PARAMETERS: Readonly<Record<string, { description: string; schema: object }>> = {
  id: {
    description: 'Id of the project, or its full path, URL-encoded',
    schema: { type: ['integer', 'string'] },
  },
  note_id: { description: 'Id of a note', schema: { type: 'string' } },
  session_id: { description: 'Name of the session in the list', schema: { type: 'string' } },
  identity_id: { description: 'Id of an account at an identity provider', schema: { type: 'integer' } },
  view_id: { description: 'Id of a saved view', schema: { type: 'integer' } },
  issue_id: { description: 'Id of a linked issue', schema: { type: 'integer' } },
  key_id: { description: 'Id of the client key', schema: { type: 'integer' } },
  email: { description: 'E-mail address of an invitation, in any case', schema: { type: 'string' } },
  user_id: { description: 'Id of the user', schema: { type: 'integer' } },
  channel_id: { description: 'Id of the alert channel', schema: { type: 'integer' } },
  delivery_id: { description: 'Id of the alert message', schema: { type: 'string' } },
  bundle_id: { description: 'Id of an upload', schema: { type: 'string', pattern: '^[0-9a-f]{40}$' } },
  token_id: { description: 'Id of the access token', schema: { type: 'integer' } },
  error_id: {
    description: 'Id of the error',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
  },
  discarded_id: { description: 'Id of the discarded error', schema: { type: 'integer' } },
  event_id: { description: 'Event id, 32 hexadecimal digits', schema: { type: 'string' } },
  release: { description: 'Name of a release, encoded', schema: { type: 'string' } },
  project_path: { description: 'Full path of the project, with unencoded slashes', schema: { type: 'string' } },
};

const OFFSET_PARAMETERS = [
  {
    name: 'page',
    in: 'query',
    schema: { type: 'integer', default: 1 },
    description: 'Number of the page, starting at 1',
  },
  {
    name: 'per_page',
    in: 'query',
    schema: { type: 'integer', default: 20 },
    description: 'Entries per page, at most 100',
  },
];

/** Converts a path of the router to OpenAPI: `/projects/{id}/…`, with optional parts included. */
export function documentedPath(path: string): string {
  return path.replaceAll(/\{(\.json)\}/g, '$1').replaceAll(/[:*](\w+)/g, '{$1}');
}

function pathParameters(path: string): Json[] {
  return [...documentedPath(path).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...PATH_PARAMETERS[name],
  }));
}

function queryParameters(parameters: ParametersSchema): Json[] {
  const required = new Set(parameters.required ?? []);
  return Object.entries(parameters.properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    description,
    required: required.has(name) && !('default' in schema),
    schema,
  }));
}

/**
 * Returns the parameters that may be in the query instead of the body. Leaves out secrets, although they are accepted:
 * addresses get into logs.
 */
function insteadOfBody(parameters: ParametersSchema): Json[] {
  return queryParameters(parameters)
    .filter(({ name }) => parameters.properties[name as string]?.['x-secret'] !== true)
    .map((parameter) => ({ ...parameter, required: false }));
}

/**
 * Describes a boolean of which one value is allowed, or which may be written as text, as a boolean. Generators of clients
 * make code of the narrower forms that does not compile. Requests are checked against the narrower forms.
 */
function plainBooleans(schema: Json): Json {
  const { const: only, enum: values, ...rest } = schema;
  const isBoolean = typeof only === 'boolean' || (Array.isArray(values) && values.includes(true));
  return isBoolean ? { ...rest, type: 'boolean' } : schema;
}

/**
 * Returns the schema of an object that may be null as that of the object alone; null for every other schema. Generators
 * of clients fail to make a class of an object that may be null itself, so null stands beside the references to it.
 */
function withoutNull(schema: Json): Json | null {
  const { type } = schema;
  return Array.isArray(type) && type.includes('object') && type.includes('null') ? { ...schema, type: 'object' } : null;
}

/** Collects schemas with a title once, under that title, and replaces them by references. */
class Components {
  readonly schemas: Json = {};

  refer(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((entry) => this.refer(entry));
    if (typeof schema !== 'object' || schema === null) return schema;
    const members = Object.entries(schema).map(([name, value]) => [name, this.refer(value)] as const);
    const copy = plainBooleans(Object.fromEntries(members));
    const { title } = copy;
    if (typeof title !== 'string') return copy;
    const reference = { $ref: `#/components/schemas/${title}` };
    const filled = withoutNull(copy);
    this.schemas[title] = filled ?? copy;
    return filled === null ? reference : { anyOf: [reference, { type: 'null' }] };
  }
}

function response(components: Components, { description, schema }: ResponseDoc, produces?: string): Json {
  if (produces !== undefined) return { description, content: { [produces]: { schema: { type: 'string' } } } };
  if (schema === undefined) return { description };
  return { description, content: { 'application/json': { schema: components.refer(schema) } } };
}

function requestBody(components: Components, parameters: ParametersSchema, jsonOnly: boolean): Json {
  const schema = components.refer(parameters);
  const json = ['application/json'];
  const types = jsonOnly ? json : [...json, 'application/x-www-form-urlencoded', 'multipart/form-data'];
  return {
    required: jsonOnly && (parameters.required ?? []).length > 0,
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
  };
}

function jsonBody(components: Components, body: object): Json {
  const { required = [] } = body as { readonly required?: readonly string[] };
  return { required: required.length > 0, content: { 'application/json': { schema: components.refer(body) } } };
}

const ROLE_NAMES = {
  guest: 'Guest',
  reporter: 'Reporter',
  developer: 'Developer',
  maintainer: 'Maintainer',
  owner: 'Owner',
};

/** Describes the required role and token scopes, and when the operation does not exist. */
function describeAccess({ action, sessionOnly, surface }: Route): string {
  if (action === null) return 'Open to everybody.';
  if (surface === 'agents') return 'For any user, with a token with the scope api or read_api as bearer.';
  const { role, scopes, admin, monitor }: Rule = POLICY[action];
  const users =
    admin === true ? 'administrators' : role === null ? 'any user' : `the role ${ROLE_NAMES[role]} or higher`;
  const access =
    sessionOnly === true
      ? 'a session'
      : scopes.includes('read_api')
        ? 'a token with the scope api or read_api, or a session'
        : 'a token with the scope api, or a session';
  const off = monitor ? ' Answers 404 while the Monitor feature of the project is off.' : '';
  return `For ${users}, with ${access}.${off}`;
}

/**
 * Returns the ways to authenticate. With a session, all methods except GET and HEAD also need the header X-CSRF-Token.
 */
function security(route: Route): Json[] {
  if (route.action === null) return [];
  if (route.surface === 'agents') return [{ bearer: [] }];
  const session = { session: [] };
  return route.sessionOnly === true ? [session] : [{ privateToken: [] }, { bearer: [] }, session];
}

function operation(components: Components, route: Route): Json {
  const { parameters, method } = route;
  const other = response(components, { description: 'Any other error', schema: problemSchema });
  const jsonOnly = route.jsonOnly === true;
  const inQuery =
    parameters === undefined || jsonOnly
      ? []
      : method === 'GET'
        ? queryParameters(parameters)
        : insteadOfBody(parameters);
  const paged = route.pagedByOffset === true ? OFFSET_PARAMETERS : [];
  const responses = Object.entries(route.responses).map(
    ([status, doc]) => [status, response(components, doc, status === '200' ? route.produces : undefined)] as const,
  );
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: describeAccess(route),
    tags: [route.surface],
    security: security(route),
    parameters: [...pathParameters(route.path), ...inQuery, ...paged],
    ...(parameters !== undefined && method !== 'GET'
      ? { requestBody: requestBody(components, parameters, jsonOnly) }
      : {}),
    ...(route.body === undefined ? {} : { requestBody: jsonBody(components, route.body) }),
    responses: { ...Object.fromEntries(responses), default: other },
  };
}

/** Builds the OpenAPI 3.1 description from the same route objects that serve requests. */
export function openApiDocument(routes: readonly Route[], { version, serverUrl }: About): Json {
  const components = new Components();
  const paths: Record<string, Json> = {};
  // Routes for build tools are those of their protocol.
  for (const route of routes.filter(({ surface }) => surface !== 'tools')) {
    const path = documentedPath(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(components, route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'errgate',
      version,
      description:
        'Error tracking: settings, client keys, errors, events. Body parameters may also be in the query; the body takes precedence.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    tags: [
      { name: 'api', description: 'REST API' },
      { name: 'web', description: 'JSON for the pages' },
      { name: 'ops', description: 'Health and metrics' },
      { name: 'agents', description: 'Model Context Protocol' },
    ],
    paths,
    components: {
      schemas: components.schemas,
      securitySchemes: {
        privateToken: { type: 'apiKey', in: 'header', name: 'PRIVATE-TOKEN' },
        bearer: { type: 'http', scheme: 'bearer' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'errgate_session',
          description: 'Set by POST /-/session. All methods except GET and HEAD also need the header X-CSRF-Token.',
        },
      },
    },
  };
}
