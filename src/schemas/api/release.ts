import type { FromSchema } from 'json-schema-to-ts';
import type { ParametersSchema } from '../parameters.ts';
import { nullableText, time } from './common.ts';
import { cursor, perPage } from './error.ts';

const count = { type: 'integer', minimum: 0 } as const;
const share = (description: string) => ({ type: ['number', 'null'], minimum: 0, maximum: 1, description }) as const;

const releaseProperties = {
  project_id: { type: 'integer' },
  release: { type: 'string' },
  environment: { ...nullableText, description: 'The one that was asked for; null: all' },
  first_seen: { ...time, description: 'Earliest event or session' },
  last_seen: { ...time, description: 'Latest event or session' },
  events: { ...count, description: 'Stored events, also those that retention removed since' },
  new_errors: { ...count, description: 'Errors that were first seen in this release' },
  sessions: {
    type: 'object',
    description: 'Each session stands in one of the parts that follow the total',
    properties: { total: count, healthy: count, errored: count, unhandled: count, abnormal: count, crashed: count },
    required: ['total', 'healthy', 'errored', 'unhandled', 'abnormal', 'crashed'],
    additionalProperties: false,
  },
  users: {
    type: 'object',
    description: 'Distinct people with a session, as far as SDKs name them',
    properties: { total: count, crashed: count },
    required: ['total', 'crashed'],
    additionalProperties: false,
  },
  crash_free_sessions: share('Share of sessions that did not crash, 0 to 1; null without sessions'),
  crash_free_users: share('Share of people none of whose sessions crashed, 0 to 1; null without people'),
  sessions_24h: { ...count, description: 'Sessions that began in the last 24 hours' },
  adoption_24h: share('Share of these in the sessions of all releases, 0 to 1; null without any'),
} as const;

export const releaseSchema = {
  title: 'Release',
  type: 'object',
  properties: releaseProperties,
  required: Object.keys(releaseProperties),
  additionalProperties: false,
} as const;

export const releasesSchema = { type: 'array', items: releaseSchema } as const;

const names = { type: 'array', items: { type: 'string' }, maxItems: 100 } as const;

export const filterValuesSchema = {
  title: 'FilterValues',
  type: 'object',
  properties: {
    environments: { ...names, description: 'By name: those of releases, and of the errors that were seen last' },
    releases: { ...names, description: 'Newest first, by when they were first seen' },
  },
  required: ['environments', 'releases'],
  additionalProperties: false,
} as const;

export const listReleasesSchema = {
  type: 'object',
  properties: {
    environment: { type: 'string', maxLength: 200, description: 'Only what happened in this environment' },
    per_page: perPage,
    cursor,
  },
  required: ['per_page'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

export type ListReleases = FromSchema<typeof listReleasesSchema>;
