import { AppError } from '../../domain/app-error.ts';
import type { TrackedError, TrackedErrorDetail } from '../../domain/errors/tracked-error.ts';
import { ERROR_SORTS, type ErrorSort } from '../../domain/search/error-query.ts';
import type { Page } from '../../domain/page.ts';
import { ERROR_STATUSES, type ErrorStatus } from '../../domain/errors/error-status.ts';
import { errorUrl, projectUrl, type ErrorContext } from '../api/shared/error-place.ts';
import { errorQuery } from '../api/shared/error-query.ts';
import { errorIdOf, projectBackendForPage, projectBackend } from '../api/shared/project-backend.ts';
import { withSearchOf } from '../api/shared/read-search.ts';
import { presentNoWebStackTrace, presentWebStackTrace } from '../api/shared/stack-trace-presenter.ts';
import { staleHeader, staleMember } from '../api/shared/stale.ts';
import { IN_ACTIVITY } from '../http/audit/audit-rule.ts';
import { problems, problemSchema } from '../http/common-schema.ts';
import { presenter } from '../http/presenter.ts';
import { projectRoute, type Route } from '../http/route.ts';
import {
  webDetailSchema,
  webErrorSchema,
  webListParametersSchema,
  webListSchema,
  webStackTraceSchema,
  webUpdateParametersSchema,
  webUpdateSchema,
} from './web-error-schema.ts';

const present = presenter(webErrorSchema);
const presentDetail = presenter(webDetailSchema);

/** Members of the project in the external tracker are null for errors that errgate stores. */
function shown(error: TrackedError) {
  return {
    ...error,
    projectId: error.tracker?.projectId ?? null,
    projectName: error.tracker?.projectName ?? null,
    projectSlug: error.tracker?.projectSlug ?? null,
    shortId: error.tracker?.shortId ?? null,
    frequency: error.frequency ?? [],
  };
}

/** Presents one row of the list in the form of the host's pages. */
function presentWebError(error: TrackedError) {
  return present(shown(error));
}

/**
 * Presents an error. `externalBaseUrl`: address of the linked project in the external tracker; null for the integrated
 * backend.
 */
function presentWebErrorDetail(error: TrackedErrorDetail, context: ErrorContext, externalBaseUrl: string | null) {
  const { tracker, staleSince } = error;
  return presentDetail({
    error: {
      ...shown(error),
      externalUrl: error.externalUrl ?? errorUrl(context, error.id),
      externalBaseUrl: externalBaseUrl ?? projectUrl(context),
      integrated: context.integrated,
      firstReleaseVersion: error.firstRelease,
      firstReleaseShortVersion: tracker?.firstRelease?.shortVersion ?? null,
      firstReleaseLastCommit: tracker?.firstRelease?.lastCommit ?? null,
      lastReleaseVersion: error.lastRelease,
      lastReleaseShortVersion: tracker?.lastRelease?.shortVersion ?? null,
      lastReleaseLastCommit: tracker?.lastRelease?.lastCommit ?? null,
      hostIssue: null,
      hostCommit: null,
      hostCommitPath: null,
      tags: { level: error.level, logger: tracker?.logger ?? null },
    },
    staleSince,
  });
}

const BASE = '/*project_path/-/error_tracking';

/** Header with the milliseconds after which a page may repeat the request. */
const POLLING = { 'Poll-Interval': '1000' };

/** The web list has no size parameter. */
const PAGE_SIZE = 20;

const refusals = {
  400: problems[400],
  401: problems[401],
  404: { description: 'Not found (with a message), or not visible to the user (empty body)' },
  503: { description: 'The store is unavailable', schema: problemSchema },
};

const reads = {
  204: { description: 'No result yet, if the service is configured to answer this way; repeat the request' },
  ...refusals,
};

function parseStatus(value: string, parameter: string): ErrorStatus {
  const status = ERROR_STATUSES.find((known) => known === value);
  if (status === undefined) throw new AppError('bad_request', `Bad Request: Invalid ${parameter}`);
  return status;
}

