import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { nullableText, staleSince, time } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';
import { cursor, levelValues, perPage } from '../shared/error-filters-schema.ts';
import { rawExceptionSchema } from '../shared/raw-exception-schema.ts';

const imported = {
  const: true,
  description: 'Present on an event of a former tracker, which is not counted; received_at is the time of its import',
} as const;

const nullableObjectOfUser = {
  type: ['object', 'null'],
  properties: {
    id: nullableText,
    username: nullableText,
    email: nullableText,
    name: nullableText,
    ip_address: nullableText,
  },
  required: ['id', 'username', 'email', 'name', 'ip_address'],
  additionalProperties: false,
} as const;

const columnProperties = {
  message: nullableText,
  level: { enum: [...levelValues, null] },
  release: nullableText,
  environment: nullableText,
  user: nullableObjectOfUser,
  transaction: nullableText,
  url: nullableText,
  browser: nullableText,
  os: nullableText,
  runtime: nullableText,
  device: nullableText,
  server_name: nullableText,
} as const;

const columnsSchema = {
  title: 'EventColumns',
  type: ['object', 'null'],
  description: 'Only with columns=true; null: the body was removed meanwhile',
  properties: columnProperties,
  required: Object.keys(columnProperties) as (keyof typeof columnProperties)[],
  additionalProperties: false,
} as const;

export const eventSummarySchema = {
  title: 'EventSummary',
  type: 'object',
  properties: {
    event_id: { type: 'string' },
    error_id: { type: 'string' },
    timestamp: time,
    received_at: time,
    imported,
    columns: columnsSchema,
  },
  required: ['event_id', 'error_id', 'timestamp', 'received_at'],
  additionalProperties: false,
} as const;

export const eventSummariesSchema = { type: 'array', items: eventSummarySchema } as const;

const listOfObjects = { type: 'array', items: { type: 'object' } } as const;
const nullableObject = { type: ['object', 'null'] } as const;

const wholeExceptionSchema = objectSchema({
  title: 'Exception',
  properties: {
    type: nullableText,
    value: nullableText,
    module: nullableText,
    thread_id: nullableText,
    mechanism: nullableObject,
    frames: {
      type: ['array', 'null'],
      items: { type: 'object' },
      description:
        'Oldest call first. A frame at its original place has raw, what the SDK sent of it; one whose original place is not known has unmapped, the reason',
    },
  },
});

const exceptionSchema = {
  ...wholeExceptionSchema,
  properties: { ...wholeExceptionSchema.properties, raw: rawExceptionSchema },
} as const;

export const userReportSchema = objectSchema({
  title: 'UserReport',
  properties: {
    kind: { enum: ['user_report', 'feedback'] },
    name: { ...nullableText, description: 'Cut to 128 characters' },
    email: { ...nullableText, description: 'Cut to 75 characters; never scrubbed' },
    comments: { ...nullableText, description: 'Cut to 4,096 characters' },
    url: nullableText,
    received_at: time,
  },
});

export const reportOfEventSchema = {
  ...userReportSchema,
  title: 'ReportOfEvent',
  properties: { ...userReportSchema.properties, event_id: { type: 'string' } },
  required: [...userReportSchema.required, 'event_id'],
} as const;

const reportedErrorSchema = {
  title: 'ReportedError',
  type: ['object', 'null'],
  description: 'Null: the event has not arrived',
  properties: { id: { type: 'string' }, title: { type: 'string' }, web_url: { type: 'string' } },
  required: ['id', 'title', 'web_url'],
  additionalProperties: false,
} as const;

export const reportedEventSchema = objectSchema({
  title: 'ReportedEvent',
  properties: {
    event_id: { type: 'string' },
    error: reportedErrorSchema,
    reports: {
      type: 'array',
      minItems: 1,
      items: userReportSchema,
      description: 'Newest first; of a search only those it found',
    },
  },
});

