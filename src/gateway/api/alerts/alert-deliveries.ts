import type { Destination } from '../../../domain/alerts/alert-delivery.ts';
import { AppError } from '../../../domain/app-error.ts';
import { decodeCursorText, encodeCursorText } from '../../../lib/text/cursor-text.ts';
import { problems, problemSchema } from '../../http/common-schema.ts';
import { cursorLinks, pageSize } from '../../http/page-links.ts';
import { projectRoute, type Route } from '../../http/route.ts';
import { errorIdOf, projectBackend } from '../shared/project-backend.ts';
import { presentAlertDelivery, presentErrorAlert } from './alert-delivery-presenter.ts';
import {
  alertDeliveriesSchema,
  alertDeliverySchema,
  errorAlertsSchema,
  listAlertDeliveriesSchema,
  type ListAlertDeliveries,
} from './alert-delivery-schema.ts';

const BASE = '/api/v4/projects/:id/error_tracking';
/** Form of the id of a message. */
const MESSAGE_ID = /^msg_\w{1,60}$/;

function destinationOf({ channel_id: channel, user_id: user }: ListAlertDeliveries): Destination | null {
  if (channel !== undefined && user !== undefined) {
    throw new AppError('invalid_parameter', 'channel_id and user_id cannot be combined');
  }
  if (channel !== undefined) return `channel:${channel}`;
  return user === undefined ? null : `user:${user}`;
}

/** Returns the id in a cursor. Throws `bad_request` for one of another list. */
function placeOf(cursor: string, query: string): string {
  const [madeFor, id] = decodeCursorText(cursor);
  if (typeof id !== 'string' || !MESSAGE_ID.test(id)) {
    throw new AppError('bad_request', 'cursor is not a cursor of this list');
  }
  if (madeFor !== query) {
    throw new AppError('bad_request', 'cursor belongs to another query: after changing it, start without a cursor');
  }
  return id;
}

export const alertDeliveryRoutes: readonly Route[] = [
  projectRoute({
    method: 'GET',
    path: `${BASE}/alert_deliveries`,
    operationId: 'listAlertDeliveries',
    summary: 'List what became of the alert messages of a project, of the last 30 days, paged by the Link header',
    action: 'read_alerts',
    parameters: listAlertDeliveriesSchema,
    responses: { 200: { description: 'One page, newest first', schema: alertDeliveriesSchema }, ...problems },
    async handle(call) {
      const { deps, project, params } = call;
      const destination = destinationOf(params);
      const query = JSON.stringify([project.id, destination]);
      const after = params.cursor === undefined ? null : placeOf(params.cursor, query);
      const limit = pageSize(params.per_page);
      const read = (from: string | null, count: number) =>
        deps.alertStore.listDeliveries({ projectId: project.id, destination, limit: count, after: from });
      const page = await read(after, limit);
      const last = page.at(-1)?.id;
      const more = last !== undefined && page.length === limit && (await read(last, 1)).length > 0;
      const next = more ? encodeCursorText([query, last]) : null;
      return {
        status: 200,
        headers: cursorLinks(call, { previous: null, next }, limit),
        body: page.map((delivery) => presentAlertDelivery(delivery, project.id)),
      };
    },
  }),
  projectRoute({
    method: 'POST',
    path: `${BASE}/alert_deliveries/:delivery_id/resend`,
    operationId: 'resendAlertDelivery',
    summary: 'Send a failed alert message again at once, with the same id and content',
    action: 'manage_alerts',
    audit: { not: 'sends a message, which the list of deliveries has' },
    responses: {
      200: { description: 'The delivery: sent, or failed again and why', schema: alertDeliverySchema },
      ...problems,
      409: { description: 'The message did not fail, or its destination no longer exists', schema: problemSchema },
    },
    async handle({ deps, project, path }) {
      const id = path.delivery_id ?? '';
      const delivery = MESSAGE_ID.test(id) ? await deps.alerts.sendAgain(project.id, id) : null;
      if (delivery === null) throw new AppError('not_found', 'the project has no such delivery');
      return { status: 200, body: presentAlertDelivery(delivery, project.id) };
    },
  }),
  projectRoute({
    method: 'GET',
    path: `${BASE}/errors/:error_id/alerts`,
    operationId: 'listErrorAlerts',
    summary: 'List what alerts reported about an error: to whom, when, with which answer, or why not',
    action: 'read_error_alerts',
    responses: { 200: { description: 'Newest first, at most 100', schema: errorAlertsSchema }, ...problems },
    async handle(call) {
      const { deps, project, signal } = call;
      const errorId = errorIdOf(call);
      const { backend } = await projectBackend(call);
      const history = await deps.alerts.history(project.id, errorId);
      // An unknown error has no history; only then is the backend asked.
      if (history.length === 0) await backend.get(project, errorId, signal);
      return { status: 200, body: history.map(presentErrorAlert) };
    },
  }),
];
