import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { contextLine, frequency, nullableText, nullableTime, staleSince, time } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';
import {
  cursor,
  errorFilters,
  levelValues,
  perPage,
  range,
  sortValues,
  statusValues,
} from '../shared/error-filters-schema.ts';
import { rawExceptionSchema } from '../shared/raw-exception-schema.ts';
import { nullableMarks } from './error-marks-schema.ts';
import { nullablePerson, statusDetailsSchema } from './triage-schema.ts';

const nullableFrequency = { anyOf: [frequency, { type: 'null' }] } as const;

const externalIdSchema = objectSchema({
  title: 'ExternalId',
  properties: { kind: { enum: ['issue', 'short_id', 'share_id'] }, value: { type: 'string' } },
});

/** Ids are texts: external trackers have numbers beyond 2^53. */
const errorProperties = {
  id: { type: 'string' },
  project_id: { type: 'integer' },
  integrated: { type: 'boolean' },
  title: { type: 'string' },
  type: nullableText,
  message: nullableText,
  culprit: nullableText,
  level: { enum: [...levelValues, null] },
  platform: nullableText,
  status: { enum: statusValues },
  status_details: statusDetailsSchema,
  assignee: { ...nullablePerson, description: 'Member of the project; null: none, and for external trackers' },
  count: { type: 'integer' },
  user_count: { type: ['integer', 'null'] },
  first_seen: time,
  last_seen: time,
  first_release: nullableText,
  last_release: nullableText,
  external_url: nullableText,
  external_ids: {
    type: 'array',
    items: externalIdSchema,
    description: 'Names in a former tracker; empty unless the error was imported',
  },
  web_url: { type: 'string' },
  frequency: {
    ...nullableFrequency,
    description: 'Buckets of the range, without one 24 of an hour; oldest first: [epoch seconds, events]',
  },
  range_count: {
    type: ['integer', 'null'],
    description:
      'Events within the range, with all of the hour in which it begins; null: none was asked for, or unknown',
  },
  marks: nullableMarks,
} as const;

const errorRequired = Object.keys(errorProperties) as (keyof typeof errorProperties)[];

export const errorSchema = {
  title: 'Error',
  type: 'object',
  properties: errorProperties,
  required: errorRequired,
  additionalProperties: false,
} as const;

export const errorsSchema = { type: 'array', items: errorSchema } as const;

const nullableTexts = { type: ['array', 'null'], items: { type: 'string' } } as const;

const tagSchema = objectSchema({
  title: 'TagSpread',
  properties: {
    key: { type: 'string' },
    total: { type: 'integer' },
    values: {
      type: 'array',
      items: objectSchema({ properties: { value: { type: 'string' }, count: { type: 'integer' } } }),
    },
    other: { type: 'integer', description: 'Events whose value is not among the values listed' },
  },
});

export const mergedErrorSchema = objectSchema({
  title: 'MergedError',
  properties: { id: { type: 'string' }, title: { type: 'string' }, count: { type: 'integer' } },
});

const noteSchema = objectSchema({
  title: 'ImportedNote',
  properties: { author: { type: 'string' }, created_at: time, text: { type: 'string' } },
});

const importedSchema = {
  title: 'Imported',
  type: ['object', 'null'],
  description: 'Origin of an error that was imported from another tracker; otherwise null',
  properties: {
    kind: { enum: ['sentry', 'glitchtip', 'urgentry', 'bugsink', 'errgate'] },
    external_url: { ...nullableText, description: 'Its page in the former tracker' },
    base_count: { type: 'integer', description: 'Part of count that the tracker had counted' },
    base_users: { type: ['integer', 'null'], description: 'Affected users that the tracker had counted' },
    base_at: { ...nullableTime, description: 'Time of these counts; null: not taken yet' },
    at_least: { type: 'boolean', description: 'True: events may be missing from count' },
    status_details: {
      type: ['object', 'null'],
      description: 'Status details of the tracker, while the error has that status',
    },
    assignee: { ...nullableText, description: 'E-mail address of the assignee in the tracker' },
    notes: { type: 'array', items: noteSchema, description: 'Comments in the tracker: the newest 100, oldest first' },
  },
  required: [
    'kind',
    'external_url',
    'base_count',
    'base_users',
    'base_at',
    'at_least',
    'status_details',
    'assignee',
    'notes',
  ],
  additionalProperties: false,
} as const;

