import { createHash, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../../domain/app-error.ts';
import { problemSchema } from '../../http/common-schema.ts';
import { publicRoute, type Call, type Route } from '../../http/route.ts';
import { healthSchema, livenessSchema, readinessParametersSchema, readinessSchema } from './health-schema.ts';
import { healthOf, stateOf } from './health-state.ts';

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

function healthRoute(path: string, operationId: string): Route {
  return publicRoute({
    surface: 'ops',
    method: 'GET',
    path,
    operationId,
    summary: 'Read the overall state: ok, degraded (events are accepted, but cannot be stored or read) or failing',
    responses: {
      200: { description: 'Events can be accepted', schema: healthSchema },
      ...unreadable,
      503: { description: 'Events cannot be accepted', schema: healthSchema },
    },
    async handle({ deps }) {
      const state = await healthOf(deps.health);
      return { status: state.accepting ? 200 : 503, body: state };
    },
  });
}

export const healthRoutes: readonly Route[] = [
  publicRoute({
    surface: 'ops',
    method: 'GET',
    path: '/-/liveness',
    operationId: 'getLiveness',
    summary: 'Check that the process responds',
    responses: { 200: { description: 'The process responds', schema: livenessSchema }, ...unreadable },
    handle: async () => ({ status: 200, body: { status: 'ok' } }),
  }),
  publicRoute({
    surface: 'ops',
    method: 'GET',
    path: '/-/readiness',
    operationId: 'getReadiness',
    summary: 'Check that events can be accepted or, with for=reads, that the store responds',
    parameters: readinessParametersSchema,
    responses: {
      200: { description: 'Ready', schema: readinessSchema },
      400: { description: 'Unknown value of `for`', schema: problemSchema },
      503: { description: 'Not ready', schema: readinessSchema },
    },
    async handle({ deps, params }) {
      const state = await stateOf(deps.health);
      const ready = params.for === 'reads' ? state.reading : state.accepting;
      return { status: ready ? 200 : 503, body: state };
    },
  }),
  healthRoute('/-/health', 'getHealth'),
  // Addresses that monitors of other trackers ask.
  healthRoute('/health', 'getHealthAtRoot'),
  healthRoute('/.well-known/healthz', 'getWellKnownHealth'),
  publicRoute({
    surface: 'ops',
    method: 'GET',
    path: '/-/metrics',
    operationId: 'getMetrics',
    summary: 'Read metrics in the Prometheus text format, from loopback or with the configured bearer token',
    responses: {
      200: { description: 'The metrics' },
      401: { description: 'The bearer token is missing or wrong', schema: problemSchema },
      403: { description: 'The request is not from loopback, and no token is configured', schema: problemSchema },
    },
    async handle(call) {
      assertMayScrape(call);
      const { registry } = call.deps.metrics;
      return { status: 200, contentType: registry.contentType, body: await registry.metrics() };
    },
  }),
];
