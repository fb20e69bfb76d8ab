import { Router } from '@koa/router';
import type { GatewayDeps } from './gateway-deps.ts';
import { routes } from './routes/routes.ts';
import { runRoute } from './run-route.ts';

/** Registers all routes of the registry; no other routes exist. */
export function createRouter(deps: GatewayDeps): Router {
  const router = new Router({ sensitive: true });
  for (const route of routes) {
    router.register(route.path, [route.method], runRoute(route, deps), { name: route.operationId });
  }
  return router;
}
