import type { FromSchema } from 'json-schema-to-ts';
import type { ParametersSchema } from '../parameters.ts';
import { nullableTime, underHostName } from './common.ts';

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
      description: 'Only where it was asked for: when it last let a request in, up to ten seconds late; null: never',
    },
  },
  required: ['id', 'active', 'public_key', 'thirdparty_dsn'],
  additionalProperties: false,
} as const;

export const clientKeysSchema = { type: 'array', items: clientKeySchema } as const;

export const updateClientKeySchema = {
  type: 'object',
  properties: { active: { type: 'boolean', description: 'Whether the key lets requests in' } },
  required: ['active'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

export type UpdateClientKey = FromSchema<typeof updateClientKeySchema>;

export const listClientKeysSchema = {
  type: 'object',
  properties: { usage: { type: 'boolean', description: 'Tell also when each key was last used' } },
  additionalProperties: false,
} as const satisfies ParametersSchema;

export type ListClientKeys = FromSchema<typeof listClientKeysSchema>;
