import type { FromSchema } from 'json-schema-to-ts';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { nullableText, underHostName } from '../../http/common-schema.ts';

export const settingsSchema = {
  title: 'Settings',
  type: 'object',
  properties: {
    active: { type: 'boolean' },
    project_name: nullableText,
    thirdparty_external_url: nullableText,
    sentry_external_url: underHostName(nullableText),
    api_url: nullableText,
    integrated: { type: 'boolean' },
  },
  required: ['active', 'project_name', 'thirdparty_external_url', 'api_url', 'integrated'],
  additionalProperties: false,
} as const;

const active = {
  type: 'boolean',
  description: 'Whether error tracking is enabled for the project',
  'x-not-blank': true,
} as const;

const integrated = {
  type: 'boolean',
  description: 'true: the integrated backend, false: an external tracker',
} as const;

export const putSettingsSchema = {
  type: 'object',
  properties: { active, integrated },
  required: ['active', 'integrated'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

export const patchSettingsSchema = {
  type: 'object',
  properties: { active, integrated },
  required: ['active'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

const text = (description: string, maxLength = 255) => ({ type: 'string', maxLength, description }) as const;

export const putThirdpartySchema = {
  type: 'object',
  properties: {
    active: {
      type: 'boolean',
      description: 'Whether error tracking is enabled; if omitted, unchanged, or true for a new project',
    },
    api_host: text('Address of the tracker: scheme and host, with the sub-path if it has one', 1024),
    token: {
      ...text(
        'Token of the tracker; only `*`, or no token, keeps the stored one as long as the address is that of the same tracker',
        4096,
      ),
      'x-secret': true,
    },
    organization_slug: text('Slug of the organization in the tracker'),
    project_slug: text('Slug of the project in the tracker'),
    organization_name: text('Name of the organization, for display'),
    project_name: text('Name of the project, for display'),
    thirdparty_project_id: text('Id of the project in the tracker; errors of other projects are rejected'),
    sentry_project_id: text('Former name of thirdparty_project_id'),
  },
  additionalProperties: false,
} as const satisfies ParametersSchema;

export type PutThirdparty = FromSchema<typeof putThirdpartySchema>;
