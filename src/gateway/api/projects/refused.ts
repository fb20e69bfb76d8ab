import { time, problems } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';
import { presenter } from '../../http/presenter.ts';
import { projectRoute, type Route } from '../../http/route.ts';

const refusedSchema = objectSchema({
  title: 'Refused',
  properties: {
    since: {
      ...time,
      description: 'Start of the process, since when it counts; each of several gateways counts separately',
    },
    refused: {
      type: 'array',
      description: 'Latest reason first',
      items: objectSchema({
        properties: {
          reason: {
            enum: ['unknown_key', 'other_project'],
            description: 'unknown_key: no project has this key; other_project: the key belongs to another project',
          },
          requests: { type: 'integer' },
          last_at: time,
        },
      }),
    },
  },
});

const present = presenter(refusedSchema);

export const refusedRoutes: readonly Route[] = [
  projectRoute({
    method: 'GET',
    path: '/api/v4/projects/:id/error_tracking/refused',
    operationId: 'listRefused',
    summary: 'Count the requests to the project whose client key is unknown or belongs to another project',
    action: 'read_settings',
    responses: { 200: { description: 'Number of refused requests by reason', schema: refusedSchema }, ...problems },
    handle: async ({ deps, project }) => ({ status: 200, body: present(deps.misaddressed(project.id)) }),
  }),
];
