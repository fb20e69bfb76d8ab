import type { WebSessions } from '../../../auth/web-sessions.ts';
import { AppError } from '../../../domain/app-error.ts';
import type { Credentials } from '../../../domain/ports/stores/web-session-store.ts';
import type { BrowserSession, Call } from '../../http/route.ts';
import { browserCookie, sessionCookie } from '../../http/session/session-cookie.ts';

export interface Begun {
  readonly session: BrowserSession;
  /** Values of `Set-Cookie`. */
  readonly cookies: string[];
}

/** How a person has just signed in. */
export interface SignInProof {
  /** Id of a known browser, else null. */
  readonly browser: string | null;
  /** True: the password and a second factor. */
  readonly secondFactor: boolean;
  /** Absent: with a password. */
  readonly provider?: Parameters<WebSessions['begin']>[2];
}

/** Begins a session. Throws `unauthorized` when all sessions of the user were ended after `epoch` was read. */
export async function beginSession(
  { deps, origin, header }: Call<unknown>,
  credentials: Pick<Credentials, 'user' | 'epoch'>,
  { browser, secondFactor, provider }: SignInProof,
): Promise<Begun> {
  const { webSessions, browsers, externalUrl } = deps;
  const { address } = origin;
  const from = { userAgent: header('User-Agent'), address, secondFactor };
  const id = await webSessions.begin(credentials, from, provider);
  const signedIn = await webSessions.find(id, address);
  if (signedIn === null) throw new AppError('unauthorized', 'all sessions of the user have just been ended');
  const mark = await browsers.mark(credentials.user.username, browser);
  const cookies = [sessionCookie(id, externalUrl(), webSessions.limits.maxMs), browserCookie(mark, externalUrl())];
  const { user, mustChangePassword, session: stored } = signedIn;
  return { session: { id, user, mustChangePassword, stored }, cookies };
}