function parseSort(value: string): ErrorSort {
  const sort = ERROR_SORTS.find((known) => known === value);
  if (sort === undefined) throw new AppError('bad_request', 'Invalid value for sort param');
  return sort;
}

/** Returns cursors only for directions with rows. */
function pagination({ previous, next }: Page<unknown>) {
  return {
    ...(previous === null ? {} : { previous: { cursor: previous } }),
    ...(next === null ? {} : { next: { cursor: next } }),
  };
}

export const webErrorRoutes: readonly Route[] = [
  projectRoute({
    surface: 'web',
    method: 'GET',
    path: `${BASE}{.json}`,
    operationId: 'webListErrors',
    summary: 'List errors for the list page',
    action: 'read_errors',
    parameters: webListParametersSchema,
    responses: { 200: { description: 'One page of errors', schema: webListSchema }, ...reads },
    async handle(call) {
      const { params, project } = call;
      const status = parseStatus(params.issue_status, 'issue_status');
      const sort = parseSort(params.sort);
      const tracked = await projectBackendForPage(call);
      const { backend } = tracked;
      const { search_term: search, cursor } = params;
      const query = await withSearchOf(call, tracked, errorQuery({ status, sort, search, cursor, limit: PAGE_SIZE }));
      const page = await backend.list(project, query, call.signal);
      const external_url = await backend.externalUrl(project);
      const errors = page.items.map(presentWebError);
      const body = { errors, pagination: pagination(page), external_url, ...staleMember(page) };
      return { status: 200, headers: { ...POLLING, ...staleHeader(page) }, body };
    },
  }),
  projectRoute({
    surface: 'web',
    method: 'GET',
    path: `${BASE}/:error_id/details{.json}`,
    operationId: 'webGetError',
    summary: 'Read one error for the details page',
    action: 'read_errors',
    responses: { 200: { description: 'The error', schema: webDetailSchema }, ...reads },
    async handle(call) {
      const { backend, context } = await projectBackendForPage(call);
      const error = await backend.get(call.project, errorIdOf(call), call.signal);
      const body = presentWebErrorDetail(error, context, await backend.externalUrl(call.project));
      return { status: 200, headers: { ...POLLING, ...staleHeader(error) }, body };
    },
  }),
  projectRoute({
    surface: 'web',
    method: 'GET',
    path: `${BASE}/:error_id/stack_trace{.json}`,
    operationId: 'webGetStackTrace',
    summary: 'Read the stack trace of the latest event; source lines are HTML',
    action: 'read_errors',
    responses: { 200: { description: 'The stack trace', schema: webStackTraceSchema }, ...reads },
    async handle(call) {
      const { backend, context } = await projectBackendForPage(call);
      const errorId = errorIdOf(call);
      try {
        const event = await backend.latestEvent(call.project, errorId, call.signal);
        const body = presentWebStackTrace(event, context);
        return { status: 200, headers: { ...POLLING, ...staleHeader(event) }, body };
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'events_removed') throw error;
        return { status: 200, headers: POLLING, body: presentNoWebStackTrace(errorId) };
      }
    },
  }),
  projectRoute({
    surface: 'web',
    method: 'PUT',
    path: `${BASE}/:error_id{.json}`,
    operationId: 'webUpdateError',
    summary: 'Resolve, ignore or reopen an error',
    action: 'update_errors',
    audit: IN_ACTIVITY,
    parameters: webUpdateParametersSchema,
    responses: { 200: { description: 'Result of the change', schema: webUpdateSchema }, ...refusals },
    async handle(call) {
      const status = parseStatus(call.params.status, 'status');
      const { backend } = await projectBackend(call);
      const updated = await backend.setStatus(call.project, errorIdOf(call), status, {
        userId: call.principal.user.id,
      });
      return { status: 200, body: { result: { updated, closed_issue_iid: null, status: 'success' } } };
    },
  }),
];
