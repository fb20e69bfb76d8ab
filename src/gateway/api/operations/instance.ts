import { problems } from '../../http/common-schema.ts';
import { instanceSchema } from './instance-schema.ts';
import { healthOf } from './health-state.ts';
import { presentInstance } from './instance-presenter.ts';
import { accountRoute, type Route } from '../../http/route.ts';

export const instanceRoutes: readonly Route[] = [
  accountRoute({
    surface: 'api',
    method: 'GET',
    path: '/api/v4/admin/health',
    operationId: 'getInstance',
    summary: 'Read the state of the service and its store; administrators only',
    action: 'read_instance',
    responses: {
      200: { description: 'State of the service and its store', schema: instanceSchema },
      401: problems[401],
      403: problems[403],
    },
    async handle({ deps }) {
      const [state, instance] = await Promise.all([healthOf(deps.health), deps.instance()]);
      return { status: 200, body: { ...state, ...presentInstance(instance, deps.version) } };
    },
  }),
];
