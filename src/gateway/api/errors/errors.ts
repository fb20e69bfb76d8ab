import { AppError } from '../../../domain/app-error.ts';
import { IN_ACTIVITY } from '../../http/audit/audit-rule.ts';
import { staleSince, problems } from '../../http/common-schema.ts';
import { cursorLinks, pageSize } from '../../http/page-links.ts';
import { presenter } from '../../http/presenter.ts';
import { projectRoute, type Route } from '../../http/route.ts';
import { filterValues, searchKeyValues, sortValues } from '../shared/error-filters-schema.ts';
import { errorQuery } from '../shared/error-query.ts';
import { errorIdOf, projectBackend } from '../shared/project-backend.ts';
import { readSearch } from '../shared/read-search.ts';
import { presentStackTrace } from '../shared/stack-trace-presenter.ts';
import { staleHeader } from '../shared/stale.ts';
import { presentError, presentErrorDetail } from './error-presenter.ts';
import {
  errorDetailSchema,
  errorsSchema,
  getErrorSchema,
  listErrorsSchema,
  stackTraceSchema,
  updateErrorSchema,
} from './error-schema.ts';
import { statusDetailsOf } from './status-details.ts';
import { updateErrorBodySchema } from './triage-schema.ts';

const capabilitiesSchema = {
  title: 'Capabilities',
  type: 'object',
  properties: {
    sorts: { type: 'array', items: { enum: sortValues } },
    filters: { type: 'array', items: { enum: filterValues } },
    conditions: {
      type: 'array',
      items: { enum: searchKeyValues },
      description: 'Supported search keys; individual values may still be rejected',
    },
    marks: {
      type: 'array',
      items: { enum: ['new', 'regressed', 'escalating', 'unhandled', 'for_review'] },
      description: 'Marks that errors have; in external trackers as the tracker says, without times',
    },
    merge: { type: 'boolean' },
    releases: { type: 'boolean' },
    status_details: {
      type: 'boolean',
      description: 'Whether a status may wait for a release, a commit, a time or a number of events or users',
    },
    unstable_sorts: {
      type: 'array',
      items: { enum: sortValues },
      description: 'Sorts whose further pages may miss or repeat errors with equal counts',
    },
    incomplete: {
      const: true,
      description: 'Present when the tracker returned only part of the data; retry later',
    },
    stale_since: staleSince,
  },
  required: ['sorts', 'filters', 'conditions', 'marks', 'merge', 'releases', 'status_details', 'unstable_sorts'],
  additionalProperties: false,
} as const;

const presentCapabilities = presenter(capabilitiesSchema);

const BASE = '/api/v4/projects/:id/error_tracking';

export const errorRoutes: readonly Route[] = [
  projectRoute({
    method: 'GET',
    path: `${BASE}/errors`,
    operationId: 'listErrors',
    summary:
      'List errors, paged by the cursors of the Link header; X-Errgate-Search-Hint says how a search was read, where it may be meant otherwise',
    action: 'read_errors',
    parameters: listErrorsSchema,
    responses: { 200: { description: 'One page of errors', schema: errorsSchema }, ...problems },
    async handle(call) {
      const tracked = await projectBackend(call);
      const { backend, context } = tracked;
      const { per_page, ...asked } = call.params;
      const limit = pageSize(per_page);
      const { query, hint } = await readSearch(call, tracked, errorQuery({ ...asked, limit }));
      const page = await backend.list(call.project, query, call.signal);
      const hinted = hint === null ? {} : { 'X-Errgate-Search-Hint': hint };
      const headers = { ...cursorLinks(call, page, limit), ...staleHeader(page), ...hinted };
      return { status: 200, headers, body: page.items.map((error) => presentError(error, context)) };
    },
  }),
  projectRoute({
    method: 'GET',
    path: `${BASE}/errors/:error_id`,
    operationId: 'getError',
    summary: 'Read one error',
    action: 'read_errors',
    parameters: getErrorSchema,
    responses: { 200: { description: 'The error', schema: errorDetailSchema }, ...problems },
    async handle(call) {
      const { backend, context } = await projectBackend(call);
      const error = await backend.get(call.project, errorIdOf(call), call.signal, call.params.range);
      return { status: 200, headers: staleHeader(error), body: presentErrorDetail(error, context) };
    },
  }),
  projectRoute({
    method: 'PUT',
    path: `${BASE}/errors/:error_id`,
    operationId: 'updateError',
    summary: 'Resolve, ignore or reopen an error, also in a release or until a condition',
    action: 'update_errors',
    audit: IN_ACTIVITY,
    parameters: updateErrorSchema,
    body: updateErrorBodySchema,
    responses: { 200: { description: 'The updated error', schema: errorDetailSchema }, ...problems },
    async handle(call) {
      const { backend, context } = await projectBackend(call);
      const errorId = errorIdOf(call);
      const { status } = call.params;
      const details = statusDetailsOf(call.rawParameters, status, call.deps.clock.now());
      const change = { userId: call.principal.user.id, ...(details === undefined ? {} : { details }) };
      const updated = await backend.setStatus(call.project, errorId, status, change);
      if (!updated) throw new AppError('conflict', 'The status was not changed: the backend refused.');
      const error = await backend.get(call.project, errorId, call.signal);
      return { status: 200, headers: staleHeader(error), body: presentErrorDetail(error, context) };
    },
  }),
  projectRoute({
    method: 'GET',
    path: `${BASE}/errors/:error_id/stack_trace`,
    operationId: 'getStackTrace',
    summary: 'Read the stack trace of the latest event',
    action: 'read_errors',
    responses: { 200: { description: 'The stack trace', schema: stackTraceSchema }, ...problems },
    async handle(call) {
      const { backend } = await projectBackend(call);
      const event = await backend.latestEvent(call.project, errorIdOf(call), call.signal);
      return { status: 200, headers: staleHeader(event), body: presentStackTrace(event) };
    },
  }),
  projectRoute({
    method: 'GET',
    path: `${BASE}/capabilities`,
    operationId: 'getCapabilities',
    summary: 'Read which sorts, filters and actions the backend of the project supports',
    action: 'read_errors',
    responses: {
      200: { description: 'Supported sorts, filters and actions', schema: capabilitiesSchema },
      ...problems,
    },
    async handle(call) {
      const { backend } = await projectBackend(call);
      const known = await backend.capabilities(call.project, call.signal);
      return { status: 200, headers: staleHeader(known), body: presentCapabilities(known) };
    },
  }),
];
