import type { User } from '../../src/domain/projects/account.ts';
import { createWebSessions } from '../../src/auth/web-sessions.ts';
import { SESSION_LIMITS, type RunningApp } from './app.ts';

/** Gives an application an identity provider that signs one person in, whatever the browser brings. */
export function useStandInSignOn({ deps, store, clock }: RunningApp, user: User): void {
  deps.webSessions = createWebSessions({ store, clock, limits: SESSION_LIMITS, check: async () => true });
  deps.signOn = {
    flow: {
      name: 'Acme',
      begin: async () => ({ url: 'https://sso.test/authorize', sealed: 'x' }),
      finish: async () => ({
        credentials: { user, epoch: (await store.credentials(user.username))?.epoch ?? 0 },
        provider: { identityId: 1, providerSession: null, sealedGrant: 'x', maxMs: null },
        issuer: 'https://sso.test',
        returnTo: null,
        email: null,
      }),
    },
    signOut: { urlFor: async () => 'https://sso.test/end', end: async () => undefined },
  };
}