export const listProjectReportsSchema = {
  type: 'object',
  properties: {
    search: {
      type: 'string',
      maxLength: 200,
      description: 'Words, of which each must occur in the name, e-mail address or text of a report, in any case',
    },
    per_page: { ...perPage, description: 'Events per page; values above 100 count as 100' },
    cursor,
  },
  required: ['per_page'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

const eventProperties = {
  event_id: { type: 'string', pattern: '^[0-9a-f]{32}$' },
  error_id: { type: 'string' },
  timestamp: time,
  received_at: time,
  level: { enum: [...levelValues, null] },
  platform: { type: 'string' },
  logger: nullableText,
  release: nullableText,
  dist: nullableText,
  environment: nullableText,
  server_name: nullableText,
  transaction: nullableText,
  message: nullableText,
  exceptions: { type: 'array', items: exceptionSchema },
  threads: listOfObjects,
  breadcrumbs: listOfObjects,
  request: nullableObject,
  user: nullableObject,
  tags: {
    type: 'array',
    items: {
      type: 'object',
      properties: { key: { type: 'string' }, value: { type: 'string' } },
      required: ['key', 'value'],
    },
  },
  contexts: { type: 'object' },
  extra: { type: 'object' },
  sdk: nullableObject,
  modules: { type: 'object' },
  fingerprint: { type: 'array', items: { type: 'string' } },
  notes: {
    type: 'array',
    items: { type: 'string' },
    description:
      'What was truncated or corrected before the event was stored, and whether it was grouped as it was sent',
  },
  suspicious: {
    type: 'array',
    items: { type: 'string' },
    description:
      'What looks as if it were written for a reader that obeys, such as a coding agent: `shell command in message`. A hint, not a filter',
  },
  user_reports: {
    type: ['array', 'null'],
    items: userReportSchema,
    description: 'Reports of users about the event, oldest first; null if the tracker does not provide them',
  },
  previous_event_id: nullableText,
  next_event_id: nullableText,
  position: {
    type: ['integer', 'null'],
    description: 'Place among the stored events, 1 for the newest; null: unknown, or beyond 10,000',
  },
  stored: {
    type: ['integer', 'null'],
    description: 'Stored events of the error; 10,000: at least as many. Null: unknown',
  },
} as const;

export const eventSchema = {
  title: 'Event',
  type: 'object',
  properties: { ...eventProperties, imported, stale_since: staleSince },
  required: Object.keys(eventProperties),
  additionalProperties: false,
} as const;

export const affectedUserSchema = objectSchema({
  title: 'AffectedUser',
  properties: {
    id: nullableText,
    username: nullableText,
    email: nullableText,
    name: nullableText,
    ip_address: nullableText,
    last_seen: time,
    event_id: { type: 'string', description: 'Newest stored event of this user' },
  },
});

export const affectedUsersSchema = {
  type: 'array',
  items: affectedUserSchema,
  description: 'At most 50 users',
} as const;

const text = (description: string) => ({ type: 'string', maxLength: 200, description }) as const;

/** Conditions on the events of an error. */
const eventFilters = {
  environment: text('Only events of this environment'),
  release: text('Only events of this release'),
  user: text('Only events of this user: id, e-mail address, user name, name or IP address, in any case'),
  tag: {
    ...text('Only events with this tag: key:value, or key for any value. A value without a version has all versions'),
    maxLength: 401,
  },
} as const;

export const exportEventsSchema = {
  type: 'object',
  properties: {
    ...eventFilters,
    bom: {
      type: 'boolean',
      description: 'Begin with a byte order mark, by which spreadsheets recognise UTF-8',
    },
  },
  required: [],
  additionalProperties: false,
} as const satisfies ParametersSchema;

export const listEventsSchema = {
  type: 'object',
  properties: {
    columns: {
      type: 'boolean',
      description:
        'True: every row has columns. A page then ends after 2 MiB of events, perhaps with fewer rows than per_page although more follow',
    },
    ...eventFilters,
    per_page: perPage,
    cursor,
  },
  required: ['per_page'],
  additionalProperties: false,
} as const satisfies ParametersSchema;
