import type { FromSchema } from 'json-schema-to-ts';
import { addressWithin } from '../../../auth/sign-on/return-path.ts';
import { blockedUsername } from '../../../auth/sign-on/sign-on-errors.ts';
import { BACK_CHANNEL_PATH, CALLBACK_PATH, SIGN_ON_PATH } from '../../../auth/sign-on/sign-on-settings.ts';
import { AppError } from '../../../domain/app-error.ts';
import { mayUsePassword } from '../../../domain/projects/account.ts';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { problems, problemSchema } from '../../http/common-schema.ts';
import { answerFor } from '../../http/http-errors.ts';
import type { SignOnDeps } from '../../http/route-deps.ts';
import { publicRoute, sessionRoute, type Call, type Reply, type Route, type SessionCall } from '../../http/route.ts';
import { signOnCookie } from '../../http/session/session-cookie.ts';
import { plainPageReply } from '../shared/plain-page.ts';
import { elsewhereSchema, presentElsewhere } from './session-schema.ts';
import { recordSignIn, refusedSignIn } from './sign-ins/audit-sign-in.ts';
import { beginSession } from './begin-session.ts';
import { countingFailures, countSignIn } from './sign-ins/count-sign-ins.ts';
import { checkOwnPassword } from './own-password.ts';

/** Milliseconds for which the browser keeps a sign-in that began; its content ends at the same time. */
const COOKIE_MS = 600_000;
/** Maximum bytes of a path to return to: the cookie has it. */
const MAX_RETURN_BYTES = 1500;

const beginSchema = {
  type: 'object',
  properties: { return_to: { type: 'string', description: 'Path of this service to return to' } },
  additionalProperties: false,
} as const satisfies ParametersSchema;

const connectSchema = {
  type: 'object',
  properties: {
    password: { type: 'string', maxLength: 1024, description: 'Current password, unless the user may use none' },
  },
  additionalProperties: false,
} as const satisfies ParametersSchema;

