import { assertGoodPassword } from '../../../auth/password-rules.ts';
import { hashPassword } from '../../../auth/password.ts';
import { hashSessionId, csrfTokenOf } from '../../../auth/session-id.ts';
import { mayUsePassword, type User } from '../../../domain/projects/account.ts';
import { AppError } from '../../../domain/app-error.ts';
import type { Credentials } from '../../../domain/ports/stores/web-session-store.ts';
import { browserSessionOf } from '../../http/browser-session.ts';
import { problems, problemSchema } from '../../http/common-schema.ts';
import { presenter } from '../../http/presenter.ts';
import {
  publicRoute,
  sessionRoute,
  type BrowserSession,
  type Call,
  type Reply,
  type Route,
  type SessionCall,
} from '../../http/route.ts';
import { assertOwnSite } from '../../http/same-site.ts';
import { endedCookie } from '../../http/session-cookie.ts';
import { beginSession } from './begin-session.ts';
import {
  changePasswordSchema,
  endSessionsSchema,
  presentSignedOut,
  sessionSchema,
  signedOutSchema,
  signInSchema,
  type ChangePassword,
  type SignIn,
} from './session-schema.ts';
import { recordSignIn, refusedSignIn } from './audit-sign-in.ts';
import { ownUserTarget } from './audit-targets.ts';

const NOT_KEPT = { 'Cache-Control': 'no-store' };
const oneSession = { 200: { description: 'The session', schema: sessionSchema } };
const refusals = {
  400: problems[400],
  403: {
    description: 'The request was caused by another site, or lacks the X-CSRF-Token of the session',
    schema: problemSchema,
  },
  429: { description: 'Too many attempts; Retry-After says how many seconds to wait', schema: problemSchema },
};

const proxied = {
  409: { description: 'A proxy in front of errgate signs people in and out', schema: problemSchema },
};

const present = presenter(sessionSchema);

/** Presents the data that a page needs first. `owner`: the user, when it is not the session's. */
function presentSession(
  { deps, origin }: Pick<Call<unknown>, 'deps' | 'origin'>,
  session: BrowserSession | null,
  owner: User | null = session?.user ?? null,
) {
  const mustChangePassword = session?.mustChangePassword ?? false;
  const isProxied = origin.proxiedName !== null && (owner === null || session !== null);
  return present({
    user: owner,
    csrfToken: session === null ? null : csrfTokenOf(session.id),
    mustChangePassword,
    mayPostpone: mustChangePassword && origin.mayPostponePassword,
    proxy: isProxied ? (session === null ? 'refused' : 'signed_in') : null,
    version: deps.version,
    externalUrl: deps.externalUrl(),
    integratedOffered: deps.integratedOffered,
    passwordSignIn: deps.passwordSignIn,
    signInWith: deps.signOn?.flow.name ?? null,
    ownPassword: owner !== null && mayUsePassword(owner, deps.passwordSignIn),
  });
}

function reply(call: Call<unknown>, session: BrowserSession | null, headers: Reply['headers'] = {}): Reply {
  return { status: 200, headers: { ...NOT_KEPT, ...headers }, body: presentSession(call, session) };
}

/** Begins a session; see `beginSession`. */
async function begin(
  call: Call<unknown>,
  credentials: Pick<Credentials, 'user' | 'epoch'>,
  browser: string | null,
): Promise<Reply> {
  const { session, cookies } = await beginSession(call, credentials, browser);
  return reply(call, session, { 'Set-Cookie': cookies });
}

/** Returns the address for the throttle. All requests without a known address share one limit. */
function addressOf({ origin }: Call<unknown>): string {
  return origin.address ?? 'unknown';
}

/** Throws `conflict` where a proxy signs people in: it would name its own person with the next request again. */
function assertNotProxied({ origin }: Call<unknown>): void {
  if (origin.proxiedName === null) return;
  throw new AppError('conflict', 'The proxy in front of errgate signs people in and out. Sign in and out there.');
}

