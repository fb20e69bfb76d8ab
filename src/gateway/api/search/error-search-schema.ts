import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { objectSchema } from '../../http/object-schema.ts';
import { errorFilters, searchKeyValues } from '../shared/error-filters-schema.ts';

export const errorCountsSchema = objectSchema({
  title: 'ErrorCounts',
  properties: {
    unresolved: { type: 'integer' },
    for_review: { type: 'integer' },
    resolved: { type: 'integer' },
    ignored: { type: 'integer' },
    matching: {
      type: 'integer',
      description: 'Errors that fit all filters, also the status and what the search says about it',
    },
    capped_at: { type: 'integer', description: 'A count that has this value may be greater' },
  },
});

export const countErrorsSchema = {
  type: 'object',
  properties: errorFilters,
  required: ['status'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

const searchKeySchema = objectSchema({
  title: 'SearchKey',
  properties: {
    key: { enum: searchKeyValues },
    kind: {
      enum: ['choice', 'text', 'person', 'time', 'tag'],
      description:
        'choice: one of values; person: me, none or a username; time: such as -24h or >2026-11-20; tag: the name of a tag',
    },
    description: { type: 'string' },
    values: { type: ['array', 'null'], items: { type: 'string' }, description: 'Closed set of values; null: any' },
    aliases: { type: 'array', items: { type: 'string' }, description: 'Other names of the key' },
  },
});

export const searchKeysSchema = objectSchema({
  title: 'SearchKeys',
  properties: {
    keys: { type: 'array', items: searchKeySchema, description: 'Keys that searches of this project may have' },
    tags: {
      type: 'array',
      items: { type: 'string' },
      maxItems: 500,
      description: 'Names of tags of the errors seen last, which may stand as a key: browser:Chrome. By name',
    },
    max_conditions: { type: 'integer', description: 'Most conditions of one search' },
  },
});

export const searchValuesParametersSchema = {
  type: 'object',
  properties: {
    key: { type: 'string', maxLength: 200, description: 'Key, or the name of a tag', 'x-not-blank': true },
    prefix: {
      type: 'string',
      maxLength: 200,
      description: 'Beginning of the values, in any case; types, files, functions and users have it anywhere',
    },
  },
  required: ['key'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

export const searchValuesSchema = objectSchema({
  title: 'SearchValues',
  properties: {
    values: {
      type: 'array',
      items: { type: 'string' },
      maxItems: 100,
      description: 'Suggestions from the errors seen last; not complete',
    },
  },
});
