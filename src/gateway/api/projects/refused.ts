import { problems } from '../../http/common-schema.ts';
import { refusedSchema } from './refused-schema.ts';
import { isoTime } from '../../http/iso-time.ts';
import { projectRoute, type Route } from '../../http/route.ts';

export const refusedRoutes: readonly Route[] = [
  projectRoute({
    surface: 'api',
    method: 'GET',
    path: '/api/v4/projects/:id/error_tracking/refused',
    operationId: 'listRefused',
    summary: 'Count the requests to the project whose client key is unknown or belongs to another project',
    action: 'read_settings',
    responses: { 200: { description: 'Number of refused requests by reason', schema: refusedSchema }, ...problems },
    async handle({ deps, project }) {
      const { since, refused } = deps.misaddressed(project.id);
      const rows = refused.map(({ reason, requests, lastAt }) => ({ reason, requests, last_at: isoTime(lastAt) }));
      return { status: 200, body: { since: isoTime(since), refused: rows } };
    },
  }),
];
