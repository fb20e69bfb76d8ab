import { matchingCount, withoutStatuses } from '../../../domain/search/fold-search.ts';
import { MAX_CONDITIONS } from '../../../domain/search/search-condition.ts';
import { SEARCH_KEYS, searchKeyEntry } from '../../../domain/search/search-keys.ts';
import { MAX_TAB_COUNT } from '../../../domain/search/error-query.ts';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { problems } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';
import { projectRoute, type Route } from '../../http/route.ts';
import { errorFilters, searchKeyValues } from '../shared/error-filters-schema.ts';
import { errorQuery } from '../shared/error-query.ts';
import { integratedOnly, projectBackend } from '../shared/project-backend.ts';
import { withSearchOf } from '../shared/read-search.ts';
import { suggestedValues } from './suggested-values.ts';

const errorCountsSchema = objectSchema({
  title: 'ErrorCounts',
  properties: {
    unresolved: { type: 'integer' },
    for_review: { type: 'integer' },
    resolved: { type: 'integer' },
    ignored: { type: 'integer' },
    matching: {
      type: 'integer',
      description: 'Errors that fit all filters, also the status and what the search says about it',
    },
    capped_at: { type: 'integer', description: 'A count that has this value may be greater' },
  },
});

const countErrorsSchema = {
  type: 'object',
  properties: errorFilters,
  required: ['status'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

const searchKeySchema = objectSchema({
  title: 'SearchKey',
  properties: {
    key: { enum: searchKeyValues },
    kind: {
      enum: ['choice', 'text', 'person', 'time', 'tag'],
      description:
        'choice: one of values; person: me, none or a username; time: such as -24h or >2026-11-20; tag: the name of a tag',
    },
    description: { type: 'string' },
    values: { type: ['array', 'null'], items: { type: 'string' }, description: 'Closed set of values; null: any' },
    aliases: { type: 'array', items: { type: 'string' }, description: 'Other names of the key' },
  },
});

const searchKeysSchema = objectSchema({
  title: 'SearchKeys',
  properties: {
    keys: { type: 'array', items: searchKeySchema, description: 'Keys that searches of this project may have' },
    tags: {
      type: 'array',
      items: { type: 'string' },
      maxItems: 500,
      description: 'Names of tags of the errors seen last, which may stand as a key: browser:Chrome. By name',
    },
    max_conditions: { type: 'integer', description: 'Most conditions of one search' },
  },
});

const searchValuesParametersSchema = {
  type: 'object',
  properties: {
    key: { type: 'string', maxLength: 200, description: 'Key, or the name of a tag', 'x-not-blank': true },
    prefix: {
      type: 'string',
      maxLength: 200,
      description: 'Beginning of the values, in any case; types, files, functions and users have it anywhere',
    },
  },
  required: ['key'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

const searchValuesSchema = objectSchema({
  title: 'SearchValues',
  properties: {
    values: {
      type: 'array',
      items: { type: 'string' },
      maxItems: 100,
      description: 'Suggestions from the errors seen last; not complete',
    },
  },
});

const BASE = '/api/v4/projects/:id/error_tracking';

const NO_COUNTS = 'the connected third-party tracker cannot count the errors of a list';

/** Must precede the route of one error, which would match `counts` too. */
export const errorSearchRoutes: readonly Route[] = [
  projectRoute({
    method: 'GET',
    path: `${BASE}/errors/counts`,
    operationId: 'countErrors',
    summary: 'Count the errors of each tab of a list that fit its other filters, and those that fit all of them',
    action: 'read_errors',
    parameters: countErrorsSchema,
    responses: { 200: { description: 'Errors per tab', schema: errorCountsSchema }, ...problems },
    async handle(call) {
      const tracked = await projectBackend(call);
      const errors = integratedOnly(tracked, NO_COUNTS);
      const asked = errorQuery({ ...call.params, sort: 'last_seen', limit: 1 });
      const { sort: _sort, limit: _limit, cursor: _cursor, ...selection } = await withSearchOf(call, tracked, asked);
      const counts = await errors.countTabs(call.project, withoutStatuses(selection));
      const { unresolved, forReview, resolved, ignored } = counts;
      const matching = matchingCount(selection, counts);
      const body = { unresolved, for_review: forReview, resolved, ignored, matching, capped_at: MAX_TAB_COUNT };
      return { status: 200, body };
    },
  }),
  projectRoute({
    method: 'GET',
    path: `${BASE}/search_keys`,
    operationId: 'listSearchKeys',
    summary: 'List the keys that a search of errors may have, and the tags of the project',
    action: 'read_errors',
    responses: { 200: { description: 'Keys and tags', schema: searchKeysSchema }, ...problems },
    async handle(call) {
      const { backend, integratedErrors } = await projectBackend(call);
      const { conditions } = await backend.capabilities(call.project, call.signal);
      const keys = SEARCH_KEYS.filter((key) => conditions.includes(key)).map((key) => {
        const { kind, description, values = null, aliases = [] } = searchKeyEntry(key);
        return { key, kind, description, values, aliases };
      });
      const tags = integratedErrors === null ? [] : await integratedErrors.tagNames(call.project);
      return { status: 200, body: { keys, tags, max_conditions: MAX_CONDITIONS } };
    },
  }),
  projectRoute({
    method: 'GET',
    path: `${BASE}/search_values`,
    operationId: 'listSearchValues',
    summary: 'Suggest values of a search key or a tag, at most 100',
    action: 'read_errors',
    parameters: searchValuesParametersSchema,
    responses: { 200: { description: 'Values', schema: searchValuesSchema }, ...problems },
    async handle(call) {
      const tracked = await projectBackend(call);
      const { key, prefix = '' } = call.params;
      return { status: 200, body: { values: await suggestedValues(call, tracked, key, prefix) } };
    },
  }),
];
