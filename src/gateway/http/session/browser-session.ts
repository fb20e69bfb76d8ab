import type { AccountDeps } from '../route-deps.ts';
import type { BrowserSession, RequestOrigin } from '../route.ts';

type SignInDeps = Pick<AccountDeps, 'webSessions' | 'proxySignIn'>;

/**
 * Returns the session of a browser; null when nobody is signed in. Where a proxy signs people in, only the person that it
 * names with this request counts: a cookie of somebody else does not.
 */
export async function browserSessionOf(
  { proxiedName, sessionId: id, address }: Pick<RequestOrigin, 'proxiedName' | 'sessionId' | 'address'>,
  { webSessions, proxySignIn }: SignInDeps,
): Promise<BrowserSession | null> {
  if (proxiedName !== null) {
    const proxied = await proxySignIn.find(proxiedName);
    if (proxied === null) return null;
    // A password that must be changed is not used here.
    return { id: proxied.sessionId, user: proxied.user, mustChangePassword: false, stored: null };
  }
  const signedIn = id === null ? null : await webSessions.find(id, address);
  if (id === null || signedIn === null) return null;
  const { user, mustChangePassword, session: stored } = signedIn;
  return { id, user, mustChangePassword, stored };
}

/**
 * Returns true when the user must set up a second factor before anything else. It is not asked of people whom the proxy
 * or an identity provider signs in.
 */
export function lacksSecondFactor(
  { stored }: Pick<BrowserSession, 'stored'>,
  { secondFactors }: Pick<AccountDeps, 'secondFactors'>,
): boolean {
  if (!secondFactors.required || stored === null || stored.identityId !== null) return false;
  return !stored.secondFactor;
}
