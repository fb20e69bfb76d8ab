import type { FromSchema } from 'json-schema-to-ts';
import type { ParametersSchema } from '../../schemas/parameters.ts';
import { CHANGES_NOTHING } from '../http/audit/audit-rule.ts';
import { trackerProjectSchema, problems, problemSchema, presentTrackerProject } from '../http/common-schema.ts';
import { projectRoute, type ProjectCall, type Reply, type Route } from '../http/route.ts';

const adviceSchema = {
  type: 'array',
  description: 'Advice about the tracker and the token',
  items: {
    title: 'Advice',
    type: 'object',
    properties: {
      code: { type: 'string' },
      message: { type: 'string' },
      field: { enum: ['api_host', 'token'], description: 'The parameter that the advice is about' },
      value: { type: 'string', description: 'Suggested value of that parameter' },
    },
    required: ['code', 'message'],
    additionalProperties: false,
  },
} as const;

const trackerProjectsSchema = {
  title: 'TrackerProjects',
  type: 'object',
  properties: {
    projects: {
      type: 'array',
      items: trackerProjectSchema,
    },
    account: {
      type: 'string',
      description: 'Name of the account that the token belongs to, if the tracker provides it',
    },
    advice: adviceSchema,
  },
  required: ['projects', 'advice'],
  additionalProperties: false,
} as const;

/** Reason for a failed request to the tracker. */
const connectProblemSchema = {
  title: 'ConnectProblem',
  type: 'object',
  properties: { message: { type: 'string' }, advice: adviceSchema },
  required: ['message'],
  additionalProperties: false,
} as const;

const connectParametersSchema = {
  type: 'object',
  properties: {
    api_host: { type: 'string', description: 'Address of the tracker: scheme and host', 'x-label': 'Api url' },
    token: {
      type: 'string',
      'x-label': 'Token',
      'x-secret': true,
      description:
        'Token of the tracker; without it, or with only `*`, the stored one. Also in the body of a POST, or in X-Thirdparty-Token',
    },
  },
  additionalProperties: false,
} as const satisfies ParametersSchema;

type ConnectParameters = FromSchema<typeof connectParametersSchema>;

const responses = {
  200: { description: 'The projects that the token can see', schema: trackerProjectsSchema },
  400: {
    description:
      'The address or the token is wrong, or the tracker cannot be reached; with `error` if the body is not JSON',
    schema: { anyOf: [connectProblemSchema, problemSchema] },
  },
  401: problems[401],
  404: { description: 'Not visible to the user, or the Monitor feature is off (empty body)' },
};

/** The address of the request may have a token. */
const NO_STORE = { 'Cache-Control': 'no-store' };

/** Queries the tracker with an address and a token that need not be saved. */
async function connect(call: ProjectCall<ConnectParameters>): Promise<Reply> {
  const { deps, project, params, header, signal } = call;
  const before = await deps.store.settings(project.id);
  const typed = params.token ?? header('X-Thirdparty-Token');
  // Without the parameter the stored token is meant; an empty one is a field that was left empty.
  const token = typed === '' && call.rawParameters['token'] === undefined ? '*' : typed;
  const question = { apiHost: params.api_host ?? '', token };
  const { projects, account, refusal, advice } = await deps.trackers.connect(project.id, before, question, signal);
  if (projects !== null) {
    const named = account === null ? {} : { account };
    return {
      status: 200,
      headers: NO_STORE,
      body: { projects: projects.map(presentTrackerProject), ...named, advice },
    };
  }
  return { status: 400, headers: NO_STORE, body: { message: refusal, ...(advice.length === 0 ? {} : { advice }) } };
}

const PATH = '/*project_path/-/error_tracking/projects{.json}';
const summary = 'List the projects of an external tracker that a token can see';

export const connectRoutes: readonly Route[] = [
  projectRoute({
    surface: 'web',
    method: 'GET',
    path: PATH,
    operationId: 'webListTrackerProjects',
    summary,
    action: 'connect_tracker',
    parameters: connectParametersSchema,
    responses,
    handle: connect,
  }),
  projectRoute({
    surface: 'web',
    method: 'POST',
    path: PATH,
    operationId: 'webConnectTracker',
    summary: `${summary}; the token is not in the address`,
    action: 'connect_tracker',
    audit: CHANGES_NOTHING,
    parameters: connectParametersSchema,
    responses,
    handle: connect,
  }),
];
