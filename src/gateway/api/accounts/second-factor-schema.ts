import type { FromSchema } from 'json-schema-to-ts';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { nullableTime } from '../../http/common-schema.ts';

export const secondFactorSchema = {
  title: 'SecondFactor',
  type: 'object',
  properties: {
    enabled: { type: 'boolean', description: 'Whether sign-ins with a password ask for a code' },
    enabled_at: nullableTime,
    recovery_codes_left: { type: 'integer' },
    required: { type: 'boolean', description: 'Whether everybody who signs in with a password must have one' },
    secret: { type: 'string', description: 'Only after it was begun: for an authenticator app, in base32' },
    url: { type: 'string', description: 'Only after it was begun: the secret, as a picture shows it to such an app' },
    recovery_codes: {
      type: 'array',
      items: { type: 'string' },
      description: 'Only when they are new; they are not shown again',
    },
  },
  required: ['enabled', 'enabled_at', 'recovery_codes_left', 'required'],
  additionalProperties: false,
} as const;

const password = { type: 'string', maxLength: 1024, description: 'Current password' } as const;

export const setUpSecondFactorSchema = {
  type: 'object',
  properties: {
    password: { ...password, description: 'Current password; makes a new secret' },
    code: { type: 'string', maxLength: 100, description: 'Code of the app that has the secret; turns it on' },
  },
  additionalProperties: false,
} as const satisfies ParametersSchema;

export type SetUpSecondFactor = FromSchema<typeof setUpSecondFactorSchema>;

export const removeSecondFactorSchema = {
  type: 'object',
  properties: {
    password,
    code: {
      type: 'string',
      maxLength: 100,
      description: 'Code of the app, or a recovery code, in place of the password',
    },
  },
  additionalProperties: false,
} as const satisfies ParametersSchema;

export const renewRecoveryCodesSchema = {
  type: 'object',
  properties: { code: { type: 'string', maxLength: 100, description: 'Code of the app, or a recovery code' } },
  required: ['code'],
  additionalProperties: false,
} as const satisfies ParametersSchema;
