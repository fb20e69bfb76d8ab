import { LRUCache } from 'lru-cache';
import * as client from 'openid-client';
import type { JWTPayload } from 'jose';
import type { Seal } from '../../domain/ports/seal.ts';
import type { IdentityStore } from '../../domain/ports/stores/identity-store.ts';
import type { WebSession, WebSessionStore } from '../../domain/ports/stores/web-session-store.ts';
import type { User } from '../../domain/projects/account.ts';
import type { Logger } from '../../observability/logger.ts';
import { grownTo } from '../../lib/grown-to.ts';
import { CLOCK_TOLERANCE_SECONDS, type IdentityProvider } from './identity-provider.ts';
import { failureOf } from './provider-failure.ts';
import { openGrant } from './provider-grant.ts';
import { failed } from './sign-on-errors.ts';
import type { SignOnSettings } from './sign-on-settings.ts';

/** Member of `events` that makes a token one for signing out (OpenID Connect Back-Channel Logout 1.0). */
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Seconds after which a logout token is too old. */
const MAX_TOKEN_AGE_SECONDS = 300;
/** Maximum logout tokens that are remembered against replays; forgets the least recently seen. */
const MAX_TOKENS = 10_000;
const MAX_TOKEN_LENGTH = 16_384;

/** Hashes of sessions here. */
interface NamedSessions {
  readonly ended: readonly string[];
  readonly others: readonly string[];
}

export interface ProviderSignOutDeps {
  readonly settings: Pick<SignOnSettings, 'name'>;
  readonly provider: IdentityProvider;
  readonly store: Pick<
    WebSessionStore,
    'providerSession' | 'sessionsOfIdentity' | 'sessionsOfProvider' | 'endSession' | 'requireProviderCheck'
  > &
    Pick<IdentityStore, 'identityOf'>;
  readonly grants: Seal;
  readonly externalUrl: () => string;
  readonly logger: Logger;
}

/** Sign-out at the provider, in both directions. */
export class ProviderSignOut {
  readonly #deps: ProviderSignOutDeps;
  readonly #seen = new LRUCache<string, true>({
    ...grownTo(MAX_TOKENS),
    ttl: (MAX_TOKEN_AGE_SECONDS + 2 * CLOCK_TOLERANCE_SECONDS) * 1000,
  });

  constructor(deps: ProviderSignOutDeps) {
    this.#deps = deps;
  }

  /** Returns where the browser ends the session at the provider; null where it cannot. Call it before the session ends. */
  async urlFor(user: Pick<User, 'id'>, session: WebSession | null): Promise<string | null> {
    if (session === null || session.identityId === null) return null;
    const { store, provider, grants, externalUrl } = this.#deps;
    const own = await store.providerSession(session.hash);
    const idToken = own === null ? null : (openGrant(grants, user.id, own.sealedGrant)?.idToken ?? null);
    // The sign-out here does not wait for a provider that is away.
    const known = await provider.known().catch(() => null);
    if (known?.configuration.serverMetadata().end_session_endpoint === undefined) return null;
    const url = client.buildEndSessionUrl(known.configuration, {
      post_logout_redirect_uri: `${externalUrl()}/users/sign_in`,
      ...(idToken !== null && { id_token_hint: idToken }),
    });
    return url.href;
  }

  /** Ends the sessions that a logout token of the provider names. Throws `sign_on_failed` and `sign_on_unavailable`. */
  async end(token: string): Promise<void> {
    const { settings, provider, store, logger } = this.#deps;
    if (token.length > MAX_TOKEN_LENGTH) throw failed('The logout token is too long.');
    const { verify } = await provider.known();
    const payload = await verify(token, {
      maxTokenAge: MAX_TOKEN_AGE_SECONDS,
      requiredClaims: ['iat', 'jti', 'events'],
    }).catch((error: unknown) => {
      throw failureOf(error, settings.name);
    });
    const { ended, others } = await this.#sessionsOf(payload);
    if (this.#seen.has(String(payload.jti))) throw failed('The logout token was used before.');
    for (const hash of ended) await store.endSession(hash);
    for (const hash of others) await store.requireProviderCheck(hash);
    // Last: the provider repeats the token when the store has failed.
    this.#seen.set(String(payload.jti), true);
    logger.info({ sessions: ended.length }, 'the provider ended sessions');
  }

  /**
   * Returns the sessions that a token names, and others of the person. Keycloak names one session when it ends all of
   * them, so the others are checked.
   */
  async #sessionsOf({ iss, sub, sid, nonce, events }: JWTPayload): Promise<NamedSessions> {
    const { store } = this.#deps;
    const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, LOGOUT_EVENT);
    if (!isLogout || nonce !== undefined) throw failed('The token is not a logout token.');
    const session = typeof sid === 'string' ? sid : null;
    if (sub === undefined && session === null) throw failed('The logout token names neither a person nor a session.');
    const identity = sub === undefined ? null : await store.identityOf(iss ?? '', sub);
    const own = identity === null ? [] : await store.sessionsOfIdentity(identity.id, identity.userId);
    if (session === null) return { ended: own, others: [] };
    const ended = (await store.sessionsOfProvider(session))
      .filter(({ identityId }) => sub === undefined || identityId === identity?.id)
      .map(({ hash }) => hash);
    return { ended, others: own.filter((hash) => !ended.includes(hash)) };
  }
}
