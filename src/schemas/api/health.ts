import type { FromSchema } from 'json-schema-to-ts';
import type { ParametersSchema } from '../parameters.ts';

export const livenessSchema = {
  title: 'Liveness',
  type: 'object',
  properties: { status: { enum: ['ok'] } },
  required: ['status'],
  additionalProperties: false,
} as const;

export const readinessSchema = {
  title: 'Readiness',
  type: 'object',
  properties: {
    accepting: { type: 'boolean', description: 'Events can be accepted' },
    reading: { type: 'boolean', description: 'The store answers' },
    reason: { type: 'string', description: 'What is wrong, where something is' },
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
    for: { type: 'string', enum: ['events', 'reads'], default: 'events', description: 'Which ability is asked about' },
  },
  required: ['for'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

export type ReadinessParameters = FromSchema<typeof readinessParametersSchema>;
