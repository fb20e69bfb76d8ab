import type { Middleware } from 'koa';
import { METHODS } from 'node:http';
import type { Logger } from '../../../observability/logger.ts';
import type { Metrics } from '../../../observability/metrics.ts';
import { requestIdOf } from './request-id.ts';

const KNOWN_METHODS = new Set(METHODS);

/** Caches metrics by their labels, because looking one up costs more than counting. */
function remembered<T>(make: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = make(key);
    known.set(key, made);
    return made;
  };
}

/** Answer to count. */
export interface Answered {
  readonly group: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly seconds: number;
  readonly requestId: string;
}

/**
 * Creates a function that counts and times an answer. The log line is for development only and never contains the
 * query, which may have secrets.
 */
export function accessRecorder(metrics: Metrics, logger: Logger): (answered: Answered) => void {
  const counter = remembered((key) => {
    const [group = '', method = '', status = ''] = key.split(' ');
    return metrics.requests.labels({ group, method, status });
  });
  const timer = remembered((group) => metrics.requestSeconds.labels({ group }));
  return ({ group, path, status, seconds, requestId, ...answered }) => {
    // Labels have a fixed set of values: text from clients must not create time series.
    const method = KNOWN_METHODS.has(answered.method) ? answered.method : 'OTHER';
    counter(`${group} ${method} ${status}`).inc();
    timer(group).observe(seconds);
    logger.debug({ request_id: requestId, method, path, status, ms: Math.round(seconds * 1e5) / 100 }, 'answered');
  };
}

/** Returns the value of `X-Runtime`, seconds. */
export function runtimeText(seconds: number): string {
  return seconds.toFixed(6);
}

/** Hides the token in the address of a page of an invitation. */
function withoutToken(path: string): string {
  return path.replace(/(\/-\/invitations\/).+/, '$1[hidden]');
}

/** Counts and times every answer of the application. */
export function access(metrics: Metrics, logger: Logger): Middleware {
  const record = accessRecorder(metrics, logger);
  return async (ctx, next) => {
    const started = performance.now();
    try {
      await next();
    } finally {
      const seconds = (performance.now() - started) / 1000;
      const group = typeof ctx.state.group === 'string' ? ctx.state.group : 'other';
      const { method, path, status } = ctx;
      record({ group, method, path: withoutToken(path), status, seconds, requestId: requestIdOf(ctx) });
      if (!ctx.headerSent) ctx.set('X-Runtime', runtimeText(seconds));
    }
  };
}
