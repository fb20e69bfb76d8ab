import type { ParametersSchema } from '../../schemas/parameters.ts';
import { levelValues, statusValues } from '../api/shared/error-filters-schema.ts';
import { contextLine, frequency, nullableText, nullableTime, staleSince, time } from '../http/common-schema.ts';
import { objectSchema } from '../http/object-schema.ts';

const webErrorProperties = {
  id: { type: 'string' },
  title: { type: 'string' },
  type: nullableText,
  user_count: { type: ['integer', 'null'] },
  count: { type: 'integer' },
  first_seen: time,
  last_seen: time,
  message: nullableText,
  culprit: nullableText,
  external_url: nullableText,
  project_id: nullableText,
  project_name: nullableText,
  project_slug: nullableText,
  short_id: nullableText,
  status: { enum: statusValues },
  frequency,
} as const;

export const webErrorSchema = objectSchema({ title: 'WebError', properties: webErrorProperties });

const direction = objectSchema({ properties: { cursor: { type: 'string' } } });

export const webListSchema = {
  title: 'WebErrorList',
  type: 'object',
  properties: {
    errors: {
      type: 'array',
      items: webErrorSchema,
    },
    pagination: {
      type: 'object',
      properties: { previous: direction, next: direction },
      additionalProperties: false,
    },
    external_url: nullableText,
    stale_since: staleSince,
  },
  required: ['errors', 'pagination', 'external_url'],
  additionalProperties: false,
} as const;

export const webDetailSchema = {
  title: 'WebErrorDetail',
  type: 'object',
  properties: {
    error: objectSchema({
      properties: {
        ...webErrorProperties,
        external_base_url: nullableText,
        integrated: { type: 'boolean' },
        first_release_version: nullableText,
        first_release_short_version: nullableText,
        first_release_last_commit: nullableText,
        last_release_version: nullableText,
        last_release_short_version: nullableText,
        last_release_last_commit: nullableText,
        host_issue: { type: 'null' },
        host_commit: { type: 'null' },
        host_commit_path: { type: 'null' },
        tags: objectSchema({ properties: { level: { enum: [...levelValues, null] }, logger: nullableText } }),
      },
    }),
    stale_since: staleSince,
  },
  required: ['error'],
  additionalProperties: false,
} as const;

const entry = {
  type: 'object',
  properties: {
    lineNo: { type: ['integer', 'null'] },
    colNo: { type: 'integer' },
    filename: nullableText,
    abs_path: nullableText,
    absPath: { ...nullableText, description: 'Same as abs_path; only in frames of an external tracker' },
    function: nullableText,
    context: {
      type: 'array',
      description: '[line number, source line as HTML]',
      items: contextLine,
    },
  },
  required: ['lineNo', 'colNo', 'filename', 'abs_path', 'function', 'context'],
  additionalProperties: false,
} as const;

export const webStackTraceSchema = {
  title: 'WebStackTrace',
  type: 'object',
  properties: {
    error: objectSchema({
      properties: {
        issue_id: { type: 'string' },
        date_received: { ...nullableTime, description: 'null if no event is stored any more' },
        stack_trace_entries: { type: 'array', items: entry, description: 'Oldest call first' },
      },
    }),
    stale_since: staleSince,
  },
  required: ['error'],
  additionalProperties: false,
} as const;

export const webUpdateSchema = objectSchema({
  title: 'WebUpdateResult',
  properties: {
    result: objectSchema({
      properties: {
        updated: { type: 'boolean' },
        closed_issue_iid: { type: 'null' },
        status: { enum: ['success'] },
      },
    }),
  },
});

/** The route itself checks enumerations, because its error texts are those of the host. */
export const webListParametersSchema = {
  type: 'object',
  properties: {
    search_term: { type: 'string', maxLength: 200, description: 'Text to search for' },
    sort: { type: 'string', default: 'last_seen', description: 'last_seen, first_seen, frequency or users' },
    issue_status: { type: 'string', default: 'unresolved', description: 'unresolved, resolved or ignored' },
    cursor: { type: 'string', maxLength: 1024, description: 'Cursor from the pagination of an earlier response' },
  },
  required: ['sort', 'issue_status'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

export const webUpdateParametersSchema = {
  type: 'object',
  properties: { status: { type: 'string', default: '', description: 'resolved, ignored or unresolved' } },
  required: ['status'],
  additionalProperties: false,
} as const satisfies ParametersSchema;
