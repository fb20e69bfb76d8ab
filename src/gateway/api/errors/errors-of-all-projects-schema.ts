import type { FromSchema } from 'json-schema-to-ts';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { errorSchema } from './error-schema.ts';
import { perPage } from '../shared/error-filters-schema.ts';

const projectSchema = {
  title: 'StreamProject',
  type: 'object',
  properties: { id: { type: 'integer' }, name: { type: 'string' }, path_with_namespace: { type: 'string' } },
  required: ['id', 'name', 'path_with_namespace'],
  additionalProperties: false,
} as const;

export const errorStreamSchema = {
  title: 'ErrorStream',
  type: 'object',
  properties: {
    errors: {
      type: 'array',
      description: 'Unresolved errors, what matters first; at most 10 of a project',
      items: {
        title: 'StreamedError',
        type: 'object',
        properties: { ...errorSchema.properties, project: projectSchema },
        required: [...errorSchema.required, 'project'],
        additionalProperties: false,
      },
    },
    missing: {
      type: 'array',
      description: 'Projects whose external tracker did not answer within 2 seconds, or not at all',
      items: {
        type: 'object',
        properties: { project: projectSchema, reason: { type: 'string' } },
        required: ['project', 'reason'],
        additionalProperties: false,
      },
    },
    left_out: { type: 'integer', description: 'Projects beyond the 100 that one answer looks at' },
  },
  required: ['errors', 'missing', 'left_out'],
  additionalProperties: false,
} as const;

export const listStreamSchema = {
  type: 'object',
  properties: {
    sort: { type: 'string', enum: ['matters'], default: 'matters', description: 'The only order of this list' },
    favourites: { type: 'boolean', description: 'Only errors of the projects that you marked' },
    per_page: perPage,
  },
  required: ['per_page'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

export type ListStream = FromSchema<typeof listStreamSchema>;
