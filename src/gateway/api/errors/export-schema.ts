import type { FromSchema } from 'json-schema-to-ts';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { errorFilters, sortValues } from '../shared/error-filters-schema.ts';

export const exportErrorsSchema = {
  type: 'object',
  properties: {
    ...errorFilters,
    sort: {
      type: 'string',
      enum: sortValues,
      description: 'Field to sort by, in descending order; default first_seen, in which order no row is missed',
    },
    bom: {
      type: 'boolean',
      description: 'Begin with a byte order mark, by which spreadsheets recognise UTF-8',
    },
  },
  required: ['status'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

export type ExportErrors = FromSchema<typeof exportErrorsSchema>;
