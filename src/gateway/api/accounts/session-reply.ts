import { csrfTokenOf } from '../../../auth/session-id.ts';
import { mayUsePassword, type User } from '../../../domain/projects/account.ts';
import { AppError } from '../../../domain/app-error.ts';
import type { Credentials } from '../../../domain/ports/stores/web-session-store.ts';
import { lacksSecondFactor } from '../../http/session/browser-session.ts';
import { problems, problemSchema } from '../../http/common-schema.ts';
import { presenter } from '../../http/presenter.ts';
import type { BrowserSession, Call, Reply, SessionCall } from '../../http/route.ts';
import { beginSession, type SignInProof } from './begin-session.ts';
import { sessionSchema } from './session-schema.ts';

export const NOT_KEPT = { 'Cache-Control': 'no-store' };
export const oneSession = { 200: { description: 'The session', schema: sessionSchema } };
export const refusals = {
  400: problems[400],
  403: {
    description: 'The request was caused by another site, or lacks the X-CSRF-Token of the session',
    schema: problemSchema,
  },
  429: { description: 'Too many attempts; Retry-After says how many seconds to wait', schema: problemSchema },
};

export const proxied = {
  409: { description: 'A proxy in front of errgate signs people in and out', schema: problemSchema },
};

const present = presenter(sessionSchema);

/** Presents the data that a page needs first. `owner`: the user, when it is not the session's. */
export function presentSession(
  { deps, origin }: Pick<Call<unknown>, 'deps' | 'origin'>,
  session: BrowserSession | null,
  owner: User | null = session?.user ?? null,
  challenge: string | null = null,
) {
  const mustChangePassword = session?.mustChangePassword ?? false;
  const isProxied = origin.proxiedName !== null && (owner === null || session !== null);
  return present({
    user: owner,
    csrfToken: session === null ? null : csrfTokenOf(session.id),
    mustChangePassword,
    mayPostpone: mustChangePassword && origin.mayPostponePassword,
    secondFactorChallenge: challenge,
    mustSetUpSecondFactor: session !== null && lacksSecondFactor(session, deps),
    proxy: isProxied ? (session === null ? 'refused' : 'signed_in') : null,
    version: deps.version,
    externalUrl: deps.externalUrl(),
    integratedOffered: deps.integratedOffered,
    passwordSignIn: deps.passwordSignIn,
    signInWith: deps.signOn?.flow.name ?? null,
    ownPassword: owner !== null && mayUsePassword(owner, deps.passwordSignIn),
  });
}

export function reply(call: Call<unknown>, session: BrowserSession | null, headers: Reply['headers'] = {}): Reply {
  return { status: 200, headers: { ...NOT_KEPT, ...headers }, body: presentSession(call, session) };
}

/** Begins a session; see `beginSession`. */
export async function begin(
  call: Call<unknown>,
  credentials: Pick<Credentials, 'user' | 'epoch'>,
  proof: SignInProof,
): Promise<Reply> {
  const { session, cookies } = await beginSession(call, credentials, proof);
  return reply(call, session, { 'Set-Cookie': cookies });
}

/** Returns the address for the throttle. All requests without a known address share one limit. */
export function addressOf({ origin }: Call<unknown>): string {
  return origin.address ?? 'unknown';
}

/** Throws `conflict` where a proxy signs people in: it would name its own person with the next request again. */
export function assertNotProxied({ origin }: Call<unknown>): void {
  if (origin.proxiedName === null) return;
  throw new AppError('conflict', 'The proxy in front of errgate signs people in and out. Sign in and out there.');
}

/**
 * Returns what ties a session to its identity provider; undefined when it began with a password. The session in its place
 * takes it along, so read it before the session ends. Throws `unauthorized` for a session that has ended.
 */
export async function providerOf({ deps, session }: SessionCall<unknown>): Promise<SignInProof['provider']> {
  const { stored } = session;
  if (stored === null || stored.identityId === null) return undefined;
  const { hash, endsAt, checkedAt } = stored;
  const own = await deps.store.providerSession(hash);
  if (own === null) throw new AppError('unauthorized', 'the session has just ended');
  return { ...own, maxMs: endsAt - deps.clock.now(), ...(checkedAt !== null && { checkedAt }) };
}

/** Begins a session in the place of one that has just ended. A person of the proxy needs none. */
export async function beginAgain(
  call: SessionCall<unknown>,
  credentials: Pick<Credentials, 'user' | 'epoch'>,
  { secondFactor = call.session.stored?.secondFactor === true, provider }: Partial<SignInProof> = {},
): Promise<Reply> {
  if (call.session.stored === null) return reply(call, call.session);
  const browser = await call.deps.browsers.identify(call.origin.browserMark, credentials.user.username);
  return begin(call, credentials, { browser, secondFactor, ...(provider && { provider }) });
}

/**
 * Ends all other sessions of the user, also those that are just beginning, and begins a new one for this browser. One
 * that began at an identity provider stays, with what ties it to the provider. `secondFactor`: of the new one.
 */
export async function endOthers(call: SessionCall<unknown>, secondFactor?: boolean): Promise<Reply> {
  const { deps, principal, session } = call;
  const { user } = principal;
  if (session.stored !== null && session.stored.identityId !== null) {
    await deps.webSessions.endAllBut(user.id, session.stored.hash);
    return reply(call, session);
  }
  const found = await deps.store.credentials(user.username);
  if (found?.user.id !== user.id) throw new AppError('unauthorized', 'the user was renamed or removed meanwhile');
  await deps.webSessions.endAll(user.id);
  return beginAgain(call, { user, epoch: found.epoch + 1 }, secondFactor === undefined ? {} : { secondFactor });
}
