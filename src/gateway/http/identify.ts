import type { Context } from 'koa';
import type { Principal } from '../../auth/principal.ts';
import { isCsrfTokenOf } from '../../auth/session-id.ts';
import { AppError } from '../../domain/app-error.ts';
import { browserSessionOf, lacksSecondFactor } from './session/browser-session.ts';
import { proxiedNameOf } from './middleware/auth-header.ts';
import { clientIp, fromLoopback } from './middleware/client-ip.ts';
import type { GivenParameters } from './request-parameters.ts';
import { bearerToken, requestToken } from './request-token.ts';
import type { RouteDeps } from './route-deps.ts';
import type { BrowserSession, Route } from './route.ts';
import { isFromOtherSite } from './same-site.ts';
import { sessionIdOf } from './session/session-cookie.ts';

const LOOPBACK_HOST = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Returns true when the forced password change may be skipped: service and client are both on loopback. */
export function mayPostponePassword(ctx: Context, externalUrl: string): boolean {
  return fromLoopback(ctx) && LOOPBACK_HOST.test(new URL(externalUrl).hostname);
}

function assertSecondFactor(deps: RouteDeps, session: BrowserSession): void {
  if (lacksSecondFactor(session, deps)) {
    throw new AppError(
      'second_factor_required',
      'A second factor must be set up first, on your profile or with POST /api/v4/user/second_factor.',
    );
  }
}

interface Identified {
  readonly principal: Principal;
  /** Session of the browser; null when identified by a token. */
  readonly session: BrowserSession | null;
}

async function bySession(ctx: Context, deps: RouteDeps): Promise<BrowserSession> {
  const origin = { proxiedName: proxiedNameOf(ctx), sessionId: sessionIdOf(ctx), address: clientIp(ctx) };
  // Ignores cookie and proxy in requests from other sites, for every method.
  const session = isFromOtherSite((name) => ctx.get(name)) ? null : await browserSessionOf(origin, deps);
  if (session !== null) return session;
  throw new AppError('unauthorized', 'the request carries neither an access token nor a session');
}

/**
 * Throws `csrf_token_invalid` for a write without the right token. Browsers send the cookie with every request; only
 * errgate's pages know the token.
 */
function assertMeant(ctx: Context, { id }: BrowserSession): void {
  if (ctx.method === 'GET' || ctx.method === 'HEAD') return;
  if (!isCsrfTokenOf(id, ctx.get('X-CSRF-Token'))) {
    throw new AppError(
      'csrf_token_invalid',
      'The request has no valid X-CSRF-Token: reload the page, or read the token from GET /-/session.',
    );
  }
}

function assertPasswordChanged(ctx: Context, deps: RouteDeps, { mustChangePassword }: BrowserSession): void {
  if (mustChangePassword && !mayPostponePassword(ctx, deps.externalUrl())) {
    throw new AppError('password_change_required', 'The password must be changed first: PUT /-/session/password.');
  }
}

/** Returns the token that a route accepts; null: none. Throws `unauthorized` for agents without one. */
function tokenOf(
  ctx: Context,
  { surface, sessionOnly }: Partial<Pick<Route, 'surface' | 'sessionOnly'>>,
  given: GivenParameters,
): string | null {
  if (sessionOnly === true) return null;
  if (surface !== 'agents') return requestToken(ctx, given);
  const token = bearerToken(ctx);
  if (token === null) throw new AppError('unauthorized', 'the request carries no bearer token');
  return token;
}

/**
 * Identifies the caller: by the token if there is one, otherwise by the browser's session. Throws `unauthorized` and
 * the errors of `authenticate`; for sessions also `csrf_token_invalid`, `password_change_required` and
 * `second_factor_required`.
 */
export async function identify(
  ctx: Context,
  deps: RouteDeps,
  route: Partial<Pick<Route, 'surface' | 'sessionOnly' | 'setsUpSecondFactor' | 'waitsForSetUp'>>,
  given: GivenParameters,
): Promise<Identified> {
  const token = tokenOf(ctx, route, given);
  if (token !== null) return { principal: await deps.authenticator.authenticate(token), session: null };
  const session = await bySession(ctx, deps);
  assertMeant(ctx, session);
  const waits = route.sessionOnly !== true || route.waitsForSetUp === true;
  if (waits) assertPasswordChanged(ctx, deps, session);
  if (waits && route.setsUpSecondFactor !== true) assertSecondFactor(deps, session);
  const { user } = session;
  return { principal: { user, scopes: ['api'], token: null, onlyProjects: null }, session };
}
