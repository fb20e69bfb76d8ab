import type { FromSchema } from 'json-schema-to-ts';
import type { ParametersSchema } from '../parameters.ts';
import { nullableText, time } from './common.ts';
import { cursor, perPage } from './error-filters.ts';

const count = { type: 'integer', minimum: 0 } as const;
const share = (description: string) => ({ type: ['number', 'null'], minimum: 0, maximum: 1, description }) as const;

const releaseProperties = {
  project_id: { type: 'integer' },
  release: { type: 'string' },
  environment: { ...nullableText, description: 'The requested environment; null: all environments' },
  first_seen: { ...time, description: 'Earliest event or session' },
  last_seen: { ...time, description: 'Latest event or session' },
  events: { ...count, description: 'Stored events, including those since removed by retention' },
  new_errors: { ...count, description: 'Errors that were first seen in this release' },
  sessions: {
    type: 'object',
    description: 'Each session counts in the total and in exactly one of the other members',
    properties: { total: count, healthy: count, errored: count, unhandled: count, abnormal: count, crashed: count },
    required: ['total', 'healthy', 'errored', 'unhandled', 'abnormal', 'crashed'],
    additionalProperties: false,
  },
  users: {
    type: 'object',
    description: 'Distinct users with a session, if SDKs report users',
    properties: { total: count, crashed: count },
    required: ['total', 'crashed'],
    additionalProperties: false,
  },
  crash_free_sessions: share('Share of sessions that did not crash, 0 to 1; null without sessions'),
  crash_free_users: share('Share of users without a crashed session, 0 to 1; null without users'),
  sessions_24h: { ...count, description: 'Sessions that began in the last 24 hours' },
  adoption_24h: share('Share of sessions_24h in the sessions of all releases, 0 to 1; null without sessions'),
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
    environments: { ...names, description: 'Environments of releases and of the errors seen last, sorted by name' },
    releases: { ...names, description: 'Sorted by first appearance, newest first' },
  },
  required: ['environments', 'releases'],
  additionalProperties: false,
} as const;

export const listReleasesSchema = {
  type: 'object',
  properties: {
    environment: { type: 'string', maxLength: 200, description: 'Only events and sessions of this environment' },
    per_page: perPage,
    cursor,
  },
  required: ['per_page'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

export type ListReleases = FromSchema<typeof listReleasesSchema>;
