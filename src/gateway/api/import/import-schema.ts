import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { nullableText, nullableTime, time } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';

export const startImportSchema = {
  type: 'object',
  properties: {
    switch: {
      type: 'boolean',
      description: 'Whether the project becomes integrated when everything was imported; default false',
    },
  },
  additionalProperties: false,
} as const satisfies ParametersSchema;
export const importProgressSchema = objectSchema({
  title: 'ImportProgress',
  properties: {
    state: { enum: ['running', 'done', 'failed', 'cancelled'] },
    stages: {
      type: 'array',
      items: objectSchema({
        title: 'ImportStage',
        properties: {
          name: { type: 'string' },
          done: { type: 'integer' },
          total: { type: ['integer', 'null'], description: 'null while it is unknown' },
        },
      }),
    },
    message: { type: 'string' },
    switch: { type: 'boolean', description: 'Whether the project becomes integrated at the end' },
    started_at: time,
    ended_at: nullableTime,
    notes: {
      type: 'array',
      items: { type: 'string' },
      description: 'What was not imported and must be set up again',
    },
  },
});

/** Maximum characters of an old address or id. */
const MAX_REFERENCE = 2000;

export const formerLinkParametersSchema = {
  type: 'object',
  properties: {
    path: {
      type: 'string',
      maxLength: MAX_REFERENCE,
      'x-not-blank': true,
      description: 'Address of an issue in a former tracker, or its path, id or short id',
    },
  },
  required: ['path'],
  additionalProperties: false,
} as const satisfies ParametersSchema;
export const formerLinksSchema = {
  type: 'array',
  items: objectSchema({
    title: 'FormerLink',
    properties: {
      project: objectSchema({ properties: { id: { type: 'integer' }, path_with_namespace: { type: 'string' } } }),
      error_id: { type: 'string' },
      event_id: { ...nullableText, description: 'The named event, when it is stored' },
      web_url: { type: 'string' },
    },
  }),
} as const;
