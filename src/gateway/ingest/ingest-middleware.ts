import type Koa from 'koa';
import { clientIp } from '../http/middleware/client-ip.ts';
import type { IngestRoutes } from './ingest-routes.ts';

/**
 * Answers requests to the ingestion routes in the Koa application, and counts them in their own group. Other paths pass
 * through.
 */
export function ingestMiddleware(routes: IngestRoutes): Koa.Middleware {
  return async (ctx, next) => {
    const target = routes.targetOf(ctx.path);
    if (target === null) {
      ctx.state.group = 'other';
      await next();
      return;
    }
    ctx.state.group = 'ingest';
    const { req, querystring } = ctx;
    const reply = await routes.answer({ req, target, query: querystring, clientIp: () => clientIp(ctx) });
    if (reply.held) ctx.state.group = 'ingest_held';
    ctx.status = reply.status;
    for (let at = 0; at < reply.headers.length; at += 2) {
      ctx.set(reply.headers[at] ?? '', reply.headers[at + 1] ?? '');
    }
    ctx.body = reply.body;
  };
}
