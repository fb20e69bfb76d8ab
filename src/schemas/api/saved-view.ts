import type { FromSchema } from 'json-schema-to-ts';

const name = { type: 'string', minLength: 1, maxLength: 60 } as const;
const query = {
  type: 'string',
  maxLength: 1000,
  description: "Query string of the list's address, without its page",
} as const;
const isDefault = {
  type: 'boolean',
  description: 'Default view of the list; at most one per person and project',
} as const;

export const savedViewSchema = {
  title: 'SavedView',
  type: 'object',
  properties: { id: { type: 'integer' }, name, query, is_default: isDefault },
  required: ['id', 'name', 'query', 'is_default'],
  additionalProperties: false,
} as const;

export const savedViewsSchema = { type: 'array', items: savedViewSchema } as const;

export const newSavedViewSchema = {
  title: 'NewSavedView',
  type: 'object',
  properties: { name, query, is_default: isDefault },
  required: ['name', 'query'],
} as const;

export type NewSavedView = FromSchema<typeof newSavedViewSchema>;

export const favouritesSchema = {
  title: 'Favourites',
  type: 'array',
  items: { type: 'integer' },
  description: 'Ids of projects, ascending',
} as const;
