import type { FromSchema } from 'json-schema-to-ts';
import type { ParametersSchema } from '../../schemas/parameters.ts';
import { trackerProjectSchema } from '../http/common-schema.ts';

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

export const trackerProjectsSchema = {
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
export const connectProblemSchema = {
  title: 'ConnectProblem',
  type: 'object',
  properties: { message: { type: 'string' }, advice: adviceSchema },
  required: ['message'],
  additionalProperties: false,
} as const;

export const connectParametersSchema = {
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

export type ConnectParameters = FromSchema<typeof connectParametersSchema>;
