import { problems } from '../../../schemas/api/common.ts';
import { reportsOfErrorSchema } from '../../../schemas/api/event.ts';
import { presentUserReport } from '../../presenters/event.ts';
import { projectRoute, type Route } from '../../route.ts';
import { errorIdOf, integratedOnly, trackedProject } from '../../tracked-project.ts';

const REFUSAL = 'the connected third-party tracker cannot list the user reports of an error';

export const userReportRoutes: readonly Route[] = [
  projectRoute({
    surface: 'api',
    method: 'GET',
    path: '/api/v4/projects/:id/error_tracking/errors/:error_id/user_reports',
    operationId: 'listUserReports',
    summary: 'List what users wrote about the newest 1,000 stored events of an error, newest first, at most 50 reports',
    action: 'read_errors',
    responses: { 200: { description: 'The reports, each with its event', schema: reportsOfErrorSchema }, ...problems },
    async handle(call) {
      const errors = integratedOnly(await trackedProject(call), REFUSAL);
      const reports = await errors.latestReports(call.project, errorIdOf(call));
      const body = reports.map(({ eventId, report }) => ({ ...presentUserReport(report), event_id: eventId }));
      return { status: 200, body };
    },
  }),
];
