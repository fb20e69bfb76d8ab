import { assertGoodPassword } from '../../../auth/password-rules.ts';
import { hashPassword } from '../../../auth/password.ts';
import { decide } from '../../../auth/policy.ts';
import { AppError } from '../../../domain/app-error.ts';
import { browserSessionOf } from '../../http/session/browser-session.ts';
import { problems } from '../../http/common-schema.ts';
import { publicRoute, sessionRoute, type Route } from '../../http/route.ts';
import { endedCookie } from '../../http/session/session-cookie.ts';
import { ownUserTarget } from './audit-targets.ts';
import { checkOwnPassword } from './own-password.ts';
import {
  assertNotProxied,
  beginAgain,
  endOthers,
  NOT_KEPT,
  oneSession,
  presentSession,
  providerOf,
  proxied,
  refusals,
  reply,
} from './session-reply.ts';
import {
  changePasswordSchema,
  endSessionsSchema,
  presentElsewhere,
  sessionSchema,
  elsewhereSchema,
} from './session-schema.ts';

export const sessionRoutes: readonly Route[] = [
  publicRoute({
    method: 'GET',
    path: '/-/session',
    operationId: 'getSession',
    summary: 'Read the user who is signed in with this browser, and the CSRF token for its requests',
    responses: { ...oneSession, 401: problems[401], 403: problems[403] },
    async handle(call) {
      const { bearer } = call.origin;
      // A token takes precedence over a session, as in all routes, and needs no protection against forged requests.
      const token = bearer ?? call.header('PRIVATE-TOKEN').trim();
      if (token !== '') {
        const principal = await call.deps.authenticator.authenticate(token);
        const decision = decide(principal, 'read_self', null, null);
        if (decision !== 'ok') throw new AppError(decision, 'getSession is not allowed');
        return { status: 200, headers: NOT_KEPT, body: presentSession(call, null, principal.user) };
      }
      return reply(call, await browserSessionOf(call.origin, call.deps));
    },
  }),
  sessionRoute({
    method: 'DELETE',
    path: '/-/session',
    operationId: 'signOut',
    summary: 'Sign out of this browser',
    action: 'manage_sessions',
    audit: { event: 'signed_out', target: ownUserTarget },
    responses: {
      200: { description: 'Signed out here; the page opens the address to sign out there', schema: elsewhereSchema },
      204: { description: 'Signed out' },
      401: problems[401],
      403: refusals[403],
      ...proxied,
    },
    async handle(call) {
      const { deps, principal, session } = call;
      assertNotProxied(call);
      const url = (await deps.signOn?.signOut.urlFor(principal.user, session.stored)) ?? null;
      await deps.webSessions.end(session.id);
      const headers = { ...NOT_KEPT, 'Set-Cookie': endedCookie(deps.externalUrl()) };
      return url === null
        ? { status: 204, body: null, headers }
        : { status: 200, headers, body: presentElsewhere({ url }) };
    },
  }),
  sessionRoute({
    method: 'DELETE',
    path: '/-/sessions',
    operationId: 'signOutEverywhere',
    summary: 'Sign out of every browser; access tokens stay valid',
    action: 'manage_sessions',
    audit: { event: 'signed_out_everywhere', target: ownUserTarget },
    parameters: endSessionsSchema,
    responses: {
      200: { description: 'With others: the new session of this browser', schema: sessionSchema },
      204: { description: 'Signed out' },
      400: problems[400],
      401: problems[401],
      403: refusals[403],
    },
    async handle(call) {
      const { deps, principal, params } = call;
      if (params.others === true) return endOthers(call);
      await deps.webSessions.endAll(principal.user.id);
      return { status: 204, body: null, headers: { ...NOT_KEPT, 'Set-Cookie': endedCookie(deps.externalUrl()) } };
    },
  }),
  sessionRoute({
    method: 'PUT',
    path: '/-/session/password',
    operationId: 'changePassword',
    summary: 'Change the password; every other browser is signed out, and this one gets a new session',
    action: 'manage_sessions',
    audit: { event: 'password_changed', target: ownUserTarget },
    parameters: changePasswordSchema,
    jsonOnly: true,
    responses: { ...oneSession, 401: problems[401], ...refusals },
    async handle(call) {
      const { deps, params, principal } = call;
      const { user } = principal;
      await assertGoodPassword(params.password, user.username);
      if (params.password === params.current_password) {
        throw new AppError('bad_request', 'Choose a password that differs from the current one.');
      }
      const { epoch } = await checkOwnPassword(call, params.current_password);
      const provider = await providerOf(call);
      await deps.store.setPasswordHash(user.id, await hashPassword(params.password));
      deps.webSessions.forget();
      deps.onPasswordChanged?.(user);
      return beginAgain(call, { user, epoch: epoch + 1 }, provider && { provider });
    },
  }),
];
