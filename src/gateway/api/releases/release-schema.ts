import { MAX_COMMITS_SHOWN, MAX_DEPLOYS_OF_RELEASE } from '../../../domain/artifacts/build.ts';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { nullableText, nullableTime, time } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';
import { commitProperties } from '../shared/commit-schema.ts';
import { cursor, levelValues, perPage, statusValues } from '../shared/error-filters-schema.ts';

const count = { type: 'integer', minimum: 0 } as const;
const share = (description: string) => ({ type: ['number', 'null'], minimum: 0, maximum: 1, description }) as const;

const sessions = objectSchema({
  description:
    'Each session counts in the total and in exactly one of the other members. errored: it had errors and ended normally, or has not ended',
  properties: { total: count, healthy: count, errored: count, unhandled: count, abnormal: count, crashed: count },
});

const releaseProperties = {
  project_id: { type: 'integer' },
  release: { type: 'string' },
  environment: { ...nullableText, description: 'The requested environment; null: all environments' },
  first_seen: { ...time, description: 'Earliest event or session' },
  last_seen: { ...time, description: 'Latest event or session' },
  events: { ...count, description: 'Stored events, including those since removed by retention' },
  new_errors: {
    ...count,
    description: 'Errors that were first seen in this release; with an environment those of them that were seen there',
  },
  sessions,
  users: objectSchema({
    description: 'Distinct users with a session, if SDKs report users',
    properties: { total: count, crashed: count },
  }),
  crash_free_sessions: share('Share of sessions that did not crash, 0 to 1; null without sessions'),
  crash_free_users: share('Share of users without a crashed session, 0 to 1; null without users'),
  sessions_24h: { ...count, description: 'Sessions that began in this hour or the 23 before' },
  adoption_24h: share('Share of sessions_24h in the sessions of all releases, 0 to 1; null without sessions'),
} as const;

export const releaseSchema = objectSchema({ title: 'Release', properties: releaseProperties });

export const releasesSchema = { type: 'array', items: releaseSchema } as const;

const releaseErrorGroup = objectSchema({
  title: 'ReleaseErrors',
  properties: {
    total: count,
    errors: {
      type: 'array',
      maxItems: 100,
      items: objectSchema({
        title: 'ReleaseError',
        properties: {
          id: { type: 'string' },
          title: { type: 'string' },
          type: nullableText,
          culprit: nullableText,
          level: { enum: [...levelValues, null] },
          status: { enum: statusValues },
          first_seen: time,
          last_seen: time,
          first_release: nullableText,
          last_release: { ...nullableText, description: 'Release of its newest event, of all environments' },
          back_in: {
            ...nullableText,
            description:
              'Of an error that is not in the head, or in this release: the later version of its newest event',
          },
          gone_in: {
            ...nullableText,
            description: 'The head, or this release, where its newest event is of the base, or of the release before',
          },
          regressed_in: { ...nullableText, description: 'Release of the event that reopened it last; null: none' },
          base_count: { ...count, description: 'Events in the base, or in the release before' },
          head_count: { ...count, description: 'Events in the head, or in this release' },
          web_url: { type: 'string' },
        },
      }),
    },
  },
});

const complete = {
  type: 'boolean',
  description: 'False: the release has more than 5,000 errors, of which only the newest were compared',
} as const;

const neighbour = (which: string) =>
  ({
    ...nullableText,
    description: `Release ${which} by version within its package, otherwise by first occurrence; null: none`,
  }) as const;

const deployProperties = {
  id: { type: 'integer' },
  environment: { type: 'string' },
  name: nullableText,
  url: nullableText,
  started_at: nullableTime,
  finished_at: time,
} as const;

