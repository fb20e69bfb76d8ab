import { problems } from '../../../schemas/api/common.ts';
import {
  affectedUsersSchema,
  eventSchema,
  eventSummariesSchema,
  listEventsSchema,
  type ListEvents,
} from '../../../schemas/api/event.ts';
import { cursorLinks, pageSize } from '../../page-links.ts';
import { presentAffectedUser, presentEvent, presentEventSummary } from '../../presenters/event.ts';
import { staleHeader } from '../../presenters/stale.ts';
import { projectRoute, type Route } from '../../route.ts';
import { errorIdOf, eventIdOf, integratedOnly, trackedProject } from '../../tracked-project.ts';

const ERROR = '/api/v4/projects/:id/error_tracking/errors/:error_id';
const BASE = `${ERROR}/events`;
const oneEvent = { 200: { description: 'The event', schema: eventSchema }, ...problems };

export const eventRoutes: readonly Route[] = [
  projectRoute<ListEvents>({
    surface: 'api',
    method: 'GET',
    path: BASE,
    operationId: 'listEvents',
    summary: 'List the stored events of an error, newest first, paged by the cursors of the Link header',
    action: 'read_errors',
    parameters: listEventsSchema,
    responses: { 200: { description: 'One page of events', schema: eventSummariesSchema }, ...problems },
    async handle(call) {
      const { backend } = await trackedProject(call);
      const limit = pageSize(call.params.per_page);
      const { project, params, signal } = call;
      const page = await backend.listEvents(project, errorIdOf(call), limit, params.cursor ?? null, signal);
      const headers = { ...cursorLinks(call, page, limit), ...staleHeader(page) };
      return { status: 200, headers, body: page.items.map(presentEventSummary) };
    },
  }),
  // Must precede the route by id, which would match too.
  projectRoute({
    surface: 'api',
    method: 'GET',
    path: `${BASE}/latest`,
    operationId: 'getLatestEvent',
    summary: 'Read the latest stored event of an error',
    action: 'read_errors',
    responses: oneEvent,
    async handle(call) {
      const { backend } = await trackedProject(call);
      const event = await backend.latestEvent(call.project, errorIdOf(call), call.signal);
      return { status: 200, headers: staleHeader(event), body: presentEvent(event) };
    },
  }),
  projectRoute({
    surface: 'api',
    method: 'GET',
    path: `${BASE}/:event_id`,
    operationId: 'getEvent',
    summary: 'Read one event',
    action: 'read_errors',
    responses: oneEvent,
    async handle(call) {
      const { backend } = await trackedProject(call);
      const event = await backend.event(call.project, errorIdOf(call), eventIdOf(call), call.signal);
      return { status: 200, headers: staleHeader(event), body: presentEvent(event) };
    },
  }),
  projectRoute({
    surface: 'api',
    method: 'GET',
    path: `${ERROR}/users`,
    operationId: 'listAffectedUsers',
    summary: 'List the users of the newest 50 stored events of an error, latest first',
    action: 'read_errors',
    responses: { 200: { description: 'The users, each listed once', schema: affectedUsersSchema }, ...problems },
    async handle(call) {
      const tracked = await trackedProject(call);
      const errorId = errorIdOf(call);
      const refusal = 'the connected third-party tracker cannot list the users of an error';
      const users = await integratedOnly(tracked, refusal).latestUsers(call.project, errorId);
      return { status: 200, body: users.map(presentAffectedUser) };
    },
  }),
];
