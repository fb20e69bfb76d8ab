import type { FromSchema } from 'json-schema-to-ts';
import { nullableText, time } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';
import { errorFilters, levelValues, statusValues } from '../shared/error-filters-schema.ts';
import { statusDetailsSchema } from './triage-schema.ts';

/** Maximum of ids in one bulk request. */
const MAX_BULK_IDS = 10_000;

const ids = { type: 'array', minItems: 1, maxItems: MAX_BULK_IDS, items: { type: ['string', 'integer'] } } as const;

/** State before, of errors that had the same one. */
const previousSchema = {
  title: 'PreviousState',
  type: 'object',
  description: 'Only what the action changed is present',
  properties: {
    status: { enum: statusValues },
    status_details: statusDetailsSchema,
    assignee: { type: ['integer', 'null'], description: 'Id of the user; null: unassigned' },
    reviewed: { type: 'boolean' },
    counted: {
      type: 'array',
      maxItems: MAX_BULK_IDS,
      items: objectSchema({
        properties: { events: { type: 'integer', minimum: 0 }, users: { type: 'integer', minimum: 0 } },
      }),
      description:
        'For each of ids: what has counted so far for its ignoreCount or ignoreUserCount. `restore` goes on from there',
    },
    now: {
      type: 'object',
      description:
        'What the action has set. `restore` leaves errors as they are that have another status, other details or another assignee by then; what is absent is not compared',
      properties: {
        status: { enum: statusValues },
        status_details: statusDetailsSchema,
        assignee: { type: ['integer', 'null'], description: 'Id of the user; null: unassigned' },
      },
      additionalProperties: false,
    },
    ids: { ...ids, items: { type: 'string' } },
  },
  required: ['ids'],
  additionalProperties: false,
} as const;

export const bulkBodySchema = {
  title: 'BulkAction',
  type: 'object',
  description: 'Which errors: ids, or all_matching with filters and expected; or restore',
  properties: {
    ids: { ...ids, description: 'Errors of the project; in a project with an external tracker at most 100' },
    all_matching: { const: true, description: 'All errors that the filters match, at most 10,000' },
    filters: {
      type: 'object',
      description: 'Filters of the list: the parameters of GET errors, without sort, per_page and cursor',
      properties: {
        ...errorFilters,
        for_review: { enum: [true, false, 'true', 'false'], description: errorFilters.for_review.description },
      },
      additionalProperties: false,
    },
    expected: {
      type: 'integer',
      minimum: 0,
      description:
        'With all_matching: the number of errors that a person confirmed. If it differs by more than a tenth the answer is 409 with the present one',
    },
    action: {
      enum: ['status', 'assignee', 'reviewed', 'delete', 'discard', 'restore'],
      description:
        'delete and discard need the role Maintainer. discard also drops the events of these errors in future',
    },
    status: { enum: statusValues, description: 'status: the new state' },
    status_details: { type: 'object', description: 'status: as of PUT errors/{error_id}' },
    user_id: {
      type: ['integer', 'null'],
      description: 'assignee: member of the project with the role Reporter or a higher one; null: none',
    },
    reviewed: { type: 'boolean', description: 'reviewed: true if a member looked at them' },
    restore: {
      type: 'array',
      maxItems: MAX_BULK_IDS,
      items: previousSchema,
      description: 'restore: `previous` of the answer to take back',
    },
  },
  required: ['action'],
  additionalProperties: false,
} as const;

export type BulkBody = FromSchema<typeof bulkBodySchema>;

export const bulkResultSchema = objectSchema({
  title: 'BulkResult',
  properties: {
    changed: { type: 'integer' },
    unchanged: {
      type: 'integer',
      description:
        'Errors already in that state, and merged errors that are named twice; after delete, also unknown ids',
    },
    skipped: {
      type: 'array',
      items: { type: 'string' },
      description: 'Ids of errors that `restore` left as they are, because they were changed meanwhile',
    },
    gone: {
      type: 'array',
      items: { type: 'string' },
      description: 'Ids that no error has, such as those of deleted ones; empty after delete',
    },
    failed: {
      type: 'array',
      description: 'Errors that were not changed because of a failure; the request may be repeated for them',
      items: objectSchema({
        properties: { ids: { type: 'array', items: { type: 'string' } }, message: { type: 'string' } },
      }),
    },
    previous: {
      type: 'array',
      items: previousSchema,
      description: 'States before of the changed errors, for `restore`; empty after delete, discard and restore',
    },
  },
});

export const similarErrorSchema = objectSchema({
  title: 'SimilarError',
  properties: {
    id: { type: 'string' },
    title: { type: 'string' },
    type: nullableText,
    culprit: nullableText,
    level: { enum: [...levelValues, null] },
    status: { enum: statusValues },
    count: { type: 'integer' },
    last_seen: time,
    reasons: {
      type: 'array',
      items: { enum: ['type', 'culprit', 'functions'] },
      description: 'What both have in common: the type, the culprit, or functions of the stack trace',
    },
  },
});

export const similarErrorsSchema = { type: 'array', items: similarErrorSchema, maxItems: 10 } as const;
