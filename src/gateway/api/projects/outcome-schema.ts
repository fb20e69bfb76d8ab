import type { FromSchema } from 'json-schema-to-ts';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { time } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';

/** Outcomes of the domain. */
const outcomes = ['accepted', 'filtered', 'rate_limited', 'invalid', 'client_discard'] as const;

export const outcomesSchema = objectSchema({
  title: 'Outcomes',
  properties: {
    since: time,
    until: time,
    outcomes: {
      type: 'array',
      items: {
        type: 'object',
        description: 'Contains the columns named in `group_by`, and the quantity',
        properties: {
          hour: time,
          day: time,
          key_id: { type: 'integer' },
          category: { type: 'string' },
          outcome: { enum: outcomes },
          reason: { type: 'string' },
          quantity: { type: 'integer' },
        },
        required: ['quantity'],
        additionalProperties: false,
      },
    },
  },
});

export const listOutcomesSchema = {
  type: 'object',
  properties: {
    since: {
      type: 'string',
      format: 'date-time',
      description: 'Default: 24 hours before until; at most 90 days before it',
    },
    until: { type: 'string', format: 'date-time', description: 'Default: now' },
    key_id: { type: 'integer', minimum: 1, description: 'Only outcomes of this client key' },
    category: { type: 'string', maxLength: 64, description: 'Only outcomes of this data category' },
    outcome: { type: 'string', enum: outcomes, description: 'Only this outcome' },
    reason: { type: 'string', maxLength: 64, description: 'Only outcomes with this reason' },
    group_by: {
      type: 'string',
      maxLength: 100,
      default: 'hour,key_id,category,outcome,reason',
      description: 'Columns to group by, separated by commas: any of hour (or day), key_id, category, outcome, reason',
    },
    per_page: { type: 'integer', minimum: 1, default: 1000, description: 'Rows per page, at most 1000' },
    cursor: { type: 'string', maxLength: 1000, description: 'Cursor from the Link header of an earlier response' },
  },
  additionalProperties: false,
} as const satisfies ParametersSchema;

export type ListOutcomes = FromSchema<typeof listOutcomesSchema>;
