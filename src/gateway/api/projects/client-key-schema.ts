import type { FromSchema } from 'json-schema-to-ts';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { nullableTime, underHostName } from '../../http/common-schema.ts';

export const clientKeySchema = {
  title: 'ClientKey',
  type: 'object',
  properties: {
    id: { type: 'integer' },
    active: { type: 'boolean' },
    public_key: { type: 'string' },
    thirdparty_dsn: { type: 'string' },
    sentry_dsn: underHostName({ type: 'string' }),
    last_used_at: {
      ...nullableTime,
      description:
        'Only if requested with `usage`: time of the last accepted request, up to ten seconds late; null: never used',
    },
  },
  required: ['id', 'active', 'public_key', 'thirdparty_dsn'],
  additionalProperties: false,
} as const;

export const clientKeysSchema = { type: 'array', items: clientKeySchema } as const;

export const updateClientKeySchema = {
  type: 'object',
  properties: { active: { type: 'boolean', description: 'Whether requests with this key are accepted' } },
  required: ['active'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

export type UpdateClientKey = FromSchema<typeof updateClientKeySchema>;

export const listClientKeysSchema = {
  type: 'object',
  properties: { usage: { type: 'boolean', description: 'Whether to include when each key was last used' } },
  additionalProperties: false,
} as const satisfies ParametersSchema;

export type ListClientKeys = FromSchema<typeof listClientKeysSchema>;
