import { Router } from '@koa/router';
import Koa, { type Middleware } from 'koa';
import { access } from './http/middleware/access.ts';
import { authHeader } from './http/middleware/auth-header.ts';
import { clientIpMiddleware } from './http/middleware/client-ip.ts';
import { errorBoundary } from './http/middleware/error-boundary.ts';
import { requestId } from './http/middleware/request-id.ts';
import { selfReport } from './http/middleware/self-report.ts';
import { subPath } from './http/middleware/sub-path.ts';
import { unmatched } from './http/middleware/unmatched.ts';
import type { AccountDeps, AlertDeps, CommonDeps, OperationDeps, ProjectDeps } from './http/route-deps.ts';
import { runRoute } from './http/run-route.ts';
import { ingestMiddleware } from './ingest/ingest-middleware.ts';
import type { IngestRoutes } from './ingest/ingest-routes.ts';
import { formerLinks } from './pages/former-links.ts';
import { pages } from './pages/pages.ts';
import { routes } from './routes.ts';

/** Sets headers of every answer outside ingestion, which has its own. */
function securityHeaders(): Middleware {
  return (ctx, next) => {
    ctx.set('X-Frame-Options', 'SAMEORIGIN');
    ctx.set('X-Content-Type-Options', 'nosniff');
    ctx.set('Cache-Control', 'max-age=0, private, must-revalidate');
    ctx.vary('Origin');
    return next();
  };
}

/** All dependencies of the gateway, which opens nothing itself. Routes get all but the members declared here. */
export interface GatewayDeps extends CommonDeps, AccountDeps, ProjectDeps, AlertDeps, OperationDeps {
  /** Folder of the built pages; null: there are none. */
  readonly uiDir: string | null;
  /** CIDRs of trusted proxies, whose `X-Forwarded-…` headers are used. */
  readonly trustedProxies: readonly string[];
  /** Header with which a trusted proxy names the signed-in person; null: none is believed. */
  readonly authHeader: string | null;
  readonly ingest: IngestRoutes;
  /** Mark of this service's reports about itself; null: it sends none. */
  readonly selfReportMark: string | null;
}

/** Registers all routes of the registry; no other routes exist. */
export function createRouter(deps: GatewayDeps): Router {
  const router = new Router({ sensitive: true });
  for (const route of routes) {
    router.register(route.path, [route.method], runRoute(route, deps), { name: route.operationId });
  }
  return router;
}

/**
 * Creates the HTTP interface as a Koa application. Middleware runs in the order of the code. The ingestion routes are
 * before all others: no body parser, session or timer of other routes may handle an SDK's request.
 */
export function createApp(deps: GatewayDeps): Koa {
  const app = new Koa();
  if (deps.selfReportMark !== null) app.use(selfReport(deps.selfReportMark));
  app.use(clientIpMiddleware(deps.trustedProxies));
  app.use(authHeader(deps));
  app.use(requestId());
  app.use(access(deps.metrics, deps.logger));
  app.use(subPath(() => deps.externalUrl()));
  app.use(errorBoundary(deps.logger));
  app.use(ingestMiddleware(deps.ingest));
  app.use(securityHeaders());
  app.use(createRouter(deps).middleware());
  app.use(formerLinks(deps));
  app.use(pages({ uiDir: deps.uiDir, externalUrl: () => deps.externalUrl() }));
  app.use(unmatched());
  app.on('error', (error: unknown) => deps.logger.debug({ err: error }, 'answer could not be sent'));
  return app;
}
