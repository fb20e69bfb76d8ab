import type { WebSessions } from '../../../auth/web-sessions.ts';
import { AppError } from '../../../domain/app-error.ts';
import type { Credentials } from '../../../domain/ports/stores/web-session-store.ts';
import type { BrowserSession, Call } from '../../http/route.ts';
import { browserCookie, sessionCookie } from '../../http/session-cookie.ts';

export interface Begun {
  readonly session: BrowserSession;
  /** Values of `Set-Cookie`. */
  readonly cookies: string[];
}

/**
 * Begins a session. `browser`: id of a known browser, else null. `provider`: the sign-in was at an identity provider.
 * Throws `unauthorized` when all sessions of the user were ended after `epoch` was read.
 */
export async function beginSession(
  { deps, origin, header }: Call<unknown>,
  credentials: Pick<Credentials, 'user' | 'epoch'>,
  browser: string | null,
  provider?: Parameters<WebSessions['begin']>[2],
): Promise<Begun> {
  const { webSessions, browsers, externalUrl } = deps;
  const { address } = origin;
  const id = await webSessions.begin(credentials, { userAgent: header('User-Agent'), address }, provider);
  const signedIn = await webSessions.find(id, address);
  if (signedIn === null) throw new AppError('unauthorized', 'all sessions of the user have just been ended');
  const mark = await browsers.mark(credentials.user.username, browser);
  const cookies = [sessionCookie(id, externalUrl(), webSessions.limits.maxMs), browserCookie(mark, externalUrl())];
  const { user, mustChangePassword, session: stored } = signedIn;
  return { session: { id, user, mustChangePassword, stored }, cookies };
}