/** What builds told about the release; all of it is theirs, and unchecked. */
const buildProperties = {
  created_at: { ...nullableTime, description: 'When a build announced it; null: none did' },
  started_at: nullableTime,
  released_at: { ...nullableTime, description: 'When a build finished it; null: none did' },
  url: nullableText,
  refs: {
    type: 'array',
    description: 'Commits of its repositories, of which it was built',
    items: objectSchema({
      title: 'ReleaseRef',
      properties: { repository: { type: 'string' }, commit: { type: 'string' }, previous_commit: nullableText },
    }),
  },
  commit_count: count,
  commits: {
    type: 'array',
    maxItems: MAX_COMMITS_SHOWN,
    description: 'In the order of the tool, newest first; without those beyond the maximum',
    items: objectSchema({
      title: 'ReleaseCommit',
      properties: commitProperties,
    }),
  },
  deploys: {
    type: 'array',
    maxItems: MAX_DEPLOYS_OF_RELEASE,
    description: 'Newest first',
    items: objectSchema({ title: 'Deploy', properties: deployProperties }),
  },
} as const;

/** Maximum deploys in a list of a project. */
export const MAX_DEPLOYS_LISTED = 100;

export const deploysSchema = {
  type: 'array',
  maxItems: MAX_DEPLOYS_LISTED,
  items: objectSchema({
    title: 'DeployOfRelease',
    properties: { ...deployProperties, release: { type: 'string' } },
  }),
} as const;

export const listDeploysSchema = {
  type: 'object',
  properties: {
    environment: { type: 'string', maxLength: 200, description: 'Only deploys to this environment' },
  },
  additionalProperties: false,
} as const satisfies ParametersSchema;

export const releaseDetailSchema = objectSchema({
  title: 'ReleaseDetail',
  description:
    'A release with groups of errors. new: first seen in it. regressed: came back in it, whatever their status is now. resolved: in it, or in the next release after the one before. gone: seen in the release before, not in it',
  properties: {
    ...releaseProperties,
    ...buildProperties,
    previous: neighbour('before'),
    next: neighbour('after'),
    history: {
      type: 'array',
      description: 'Hours with sessions of the last 30 days, oldest first',
      items: objectSchema({ properties: { hour: time, sessions } }),
    },
    new: releaseErrorGroup,
    regressed: releaseErrorGroup,
    resolved: releaseErrorGroup,
    gone: releaseErrorGroup,
    complete,
  },
});

export const releaseComparisonSchema = objectSchema({
  title: 'ReleaseComparison',
  description:
    'Groups of errors, with the events of both releases. new: in head only. gone: in base only. louder: in both, and at least 1.5 times as frequent in head',
  properties: {
    base: releaseSchema,
    head: releaseSchema,
    by: {
      enum: ['sessions', 'events'],
      description: 'Measure used for louder: events per session where both releases have sessions, otherwise events',
    },
    new: releaseErrorGroup,
    gone: releaseErrorGroup,
    louder: releaseErrorGroup,
    unchanged: { ...count, description: 'Number of errors of both that are not louder' },
    complete,
  },
});

const names = { type: 'array', items: { type: 'string' }, maxItems: 100 } as const;

export const filterValuesSchema = objectSchema({
  title: 'FilterValues',
  properties: {
    environments: { ...names, description: 'Environments of releases and of the errors seen last, sorted by name' },
    releases: { ...names, description: 'Sorted by first appearance in the environment asked for, newest first' },
  },
});

const environment = {
  type: 'string',
  maxLength: 200,
  description: 'Only events and sessions of this environment',
} as const;

export const listReleasesSchema = {
  type: 'object',
  properties: {
    environment,
    sort: {
      type: 'string',
      enum: ['first_seen', 'version'],
      default: 'first_seen',
      description: 'Newest first by first occurrence, or greatest first by version (of the newest 1,000 releases)',
    },
    per_page: perPage,
    cursor,
  },
  required: ['sort', 'per_page'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

export const listFilterValuesSchema = {
  type: 'object',
  properties: {
    environment: { ...environment, description: 'Only releases with events or sessions of this environment' },
  },
  additionalProperties: false,
} as const satisfies ParametersSchema;

export const getReleaseSchema = {
  type: 'object',
  properties: { environment },
  additionalProperties: false,
} as const satisfies ParametersSchema;

const releaseName = (description: string) =>
  ({ type: 'string', maxLength: 200, description, 'x-not-blank': true }) as const;

export const compareReleasesSchema = {
  type: 'object',
  properties: {
    base: releaseName('Release to compare with; without it the release before head'),
    head: releaseName('Release that is compared'),
    environment,
  },
  required: ['head'],
  additionalProperties: false,
} as const satisfies ParametersSchema;
