import { METHODS } from 'node:http';
import type { Middleware } from 'koa';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
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

/**
 * Counts and times every answer. The log line is for development only and never contains the query, which may have
 * secrets.
 */
export function access(metrics: Metrics, logger: Logger): Middleware {
  const counter = remembered((key) => {
    const [group = '', method = '', status = ''] = key.split(' ');
    return metrics.requests.labels({ group, method, status });
  });
  const timer = remembered((group) => metrics.requestSeconds.labels({ group }));
  return async (ctx, next) => {
    const started = performance.now();
    try {
      await next();
    } finally {
      const seconds = (performance.now() - started) / 1000;
      const group = typeof ctx.state.group === 'string' ? ctx.state.group : 'other';
      // Labels have a fixed set of values: text from clients must not create time series.
      const method = KNOWN_METHODS.has(ctx.method) ? ctx.method : 'OTHER';
      counter(`${group} ${method} ${ctx.status}`).inc();
      timer(group).observe(seconds);
      if (!ctx.headerSent) ctx.set('X-Runtime', seconds.toFixed(6));
      logger.debug(
        {
          request_id: requestIdOf(ctx),
          method,
          path: ctx.path,
          status: ctx.status,
          ms: Math.round(seconds * 1e5) / 100,
        },
        'answered',
      );
    }
  };
}
