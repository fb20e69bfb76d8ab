import type { FromSchema } from 'json-schema-to-ts';
import type { ParametersSchema } from '../parameters.ts';
import { nullableText, time } from './common.ts';

export const userSchema = {
  title: 'User',
  type: 'object',
  properties: {
    id: { type: 'integer' },
    username: { type: 'string' },
    name: { type: 'string' },
    state: { enum: ['active', 'blocked'] },
    is_admin: { type: 'boolean' },
    created_at: time,
  },
  required: ['id', 'username', 'name', 'state', 'is_admin', 'created_at'],
  additionalProperties: false,
} as const;

export const versionSchema = {
  title: 'Version',
  type: 'object',
  properties: { version: { type: 'string' }, revision: nullableText },
  required: ['version', 'revision'],
  additionalProperties: false,
} as const;

export const usersSchema = { type: 'array', items: userSchema } as const;

export const newUserSchema = {
  ...userSchema,
  title: 'NewUser',
  properties: {
    ...userSchema.properties,
    password: { type: 'string', description: 'Only where it was generated, and only this once' },
  },
} as const;

const name = { type: 'string', maxLength: 255, description: 'The name that is displayed' } as const;
const admin = { type: 'boolean', description: 'May do everything in every project' } as const;
const password = {
  type: 'string',
  maxLength: 1024,
  description: '8 to 128 characters; has to be changed at the next sign-in',
} as const;

export const listUsersSchema = {
  type: 'object',
  properties: {
    username: { type: 'string', description: 'Only the person of this username, in any case' },
    search: { type: 'string', description: 'Only people whose username or name holds this text, in any case' },
  },
  additionalProperties: false,
} as const satisfies ParametersSchema;

export type ListUsers = FromSchema<typeof listUsersSchema>;

export const createUserSchema = {
  type: 'object',
  properties: {
    username: { type: 'string', maxLength: 255, description: 'Letters, digits, "_", "." and "-"' },
    name,
    admin,
    password: { ...password, description: `${password.description}; absent: one is generated` },
  },
  required: ['username'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

export type CreateUser = FromSchema<typeof createUserSchema>;

export const updateUserSchema = {
  type: 'object',
  properties: { name, admin, password },
  additionalProperties: false,
} as const satisfies ParametersSchema;

export type UpdateUser = FromSchema<typeof updateUserSchema>;
