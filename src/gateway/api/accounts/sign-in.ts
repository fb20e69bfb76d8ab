import type { UsedCode } from '../../../auth/second-factor/second-factors.ts';
import { AppError } from '../../../domain/app-error.ts';
import type { Credentials } from '../../../domain/ports/stores/web-session-store.ts';
import { problemSchema } from '../../http/common-schema.ts';
import { publicRoute, type Call, type Reply, type Route } from '../../http/route.ts';
import { assertOwnSite } from '../../http/same-site.ts';
import { recordSignIn, refusedSignIn } from './sign-ins/audit-sign-in.ts';
import { countingFailures, countSignIn } from './sign-ins/count-sign-ins.ts';
import {
  addressOf,
  assertNotProxied,
  begin,
  NOT_KEPT,
  oneSession,
  presentSession,
  proxied,
  refusals,
} from './session-reply.ts';
import { finishSignInSchema, signInSchema, type FinishSignIn, type SignIn } from './session-schema.ts';

/** Begins the session of a sign-in, in the place of the former one of the browser. */
async function beginInPlace(
  call: Call<unknown>,
  credentials: Pick<Credentials, 'user' | 'epoch'>,
  { browser, used }: { readonly browser: string | null; readonly used: UsedCode | null },
): Promise<Reply> {
  const { deps, origin } = call;
  await recordSignIn(call, credentials.user, { used });
  const begun = await begin(call, credentials, { browser, secondFactor: used !== null });
  countSignIn(call, 'password');
  // Last, because other tabs use the former session until the answer sets the cookie. If the store fails now, that
  // session ends by its timeout.
  if (origin.sessionId !== null) await deps.webSessions.end(origin.sessionId).catch(() => undefined);
  return begun;
}

async function signIn(call: Call<SignIn>): Promise<Reply> {
  const { deps, params, origin } = call;
  assertOwnSite(call.header, deps.externalUrl());
  assertNotProxied(call);
  const { username, password } = params;
  const browser = await deps.browsers.identify(origin.browserMark, username);
  const credentials = await deps.passwords
    .check(username, password, addressOf(call), browser)
    .catch((error: unknown) => refusedSignIn(call, username, error));
  const { user, epoch } = credentials;
  const { confirmedAt } = await deps.secondFactors.state(user.id);
  if (confirmedAt === null) return beginInPlace(call, credentials, { browser, used: null });
  const challenge = await deps.challenges.issue({ userId: user.id, epoch });
  return { status: 200, headers: NOT_KEPT, body: presentSession(call, null, null, challenge) };
}

/** Returns the person of a challenge. Throws `bad_request` when its time is over, or all sessions ended meanwhile. */
async function challengedBy({ deps, params }: Call<FinishSignIn>): Promise<Credentials> {
  const challenged = await deps.challenges.read(params.challenge);
  const user = challenged === null ? null : await deps.store.userById(challenged.userId);
  const credentials = user === null ? null : await deps.store.credentials(user.username);
  if (credentials !== null && credentials.epoch === challenged?.epoch) return credentials;
  throw new AppError('bad_request', 'The code was entered too late. Sign in with your password again.');
}

async function finishSignIn(call: Call<FinishSignIn>): Promise<Reply> {
  const { deps, params, origin } = call;
  assertOwnSite(call.header, deps.externalUrl());
  assertNotProxied(call);
  const credentials = await challengedBy(call);
  const { id, username } = credentials.user;
  const browser = await deps.browsers.identify(origin.browserMark, username);
  const used = await attemptCode(call, { id, username, browser, code: params.code }).catch((error: unknown) =>
    refusedSignIn(call, username, error),
  );
  return beginInPlace(call, credentials, { browser, used });
}

interface CodeAttempt {
  readonly id: number;
  readonly username: string;
  readonly browser: string | null;
  readonly code: string;
}

/** Uses a code. Wrong ones count as wrong passwords do. Throws `invalid_credentials` and `rate_limited`. */
async function attemptCode(call: Call<unknown>, { id, username, browser, code }: CodeAttempt): Promise<UsedCode> {
  const { signInThrottle, secondFactors } = call.deps;
  const takeBack = signInThrottle.attempt(username, addressOf(call), browser);
  const used = await secondFactors.use(id, code);
  if (used === null) throw new AppError('invalid_credentials', 'The code is wrong, or was used before.');
  takeBack();
  return used;
}

export const signInRoutes: readonly Route[] = [
  publicRoute({
    method: 'POST',
    path: '/-/session',
    operationId: 'signIn',
    summary: 'Sign in with username and password; the response sets the session cookie, or asks for the second factor',
    audit: { byHandler: ['signed_in', 'sign_in_refused'] },
    parameters: signInSchema,
    jsonOnly: true,
    responses: {
      ...oneSession,
      401: { description: 'Wrong username or password, or a blocked user', schema: problemSchema },
      ...refusals,
      ...proxied,
    },
    handle: (call) => countingFailures(call, 'password', () => signIn(call)),
  }),
  publicRoute({
    method: 'POST',
    path: '/-/session/second_factor',
    operationId: 'finishSignIn',
    summary: 'Finish a sign-in with a code of the second factor; the response sets the session cookie',
    audit: { byHandler: ['signed_in', 'sign_in_refused'] },
    parameters: finishSignInSchema,
    jsonOnly: true,
    responses: {
      ...oneSession,
      401: { description: 'A wrong code, or one that was used', schema: problemSchema },
      ...refusals,
      403: {
        description: `${refusals[403].description}; or too many wrong codes: ask for a recovery code`,
        schema: problemSchema,
      },
      ...proxied,
    },
    handle: (call) => countingFailures(call, 'password', () => finishSignIn(call)),
  }),
];