async function signIn(call: Call<SignIn>): Promise<Reply> {
  const { deps, params, origin } = call;
  assertOwnSite(call.header, deps.externalUrl());
  assertNotProxied(call);
  const browser = await deps.browsers.identify(origin.browserMark, params.username);
  const credentials = await deps.passwords
    .check(params.username, params.password, addressOf(call), browser)
    .catch((error: unknown) => refusedSignIn(call, params.username, error));
  await recordSignIn(call, credentials.user);
  const begun = await begin(call, credentials, browser);
  // Last, because other tabs use the former session until the answer sets the cookie. If the store fails now, that
  // session ends by its timeout.
  if (origin.sessionId !== null) await deps.webSessions.end(origin.sessionId).catch(() => undefined);
  return begun;
}

export const sessionRoutes: readonly Route[] = [
  publicRoute({
    method: 'GET',
    path: '/-/session',
    operationId: 'getSession',
    summary: 'Read the user who is signed in with this browser, and the CSRF token for its requests',
    responses: { ...oneSession, 401: problems[401] },
    async handle(call) {
      const { bearer } = call.origin;
      // A token takes precedence over a session, as in all routes, and needs no protection against forged requests.
      const token = bearer ?? call.header('PRIVATE-TOKEN').trim();
      if (token !== '') {
        const { user } = await call.deps.authenticator.authenticate(token);
        return { status: 200, headers: NOT_KEPT, body: presentSession(call, null, user) };
      }
      return reply(call, await browserSessionOf(call.origin, call.deps));
    },
  }),
  publicRoute({
    method: 'POST',
    path: '/-/session',
    operationId: 'signIn',
    summary: 'Sign in with username and password; the response sets the session cookie',
    audit: { byHandler: ['signed_in', 'sign_in_refused'] },
    parameters: signInSchema,
    jsonOnly: true,
    responses: {
      ...oneSession,
      401: { description: 'Wrong username or password, or a blocked user', schema: problemSchema },
      ...refusals,
      ...proxied,
    },
    handle: signIn,
  }),
  sessionRoute({
    method: 'DELETE',
    path: '/-/session',
    operationId: 'signOut',
    summary: 'Sign out of this browser',
    action: 'manage_sessions',
    audit: { event: 'signed_out', target: ownUserTarget },
    responses: {
      200: { description: 'Signed out here; the page opens the address to sign out there', schema: signedOutSchema },
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
        : { status: 200, headers, body: presentSignedOut({ url }) };
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
      const { epoch } = await checkPresent(call);
      await deps.store.setPasswordHash(user.id, await hashPassword(params.password));
      deps.webSessions.forget();
      deps.onPasswordChanged?.(user);
      return beginAgain(call, { user, epoch: epoch + 1 });
    },
  }),
];

/** Ends all sessions of the user, also those that are just beginning, and begins a new one for this browser. */
async function endOthers(call: SessionCall<unknown>): Promise<Reply> {
  const { deps, principal } = call;
  const { user } = principal;
  const found = await deps.store.credentials(user.username);
  if (found?.user.id !== user.id) throw new AppError('unauthorized', 'the user was renamed or removed meanwhile');
  await deps.webSessions.endAll(user.id);
  return beginAgain(call, { user, epoch: found.epoch + 1 });
}

/** Begins a session in the place of one that has just ended. A person of the proxy needs none. */
async function beginAgain(
  call: SessionCall<unknown>,
  { user, epoch }: Pick<Credentials, 'user' | 'epoch'>,
): Promise<Reply> {
  if (call.session.stored === null) return reply(call, call.session);
  return begin(call, { user, epoch }, await call.deps.browsers.identify(call.origin.browserMark, user.username));
}

/** Checks the current password. A wrong one must not look like an expired session. */
async function checkPresent(call: Call<ChangePassword> & { readonly session: BrowserSession }): Promise<Credentials> {
  const { username } = call.session.user;
  try {
    // A signed-in user has the limit of a known browser, so that attempts of others do not lock the user out.
    const browser = `session ${hashSessionId(call.session.id) ?? ''}`;
    return await call.deps.passwords.check(username, call.params.current_password, addressOf(call), browser);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_credentials') throw error;
    throw new AppError('bad_request', 'The current password is wrong.');
  }
}
