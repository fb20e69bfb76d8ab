import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { nullableText, nullableTime, time } from '../../http/common-schema.ts';

export const forwardingSchema = {
  title: 'Forwarding',
  description: 'Copy of everything the project accepts to the DSN of another tracker',
  type: 'object',
  properties: {
    target: { type: 'string', description: 'The DSN without its key, which is never shown' },
    until: { ...nullableTime, description: 'End of forwarding; null: none' },
    active: { type: 'boolean', description: 'false: the end has passed' },
    created_at: time,
    pending: {
      type: 'boolean',
      description: 'true: something waits, or was sent in the last 60 seconds, in any gateway',
    },
    waiting_bytes: { type: 'integer', description: 'Bytes on disk of what waits, in all gateways' },
    oldest_waiting_at: { ...nullableTime, description: 'Receipt of the oldest request that is being sent' },
    stalled: { type: 'boolean', description: 'true: the last 20 requests failed' },
    dropped: { type: 'integer', description: 'Requests and items that were given up' },
    last_success_at: nullableTime,
    last_failure_at: nullableTime,
    last_failure: nullableText,
  },
  required: [
    'target',
    'until',
    'active',
    'created_at',
    'pending',
    'waiting_bytes',
    'oldest_waiting_at',
    'stalled',
    'dropped',
    'last_success_at',
    'last_failure_at',
    'last_failure',
  ],
  additionalProperties: false,
} as const;

export const putForwardingSchema = {
  type: 'object',
  properties: {
    dsn: {
      type: 'string',
      maxLength: 2048,
      'x-secret': true,
      description: 'DSN of the other tracker; write-only. Required unless the project forwards already',
    },
    until: {
      type: 'string',
      maxLength: 40,
      description: 'Time at which forwarding ends, such as 2027-01-31T00:00:00Z, or `never`',
    },
  },
  additionalProperties: false,
} as const satisfies ParametersSchema;
