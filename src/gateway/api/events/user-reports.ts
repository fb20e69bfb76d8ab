import { problems } from '../../http/common-schema.ts';
import { cursorLinks, pageSize } from '../../http/page-links.ts';
import { presenter } from '../../http/presenter.ts';
import { projectRoute, type Route } from '../../http/route.ts';
import { errorUrl } from '../shared/error-place.ts';
import { errorIdOf, integratedOnly, projectBackend } from '../shared/project-backend.ts';
import { listProjectReportsSchema, reportedEventSchema, reportOfEventSchema } from './event-schema.ts';

const presentReport = presenter(reportOfEventSchema);
const presentReportedEvent = presenter(reportedEventSchema);
const reportsOfErrorSchema = { type: 'array', maxItems: 50, items: reportOfEventSchema };

const REFUSAL = 'the connected third-party tracker cannot list user reports';

export const userReportRoutes: readonly Route[] = [
  projectRoute({
    method: 'GET',
    path: '/api/v4/projects/:id/error_tracking/errors/:error_id/user_reports',
    operationId: 'listUserReports',
    summary: 'List what users wrote about the newest 1,000 stored events of an error, newest first, at most 50 reports',
    action: 'read_errors',
    responses: { 200: { description: 'The reports, each with its event', schema: reportsOfErrorSchema }, ...problems },
    async handle(call) {
      const errors = integratedOnly(await projectBackend(call), REFUSAL);
      const reports = await errors.latestReports(call.project, errorIdOf(call));
      return { status: 200, body: reports.map(({ eventId, report }) => presentReport({ ...report, eventId })) };
    },
  }),
  projectRoute({
    method: 'GET',
    path: '/api/v4/projects/:id/error_tracking/user_reports',
    operationId: 'listProjectReports',
    summary:
      'List the events that users wrote about, by their newest report, newest first, paged by the cursors of the Link header; X-Errgate-Searched has the number of events that a search looked at for this page',
    action: 'read_errors',
    parameters: listProjectReportsSchema,
    responses: {
      200: {
        description: 'One page of events with their reports',
        schema: { type: 'array', items: reportedEventSchema },
      },
      ...problems,
    },
    async handle(call) {
      const tracked = await projectBackend(call);
      const { search = null, cursor = null, per_page: perPage } = call.params;
      const limit = pageSize(perPage);
      const page = await integratedOnly(tracked, REFUSAL).reports(call.project, { search, limit, cursor });
      const searched = page.searched === undefined ? {} : { 'X-Errgate-Searched': String(page.searched) };
      return {
        status: 200,
        headers: { ...cursorLinks(call, page, limit), ...searched },
        body: page.items.map(({ error, ...event }) => {
          const found = error === null ? null : { ...error, webUrl: errorUrl(tracked.context, error.id) };
          return presentReportedEvent({ ...event, error: found });
        }),
      };
    },
  }),
];
