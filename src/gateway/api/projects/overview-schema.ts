import { frequency, nullableTime } from '../../http/common-schema.ts';

const lately = (text: string) =>
  ({ type: ['integer', 'null'], description: `${text}, up to 10000; null if unresolved_count is null` }) as const;

export const overviewSchema = {
  title: 'ProjectOverview',
  type: 'object',
  properties: {
    project: {
      type: 'object',
      properties: {
        id: { type: 'integer' },
        name: { type: 'string' },
        path_with_namespace: { type: 'string' },
        visibility: { enum: ['private', 'public'] },
        web_url: { type: 'string' },
      },
      required: ['id', 'name', 'path_with_namespace', 'visibility', 'web_url'],
      additionalProperties: false,
    },
    access_level: { type: 'integer', description: 'Role of the signed-in user; 50 for administrators' },
    active: { type: 'boolean', description: 'Whether error tracking is enabled' },
    integrated: { type: 'boolean', description: 'Whether errgate stores the errors, instead of an external tracker' },
    monitor: { type: 'boolean', description: 'Whether the Monitor feature is on' },
    unresolved_count: {
      type: ['integer', 'null'],
      description: 'Counted up to 10000; null if the user may not read errors, or if an external tracker stores them',
    },
    new_count: lately('Unresolved errors first seen in the last 24 hours'),
    regressed_count: lately('Unresolved errors that came back in the last 7 days, as `is:regressed` finds them'),
    last_seen: { ...nullableTime, description: 'Newest event; null: none, or if unresolved_count is null' },
    favourite: { type: 'boolean', description: 'Whether the signed-in user marked the project' },
    frequency: {
      ...frequency,
      type: ['array', 'null'],
      description:
        'Events received in the last 24 hours as [start of the hour in epoch seconds, count], by the time of receipt, unlike the charts of errors; null if unresolved_count is null',
    },
  },
  required: [
    'project',
    'access_level',
    'active',
    'integrated',
    'monitor',
    'favourite',
    'unresolved_count',
    'new_count',
    'regressed_count',
    'last_seen',
    'frequency',
  ],
  additionalProperties: false,
} as const;

export const overviewsSchema = { type: 'array', items: overviewSchema } as const;

export const testEventSchema = {
  title: 'TestEvent',
  type: 'object',
  properties: { event_id: { type: 'string', description: 'Id of the event, which can be read shortly' } },
  required: ['event_id'],
  additionalProperties: false,
} as const;
