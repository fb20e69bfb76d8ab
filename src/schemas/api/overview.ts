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

const allowed = {
  type: ['object', 'null'],
  description: 'null: no limit',
  properties: { per_minute: { type: 'integer' }, burst: { type: 'integer' } },
  required: ['per_minute', 'burst'],
  additionalProperties: false,
} as const;

const kinds = {
  type: 'object',
  properties: { events: allowed, sessions: allowed },
  required: ['events', 'sessions'],
  additionalProperties: false,
} as const;

const fields = { type: 'array', items: { type: 'string' } } as const;

export const protectionSchema = {
  title: 'Protection',
  type: 'object',
  properties: {
    scrubbing: {
      type: 'object',
      properties: {
        enabled: { type: 'boolean' },
        scrub_ips: { type: 'boolean' },
        sensitive_fields: { ...fields, description: 'Beside the built-in ones' },
        safe_fields: fields,
      },
      required: ['enabled', 'scrub_ips', 'sensitive_fields', 'safe_fields'],
      additionalProperties: false,
    },
    limits: {
      type: 'object',
      properties: {
        key: kinds,
        project: kinds,
        instance: kinds,
        spike_guard: {
          type: ['object', 'null'],
          properties: { factor: { type: 'number' }, minimum_per_minute: { type: 'integer' } },
          required: ['factor', 'minimum_per_minute'],
          additionalProperties: false,
        },
      },
      required: ['key', 'project', 'instance', 'spike_guard'],
      additionalProperties: false,
    },
  },
  required: ['scrubbing', 'limits'],
  additionalProperties: false,
} as const;