const logoutSchema = {
  type: 'object',
  properties: { logout_token: { type: 'string', 'x-secret': true, description: 'Signed by the provider' } },
  required: ['logout_token'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

/** Throws `not_found` where no provider is configured. */
function signOnOf({ deps }: Pick<Call<unknown>, 'deps'>): SignOnDeps {
  if (deps.signOn === null) throw new AppError('not_found', 'no identity provider is configured');
  return deps.signOn;
}

/** Checks the password of a user who has one: the account of the provider opens the one here for good. */
async function assertOwner(call: SessionCall<FromSchema<typeof connectSchema>>): Promise<void> {
  const { deps, params, principal } = call;
  if (!mayUsePassword(principal.user, deps.passwordSignIn)) return;
  if (params.password === undefined) throw new AppError('bad_request', 'Send your current password.');
  await checkOwnPassword(call, params.password);
}

const redirect = (location: string, cookies: string[]): Reply => ({
  status: 303,
  headers: { Location: location, 'Cache-Control': 'no-store', 'Set-Cookie': cookies },
  body: null,
});

const TITLES: Readonly<Record<string, string>> = {
  sign_on_failed: 'You are not signed in',
  sign_on_refused: 'You cannot sign in here',
  sign_on_unavailable: 'Sign-in is not available',
};

/** Answers a refusal with a page, because a person follows these addresses. Other errors stay as they are. */
async function withPage(call: Call<unknown>, work: () => Promise<Reply>): Promise<Reply> {
  try {
    // Without a provider there is no sign-in to count.
    return await (call.deps.signOn === null ? work() : countingFailures(call, 'provider', work));
  } catch (error) {
    const title = error instanceof AppError ? TITLES[error.code] : undefined;
    if (!(error instanceof AppError) || title === undefined) throw error;
    const { status, headers } = answerFor(error);
    const link = { href: `${call.deps.externalUrl()}/users/sign_in`, text: 'Sign in' };
    const ended = signOnCookie('', call.deps.externalUrl(), 0);
    return plainPageReply(status, { title, text: error.message, link }, { ...headers, 'Set-Cookie': ended });
  }
}

async function finish(call: Call<unknown>): Promise<Reply> {
  const { deps, origin, request } = call;
  const { flow } = signOnOf(call);
  const [, query] = /^[^?]*(\?.*)$/s.exec(request.url ?? '') ?? [];
  const own = origin.sessionId === null ? null : await deps.webSessions.find(origin.sessionId, origin.address);
  const { credentials, provider, issuer, email, returnTo } = await flow
    .finish(query ?? '', origin.signOnCookie, own?.user ?? null)
    .catch((error: unknown) => refusedSignIn(call, blockedUsername(error) ?? '', error));
  const browser = await deps.browsers.identify(origin.browserMark, credentials.user.username);
  await recordSignIn(call, credentials.user, { issuer });
  if (email !== null) await deps.invitations.takeUp(credentials.user, email, origin.address);
  const { cookies } = await beginSession(call, credentials, { browser, secondFactor: false, provider });
  countSignIn(call, 'provider');
  // As with a password: other tabs use the former session until the answer sets the cookie.
  if (origin.sessionId !== null) await deps.webSessions.end(origin.sessionId).catch(() => undefined);
  const url = deps.externalUrl();
  return redirect(addressWithin(url, returnTo), [...cookies, signOnCookie('', url, 0)]);
}

const pages = {
  400: { description: 'The answer of the provider is not valid, or came too late; a page' },
  403: { description: 'A rule refuses the person; a page that names it' },
  404: problems[404],
  503: { description: 'The provider cannot be reached; a page' },
};

/** Routes of the browser on its way to an identity provider and back, and of the provider itself. */
export const signOnRoutes: readonly Route[] = [
  publicRoute({
    surface: 'ops',
    method: 'GET',
    path: SIGN_ON_PATH,
    operationId: 'beginSignOn',
    summary: 'Begin a sign-in with the identity provider (OpenID Connect)',
    parameters: beginSchema,
    produces: 'text/html',
    responses: { 303: { description: 'To the provider' }, ...pages },
    handle: (call: Call<FromSchema<typeof beginSchema>>) =>
      withPage(call, async () => {
        const { flow } = signOnOf(call);
        const { return_to: given } = call.params;
        const returnTo = given === undefined || Buffer.byteLength(given) > MAX_RETURN_BYTES ? null : given;
        const { url, sealed } = await flow.begin(returnTo);
        return redirect(url, [signOnCookie(sealed, call.deps.externalUrl(), COOKIE_MS)]);
      }),
  }),
  publicRoute({
    surface: 'ops',
    method: 'GET',
    path: CALLBACK_PATH,
    operationId: 'finishSignOn',
    summary: 'Finish a sign-in with the answer of the identity provider; sets the session cookie',
    produces: 'text/html',
    audit: { byHandler: ['signed_in', 'sign_in_refused'] },
    responses: { 303: { description: 'To the page that the person wanted' }, ...pages },
    handle: (call) => withPage(call, () => finish(call)),
  }),
  sessionRoute({
    method: 'POST',
    path: '/-/session/identity',
    operationId: 'connectIdentity',
    summary: 'Connect your account at the identity provider; the page opens the address of the answer',
    action: 'manage_sessions',
    waitsForSetUp: true,
    parameters: connectSchema,
    jsonOnly: true,
    audit: { not: 'begins a sign-in at the provider, which the log has when it comes back' },
    responses: {
      200: { description: 'Where the browser signs in', schema: elsewhereSchema },
      400: problems[400],
      401: problems[401],
      403: problems[403],
      404: problems[404],
      429: { description: 'Too many attempts; Retry-After says how many seconds to wait', schema: problemSchema },
      503: { description: 'The provider cannot be reached', schema: problemSchema },
    },
    async handle(call) {
      await assertOwner(call);
      const { url, sealed } = await signOnOf(call).flow.begin('/-/profile', call.principal.user.id);
      const cookie = signOnCookie(sealed, call.deps.externalUrl(), COOKIE_MS);
      return {
        status: 200,
        headers: { 'Cache-Control': 'no-store', 'Set-Cookie': cookie },
        body: presentElsewhere({ url }),
      };
    },
  }),
  publicRoute({
    surface: 'ops',
    method: 'POST',
    path: BACK_CHANNEL_PATH,
    operationId: 'endSignOn',
    summary: 'End sessions that the identity provider has ended (OpenID Connect Back-Channel Logout)',
    parameters: logoutSchema,
    audit: { not: 'ends sessions whose person has signed out at the provider, which has its own log' },
    responses: {
      200: { description: 'The sessions of the token have ended' },
      400: { description: 'The token is not valid, or was used before', schema: problemSchema },
      404: problems[404],
      503: { description: 'The keys of the provider cannot be read at the moment', schema: problemSchema },
    },
    async handle(call: Call<FromSchema<typeof logoutSchema>>) {
      await signOnOf(call).signOut.end(call.params.logout_token);
      call.deps.webSessions.forget();
      return { status: 200, headers: { 'Cache-Control': 'no-store' }, body: null };
    },
  }),
];
