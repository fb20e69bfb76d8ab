import { problems } from '../../http/common-schema.ts';
import { getTagTrendSchema, tagTrendSchema, type GetTagTrend } from './tag-trend-schema.ts';
import { presentTagTrend } from './tag-trend-presenter.ts';
import { projectRoute, type Route } from '../../http/route.ts';
import { errorIdOf, integratedOnly, trackedProject } from '../shared/project-backend.ts';

const REFUSAL = 'the connected third-party tracker cannot tell when values of a tag were seen';

export const tagTrendRoutes: readonly Route[] = [
  projectRoute<GetTagTrend>({
    surface: 'api',
    method: 'GET',
    path: '/api/v4/projects/:id/error_tracking/errors/:error_id/tag_trend',
    operationId: 'getTagTrend',
    summary: 'Count the values of a tag over time, among the newest 1,000 stored events of an error',
    action: 'read_errors',
    parameters: getTagTrendSchema,
    responses: { 200: { description: 'The values', schema: tagTrendSchema }, ...problems },
    async handle(call) {
      const errors = integratedOnly(await trackedProject(call), REFUSAL);
      const { key } = call.params;
      const trend = await errors.tagTrend(call.project, errorIdOf(call), key, call.signal);
      return { status: 200, body: presentTagTrend(key, trend) };
    },
  }),
];