export const errorDetailSchema = {
  title: 'ErrorDetail',
  type: 'object',
  properties: {
    ...errorProperties,
    frequency_30d: { ...nullableFrequency, description: '30 daily buckets (UTC), oldest first' },
    tags: { type: ['array', 'null'], items: tagSchema },
    environments: nullableTexts,
    releases: nullableTexts,
    merged: {
      type: ['array', 'null'],
      items: mergedErrorSchema,
      description:
        'Errors that were merged into this one, each with its own title and count; null if the backend does not provide them',
    },
    merged_into: {
      ...nullableText,
      description: 'Id of this error if it was requested by the id of an error merged into it; otherwise null',
    },
    imported: importedSchema,
    stale_since: staleSince,
  },
  required: [
    ...errorRequired,
    'frequency_30d',
    'tags',
    'environments',
    'releases',
    'merged',
    'merged_into',
    'imported',
  ],
  additionalProperties: false,
} as const;

export const unmergedSchema = {
  ...errorDetailSchema,
  title: 'Unmerged',
  properties: {
    ...errorDetailSchema.properties,
    unmerged: {
      type: 'array',
      items: mergedErrorSchema,
      description: 'Errors that this request separated',
    },
  },
  required: [...errorDetailSchema.required, 'unmerged'],
} as const;

/** Maximum of ids in one request. */
export const MAX_IDS = 100;

const ids = {
  type: 'array',
  minItems: 1,
  maxItems: MAX_IDS,
  items: { type: ['string', 'integer'] },
} as const;

export const mergeBodySchema = {
  title: 'Merge',
  type: 'object',
  properties: {
    ids: {
      ...ids,
      description: 'Errors of the same project to merge with this one, which has at most 200 members then',
    },
  },
  required: ['ids'],
} as const;

export const unmergeBodySchema = {
  title: 'Unmerge',
  type: 'object',
  properties: {
    ids: {
      ...ids,
      description: 'Errors to separate; default: all, or the one in the path if that was merged into another',
    },
  },
} as const;

export const listErrorsSchema = {
  type: 'object',
  properties: {
    ...errorFilters,
    sort: {
      type: 'string',
      enum: sortValues,
      default: 'last_seen',
      description: 'Field to sort by, in descending order',
    },
    per_page: perPage,
    cursor,
  },
  required: ['status', 'sort', 'per_page'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

export const getErrorSchema = {
  type: 'object',
  properties: { range },
  required: [],
  additionalProperties: false,
} as const satisfies ParametersSchema;

export const updateErrorSchema = {
  type: 'object',
  properties: {
    status: { type: 'string', enum: statusValues, description: 'The new state', 'x-not-blank': true },
  },
  required: ['status'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

export const stackTraceSchema = {
  title: 'StackTrace',
  type: 'object',
  properties: {
    error_id: { type: 'string' },
    event_id: { type: 'string' },
    date_received: nullableTime,
    stack_trace_entries: {
      type: 'array',
      description: 'Oldest call first',
      items: objectSchema({
        properties: {
          filename: nullableText,
          abs_path: nullableText,
          module: nullableText,
          function: nullableText,
          lineno: { type: ['integer', 'null'] },
          colno: { type: ['integer', 'null'] },
          in_app: { type: 'boolean' },
          context: { type: 'array', description: '[line number, source line]', items: contextLine },
          raw: {
            type: ['object', 'null'],
            description:
              'What the SDK sent of a frame at its original place: filename, function, lineno, colno and others',
          },
          unmapped: { ...nullableText, description: 'Why the original place is not known' },
        },
      }),
    },
    raw: rawExceptionSchema,
    stale_since: staleSince,
  },
  required: ['error_id', 'event_id', 'date_received', 'stack_trace_entries'],
  additionalProperties: false,
} as const;
