import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { nullableText, nullableTime, time } from '../../http/common-schema.ts';

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
export const importProgressSchema = {
  title: 'ImportProgress',
  type: 'object',
  properties: {
    state: { enum: ['running', 'done', 'failed', 'cancelled'] },
    stages: {
      type: 'array',
      items: {
        title: 'ImportStage',
        type: 'object',
        properties: {
          name: { type: 'string' },
          done: { type: 'integer' },
          total: { type: ['integer', 'null'], description: 'null while it is unknown' },
        },
        required: ['name', 'done', 'total'],
        additionalProperties: false,
      },
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
  required: ['state', 'stages', 'message', 'switch', 'started_at', 'ended_at', 'notes'],
  additionalProperties: false,
} as const;

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
  items: {
    title: 'FormerLink',
    type: 'object',
    properties: {
      project: {
        type: 'object',
        properties: { id: { type: 'integer' }, path_with_namespace: { type: 'string' } },
        required: ['id', 'path_with_namespace'],
        additionalProperties: false,
      },
      error_id: { type: 'string' },
      event_id: { ...nullableText, description: 'The named event, when it is stored' },
      web_url: { type: 'string' },
    },
    required: ['project', 'error_id', 'event_id', 'web_url'],
    additionalProperties: false,
  },
} as const;
