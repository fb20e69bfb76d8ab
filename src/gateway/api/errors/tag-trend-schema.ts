import type { FromSchema } from 'json-schema-to-ts';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { nullableText, time } from '../../http/common-schema.ts';

export const getTagTrendSchema = {
  type: 'object',
  properties: { key: { type: 'string', maxLength: 200, description: 'Name of the tag' } },
  required: ['key'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

export type GetTagTrend = FromSchema<typeof getTagTrendSchema>;

const valueProperties = {
  value: { type: 'string' },
  count: { type: 'integer' },
  first_seen: { ...time, description: 'Of its first event among those looked at' },
  last_seen: time,
  first_release: { ...nullableText, description: 'Release of that first event; null: it has none' },
  frequency: {
    type: 'array',
    items: { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 },
    description: 'Beginning of each bucket in epoch seconds, and its events, oldest first; at most 60',
  },
} as const;

export const tagTrendSchema = {
  title: 'TagTrend',
  type: 'object',
  properties: {
    key: { type: 'string' },
    events: { type: 'integer', description: 'Number of newest stored events examined, at most 1,000' },
    complete: { type: 'boolean', description: 'Whether these are all that are stored' },
    first_event: { ...time, type: ['string', 'null'], description: 'Time of the first of them; null: there are none' },
    last_event: { ...time, type: ['string', 'null'] },
    bucket_hours: { type: 'integer' },
    values: {
      type: 'array',
      items: {
        title: 'TrendOfValue',
        type: 'object',
        properties: valueProperties,
        required: Object.keys(valueProperties) as (keyof typeof valueProperties)[],
        additionalProperties: false,
      },
      description: 'Most frequent first, at most 20',
    },
    other: { type: 'integer', description: 'Events with further values' },
  },
  required: ['key', 'events', 'complete', 'first_event', 'last_event', 'bucket_hours', 'values', 'other'],
  additionalProperties: false,
} as const;
