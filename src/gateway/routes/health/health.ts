import { createHash, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../../domain/app-error.ts';
import { problemSchema } from '../../../schemas/api/common.ts';
import {
  healthSchema,
  livenessSchema,
  readinessParametersSchema,
  readinessSchema,
  type ReadinessParameters,
} from '../../../schemas/api/health.ts';
import { healthOf, stateOf } from '../../health-state.ts';
import { publicRoute, type Call, type Route } from '../../route.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Throws unless the client may read metrics: loopback may, others need the token, compared in constant time. */
function assertMayScrape({ deps, origin }: Call<unknown>): void {
  if (origin.loopback) return;
  if (deps.metricsToken === null) throw new AppError('forbidden', 'metrics are available on loopback only');
  if (origin.bearer === null || !timingSafeEqual(digest(origin.bearer), digest(deps.metricsToken))) {
    throw new AppError('unauthorized', 'metrics need the bearer token of the configuration');
  }
}

/** Answers of the HTTP server before a route is selected. */
const unreadable = { 431: { description: 'The headers of the request are larger than 16 KiB' } };

export const healthRoutes: readonly Route[] = [
  publicRoute({
    surface: 'ops',
    method: 'GET',
    path: '/-/liveness',
    operationId: 'getLiveness',
    summary: 'Whether the process answers at all',
    responses: { 200: { description: 'It does', schema: livenessSchema }, ...unreadable },
    handle: async () => ({ status: 200, body: { status: 'ok' } }),
  }),
  publicRoute<ReadinessParameters>({
    surface: 'ops',
    method: 'GET',
    path: '/-/readiness',
    operationId: 'getReadiness',
    summary: 'Whether events can be accepted; with for=reads, whether the store answers',
    parameters: readinessParametersSchema,
    responses: {
      200: { description: 'Ready', schema: readinessSchema },
      400: { description: 'Unknown ability', schema: problemSchema },
      503: { description: 'Not ready', schema: readinessSchema },
    },
    async handle({ deps, params }) {
      const state = await stateOf(deps.health);
      const ready = params.for === 'reads' ? state.reading : state.accepting;
      return { status: ready ? 200 : 503, body: state };
    },
  }),
  publicRoute({
    surface: 'ops',
    method: 'GET',
    path: '/-/health',
    operationId: 'getHealth',
    summary: 'State in a word: ok, degraded (takes events, but cannot store or read them) or failing',
    responses: {
      200: { description: 'Events can be accepted', schema: healthSchema },
      ...unreadable,
      503: { description: 'They cannot', schema: healthSchema },
    },
    async handle({ deps }) {
      const state = await healthOf(deps.health);
      return { status: state.accepting ? 200 : 503, body: state };
    },
  }),
  publicRoute({
    surface: 'ops',
    method: 'GET',
    path: '/-/metrics',
    operationId: 'getMetrics',
    summary: 'Metrics in the Prometheus text format; from loopback or with the configured bearer token',
    responses: {
      200: { description: 'The metrics' },
      401: { description: 'No or wrong bearer token', schema: problemSchema },
      403: { description: 'Not from loopback, and no token is configured', schema: problemSchema },
    },
    async handle(call) {
      assertMayScrape(call);
      const { registry } = call.deps.metrics;
      return { status: 200, contentType: registry.contentType, body: await registry.metrics() };
    },
  }),
];
