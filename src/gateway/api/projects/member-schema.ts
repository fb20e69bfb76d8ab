import type { FromSchema } from 'json-schema-to-ts';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { objectSchema } from '../../http/object-schema.ts';

export const memberSchema = objectSchema({
  title: 'Member',
  properties: {
    id: { type: 'integer', description: 'Id of the user' },
    username: { type: 'string' },
    name: { type: 'string' },
    state: { enum: ['active', 'blocked'] },
    access_level: { enum: [10, 20, 30, 40, 50] },
  },
});

export const membersSchema = { type: 'array', items: memberSchema } as const;

const memberSuggestionSchema = objectSchema({
  title: 'MemberSuggestion',
  properties: {
    id: { type: 'integer', description: 'Id of the user' },
    username: { type: 'string' },
    name: { type: 'string' },
  },
});

export const memberSuggestionsSchema = { type: 'array', items: memberSuggestionSchema } as const;

const access_level = {
  type: 'integer',
  description: '10 Guest, 20 Reporter, 30 Developer, 40 Maintainer, 50 Owner',
} as const;

export const addMemberSchema = {
  type: 'object',
  properties: {
    user_id: { type: 'integer', description: 'Id of the user; required without username' },
    username: { type: 'string', maxLength: 255, description: 'Username, case-insensitive; required without user_id' },
    access_level,
  },
  required: ['access_level'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

export type AddMember = FromSchema<typeof addMemberSchema>;

export const updateMemberSchema = {
  type: 'object',
  properties: { access_level },
  required: ['access_level'],
  additionalProperties: false,
} as const satisfies ParametersSchema;
