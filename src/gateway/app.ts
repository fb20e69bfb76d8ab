import Koa from 'koa';
import type { GatewayDeps } from './gateway-deps.ts';
import { access } from './middleware/access.ts';
import { clientIpMiddleware } from './middleware/client-ip.ts';
import { errorBoundary } from './middleware/error-boundary.ts';
import { formerLinks } from './middleware/former-links.ts';
import { requestId } from './middleware/request-id.ts';
import { securityHeaders } from './middleware/security-headers.ts';
import { selfReport } from './middleware/self-report.ts';
import { subPath } from './middleware/sub-path.ts';
import { unmatched } from './middleware/unmatched.ts';
import { pages } from './pages.ts';
import { createRouter } from './router.ts';
import { ingestMiddleware } from './routes/ingest/ingest-middleware.ts';

/**
 * Creates the HTTP interface as a Koa application. Middleware runs in the order of the code. The ingestion routes are
 * before all others: no body parser, session or timer of other routes may handle an SDK's request.
 */
export function createApp(deps: GatewayDeps): Koa {
  const app = new Koa();
  if (deps.selfReportMark !== null) app.use(selfReport(deps.selfReportMark));
  app.use(clientIpMiddleware(deps.trustedProxies));
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
