import type { FromSchema } from 'json-schema-to-ts';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { nullableText, ONE_LINE, nullableTime, time } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';

const scopes = { type: 'array', items: { type: 'string', enum: ['api', 'read_api', 'ci'] } } as const;
const personalScopes = { type: 'array', items: { type: 'string', enum: ['api', 'read_api'] } } as const;

export const tokenSchema = objectSchema({
  title: 'PersonalAccessToken',
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    description: nullableText,
    revoked: { type: 'boolean' },
    active: { type: 'boolean', description: 'Neither revoked nor expired' },
    created_at: time,
    last_used_at: { ...nullableTime, description: 'Updated with a delay of up to ten minutes; null: never used' },
    expires_at: {
      type: ['string', 'null'],
      description: 'Last day on which the token is valid, in UTC; null: it does not expire',
    },
    scopes,
    user_id: { type: 'integer' },
  },
});

export const tokensSchema = { type: 'array', items: tokenSchema } as const;

export const newTokenSchema = {
  ...tokenSchema,
  title: 'NewPersonalAccessToken',
  properties: { ...tokenSchema.properties, token: { type: 'string', description: 'The token; it is not shown again' } },
  required: [...tokenSchema.required, 'token'],
} as const;

export const createTokenSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 255, pattern: ONE_LINE, description: 'Name of the token' },
    description: { type: 'string', maxLength: 255, pattern: ONE_LINE, description: 'Purpose of the token' },
    scopes: { ...personalScopes, description: '`api`: full access; `read_api`: read access only' },
    expires_at: {
      type: 'string',
      maxLength: 10,
      description: 'Last day on which the token is valid, such as `2027-01-31`',
    },
  },
  required: ['name', 'scopes'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

export type CreateToken = FromSchema<typeof createTokenSchema>;
