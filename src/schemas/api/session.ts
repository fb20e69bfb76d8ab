import type { FromSchema } from 'json-schema-to-ts';
import type { ParametersSchema } from '../parameters.ts';
import { nullableText } from './common.ts';

export const sessionSchema = {
  title: 'Session',
  type: 'object',
  properties: {
    user: {
      type: ['object', 'null'],
      description: 'Who is signed in; null: nobody',
      properties: {
        id: { type: 'integer' },
        username: { type: 'string' },
        name: { type: 'string' },
        admin: { type: 'boolean' },
      },
      required: ['id', 'username', 'name', 'admin'],
      additionalProperties: false,
    },
    csrf_token: { ...nullableText, description: 'For the header X-CSRF-Token of everything but GET and HEAD' },
    must_change_password: { type: 'boolean', description: 'Somebody else knows the password' },
    may_postpone: { type: 'boolean', description: 'Everything works although the password has to be changed' },
    version: { type: 'string' },
    external_url: { type: 'string' },
    integrated_offered: { type: 'boolean', description: 'Whether this installation stores errors itself' },
  },
  required: [
    'user',
    'csrf_token',
    'must_change_password',
    'may_postpone',
    'version',
    'external_url',
    'integrated_offered',
  ],
  additionalProperties: false,
} as const;

const MAX_TEXT = 1024;

export const signInSchema = {
  type: 'object',
  properties: {
    username: { type: 'string', maxLength: MAX_TEXT, description: 'In any case' },
    password: { type: 'string', maxLength: MAX_TEXT, description: 'As it was chosen' },
  },
  required: ['username', 'password'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

export type SignIn = FromSchema<typeof signInSchema>;

export const changePasswordSchema = {
  type: 'object',
  properties: {
    current_password: { type: 'string', maxLength: MAX_TEXT, description: 'The one that works now' },
    password: { type: 'string', maxLength: MAX_TEXT, description: '8 to 128 characters, other than the username' },
  },
  required: ['current_password', 'password'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

export type ChangePassword = FromSchema<typeof changePasswordSchema>;
