import { frequency } from './common.ts';

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
    access_level: { type: 'integer', description: 'The own role; 50 for administrators' },
    active: { type: 'boolean', description: 'Error tracking is enabled' },
    integrated: { type: 'boolean', description: 'The errors are stored here' },
    monitor: { type: 'boolean', description: 'The Monitor feature is on' },
    unresolved_count: {
      type: ['integer', 'null'],
      description: 'Counted up to 10000; null where one may not read errors, or an external tracker has them',
    },
    frequency: {
      ...frequency,
      type: ['array', 'null'],
      description: 'Events of the last 24 hours: start of the hour in seconds, count; null like the count',
    },
  },
  required: ['project', 'access_level', 'active', 'integrated', 'monitor', 'unresolved_count', 'frequency'],
  additionalProperties: false,
} as const;

export const overviewsSchema = { type: 'array', items: overviewSchema } as const;

export const testEventSchema = {
  title: 'TestEvent',
  type: 'object',
  properties: { event_id: { type: 'string', description: 'Under which it can be read in a moment' } },
  required: ['event_id'],
  additionalProperties: false,
} as const;
