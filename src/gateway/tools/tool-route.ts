import { FROM_BUILDS } from '../http/audit/audit-rule.ts';
import { accountRoute, type AccountCall, type Reply, type Route } from '../http/route.ts';

/** Call of a build tool. */
export type ToolCall = AccountCall<unknown>;

interface ToolRoute extends Pick<Route, 'method' | 'operationId' | 'summary'> {
  /** Behind `/api/0/`, without a slash at its end; tools send one. */
  readonly path: string;
  handle(call: ToolCall): Promise<Reply>;
}

/**
 * Declares a route that build tools of trackers ask. It needs a token with the scope `ci` or `api`. The handler checks
 * each project that the request names (`scope.ts`).
 */
export function toolRoute({ path, ...route }: ToolRoute): Route {
  return accountRoute({
    ...route,
    path: `/api/0/${path}`,
    surface: 'tools',
    action: 'use_build_tools',
    audit: FROM_BUILDS,
    ownBody: true,
    responses: {},
  });
}
