import { Readable } from 'node:stream';
import { AppError } from '../../../domain/app-error.ts';
import type { EventFilter, EventOptions } from '../../../domain/events/event-list.ts';
import { definedMembers } from '../../../lib/defined-members.ts';
import { problems } from '../../http/common-schema.ts';
import { cursorLinks, pageSize } from '../../http/page-links.ts';
import { projectRoute, type Route } from '../../http/route.ts';
import { errorIdOf, eventIdOf, integratedOnly, projectBackend } from '../shared/project-backend.ts';
import { staleHeader } from '../shared/stale.ts';
import { eventCsv } from './event-csv.ts';
import { presentAffectedUser, presentEvent, presentEventSummary } from './event-presenter.ts';
import {
  affectedUsersSchema,
  eventSchema,
  eventSummariesSchema,
  exportEventsSchema,
  listEventsSchema,
} from './event-schema.ts';

interface AskedEvents {
  readonly columns?: boolean | null | undefined;
  readonly environment?: string | undefined;
  readonly release?: string | undefined;
  readonly user?: string | undefined;
  /** `key:value`, or a key. */
  readonly tag?: string | undefined;
}

function tagOf(text: string): EventFilter['tag'] & object {
  const colon = text.indexOf(':');
  const key = colon === -1 ? text : text.slice(0, colon);
  if (key === '') throw new AppError('invalid_parameter', 'tag is invalid: give key:value, or a key for any value');
  return { key, value: colon === -1 ? null : text.slice(colon + 1) };
}

/** Returns what a list of events is asked for. Throws `invalid_parameter` for a tag without a key. */
function eventOptions({ columns, environment, release, user, tag }: AskedEvents): EventOptions {
  const filter = definedMembers({ environment, release, user, tag: tag === undefined ? undefined : tagOf(tag) });
  return {
    ...(columns === true ? { columns } : {}),
    ...(Object.keys(filter).length === 0 ? {} : { filter }),
  };
}

const ERROR = '/api/v4/projects/:id/error_tracking/errors/:error_id';
const BASE = `${ERROR}/events`;
const oneEvent = { 200: { description: 'The event', schema: eventSchema }, ...problems };

export const eventRoutes: readonly Route[] = [
  projectRoute({
    method: 'GET',
    path: BASE,
    operationId: 'listEvents',
    summary:
      'List the stored events of an error, newest first, paged by the cursors of the Link header; X-Errgate-Searched has the number of events that a filter looked at for this page',
    action: 'read_errors',
    parameters: listEventsSchema,
    responses: { 200: { description: 'One page of events', schema: eventSummariesSchema }, ...problems },
    async handle(call) {
      const { backend } = await projectBackend(call);
      const limit = pageSize(call.params.per_page);
      const { project, params, signal } = call;
      const options = eventOptions(params);
      const page = await backend.listEvents(project, errorIdOf(call), limit, params.cursor ?? null, options, signal);
      const searched = page.searched === undefined ? {} : { 'X-Errgate-Searched': String(page.searched) };
      const headers = { ...cursorLinks(call, page, limit), ...searched, ...staleHeader(page) };
      return { status: 200, headers, body: page.items.map(presentEventSummary) };
    },
  }),
  // Must precede the route by id, which would match too.
  projectRoute({
    method: 'GET',
    path: `${BASE}/latest`,
    operationId: 'getLatestEvent',
    summary: 'Read the latest stored event of an error',
    action: 'read_errors',
    responses: oneEvent,
    async handle(call) {
      const { backend } = await projectBackend(call);
      const event = await backend.latestEvent(call.project, errorIdOf(call), call.signal);
      return { status: 200, headers: staleHeader(event), body: presentEvent(event) };
    },
  }),
  projectRoute({
    method: 'GET',
    path: `${BASE}/oldest`,
    operationId: 'getOldestEvent',
    summary: 'Read the oldest stored event of an error',
    action: 'read_errors',
    responses: oneEvent,
    async handle(call) {
      const { backend } = await projectBackend(call);
      const event = await backend.oldestEvent(call.project, errorIdOf(call), call.signal);
      return { status: 200, headers: staleHeader(event), body: presentEvent(event) };
    },
  }),
  projectRoute({
    method: 'GET',
    path: `${ERROR}/events.csv`,
    operationId: 'exportEvents',
    summary: 'Read the stored events of an error as CSV, newest first, at most 10,000',
    action: 'read_errors',
    parameters: exportEventsSchema,
    produces: 'text/csv',
    responses: { 200: { description: 'A record per event, RFC 4180, in UTF-8' }, ...problems },
    async handle(call) {
      const { backend } = await projectBackend(call);
      const { project, params, signal } = call;
      const errorId = errorIdOf(call);
      const options = { ...eventOptions(params), columns: true as const };
      const csv = await eventCsv({ backend, project, errorId, options, signal }, params.bom === true);
      const name = `${project.path.replaceAll(/[^\w.-]+/g, '-')}-${errorId}-events.csv`;
      return {
        status: 200,
        contentType: 'text/csv; charset=utf-8',
        headers: { 'Content-Disposition': `attachment; filename="${name}"`, ...staleHeader(csv) },
        body: Readable.from(csv.texts),
      };
    },
  }),
  projectRoute({
    method: 'GET',
    path: `${BASE}/:event_id`,
    operationId: 'getEvent',
    summary: 'Read one event',
    action: 'read_errors',
    responses: oneEvent,
    async handle(call) {
      const { backend } = await projectBackend(call);
      const event = await backend.event(call.project, errorIdOf(call), eventIdOf(call), call.signal);
      return { status: 200, headers: staleHeader(event), body: presentEvent(event) };
    },
  }),
  projectRoute({
    method: 'GET',
    path: `${ERROR}/users`,
    operationId: 'listAffectedUsers',
    summary: 'List the users of the newest 50 stored events of an error, latest first',
    action: 'read_errors',
    responses: { 200: { description: 'The users, each listed once', schema: affectedUsersSchema }, ...problems },
    async handle(call) {
      const tracked = await projectBackend(call);
      const errorId = errorIdOf(call);
      const refusal = 'the connected third-party tracker cannot list the users of an error';
      const users = await integratedOnly(tracked, refusal).latestUsers(call.project, errorId);
      return { status: 200, body: users.map(presentAffectedUser) };
    },
  }),
];
