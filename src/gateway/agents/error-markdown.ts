import { problems } from '../http/common-schema.ts';
import { projectRoute, type Route } from '../http/route.ts';
import { errorIdOf, projectBackend } from '../api/shared/project-backend.ts';
import { errorAnswer } from './texts/error-answer.ts';

/** Must precede the route of an error, whose id would match as well. */
export const errorMarkdownRoutes: readonly Route[] = [
  projectRoute({
    method: 'GET',
    path: '/api/v4/projects/:id/error_tracking/errors/:error_id.md',
    operationId: 'getErrorText',
    summary:
      'Read one error as text for people, curl and agents, at most 6 KB; text of events is fenced and made harmless',
    action: 'read_errors',
    produces: 'text/markdown',
    responses: { 200: { description: 'The same text as the tool get_error has' }, ...problems },
    async handle(call) {
      const tracked = await projectBackend(call);
      const errorId = errorIdOf(call);
      const argument = `project="${call.project.path}" id="${errorId}"`;
      const { text } = await errorAnswer({ ...tracked, call, errorId, eventId: null, argument });
      return { status: 200, contentType: 'text/markdown; charset=utf-8', body: `${text}\n` };
    },
  }),
];
