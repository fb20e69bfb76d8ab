import type { TagTrend } from '../../../domain/errors/tag-trend.ts';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { nullableText, time, problems } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';
import { presenter } from '../../http/presenter.ts';
import { projectRoute, type Route } from '../../http/route.ts';
import { errorIdOf, integratedOnly, projectBackend } from '../shared/project-backend.ts';

const getTagTrendSchema = {
  type: 'object',
  properties: { key: { type: 'string', maxLength: 200, description: 'Name of the tag' } },
  required: ['key'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

const tagTrendSchema = objectSchema({
  title: 'TagTrend',
  properties: {
    key: { type: 'string' },
    events: { type: 'integer', description: 'Number of newest stored events examined, at most 1,000' },
    complete: { type: 'boolean', description: 'Whether these are all that are stored' },
    first_event: { ...time, type: ['string', 'null'], description: 'Time of the first of them; null: there are none' },
    last_event: { ...time, type: ['string', 'null'] },
    bucket_hours: { type: 'integer' },
    values: {
      type: 'array',
      items: objectSchema({
        title: 'TrendOfValue',
        properties: {
          value: { type: 'string' },
          count: { type: 'integer' },
          first_seen: { ...time, description: 'Of its first event among those looked at' },
          last_seen: time,
          first_release: { ...nullableText, description: 'Release of that first event; null: it has none' },
          frequency: {
            type: 'array',
            items: { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 },
            description: 'Beginning of each bucket in epoch seconds, and its events, oldest first; at most 60',
          },
        },
      }),
      description: 'Most frequent first, at most 20',
    },
    other: { type: 'integer', description: 'Events with further values' },
  },
});

const present = presenter(tagTrendSchema);

function presentTagTrend(key: string, trend: TagTrend) {
  const startOf = (bucket: number) => (trend.since ?? 0) / 1000 + bucket * trend.bucketHours * 3600;
  const values = trend.values.map((value) => ({
    ...value,
    frequency: value.counts.map((count, bucket) => [startOf(bucket), count]),
  }));
  return present({ ...trend, key, values });
}

const REFUSAL = 'the connected third-party tracker cannot tell when values of a tag were seen';

export const tagTrendRoutes: readonly Route[] = [
  projectRoute({
    method: 'GET',
    path: '/api/v4/projects/:id/error_tracking/errors/:error_id/tag_trend',
    operationId: 'getTagTrend',
    summary: 'Count the values of a tag over time, among the newest 1,000 stored events of an error',
    action: 'read_errors',
    parameters: getTagTrendSchema,
    responses: { 200: { description: 'The values', schema: tagTrendSchema }, ...problems },
    async handle(call) {
      const errors = integratedOnly(await projectBackend(call), REFUSAL);
      const { key } = call.params;
      const trend = await errors.tagTrend(call.project, errorIdOf(call), key, call.signal);
      return { status: 200, body: presentTagTrend(key, trend) };
    },
  }),
];
