import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { objectSchema } from '../../http/object-schema.ts';

export const livenessSchema = objectSchema({ title: 'Liveness', properties: { status: { enum: ['ok'] } } });

export const readinessSchema = {
  title: 'Readiness',
  type: 'object',
  properties: {
    accepting: { type: 'boolean', description: 'Whether events can be accepted' },
    reading: { type: 'boolean', description: 'Whether the store responds' },
    reason: { type: 'string', description: 'The problem, if there is one' },
  },
  required: ['accepting', 'reading'],
  additionalProperties: false,
} as const;

export const healthSchema = {
  ...readinessSchema,
  title: 'Health',
  properties: { status: { enum: ['ok', 'degraded', 'failing'] }, ...readinessSchema.properties },
  required: ['status', 'accepting', 'reading'],
} as const;

export const readinessParametersSchema = {
  type: 'object',
  properties: {
    for: {
      type: 'string',
      enum: ['events', 'reads'],
      default: 'events',
      description: 'What to check: accepting events, or reading from the store',
    },
  },
  required: ['for'],
  additionalProperties: false,
} as const satisfies ParametersSchema;
