import * as client from 'openid-client';
import type { Clock } from '../../domain/ports/clock.ts';
import type { Seal } from '../../domain/ports/seal.ts';
import type { Credentials, ProviderSession, WebSessionStore } from '../../domain/ports/stores/web-session-store.ts';
import type { User } from '../../domain/projects/account.ts';
import type { Logger } from '../../observability/logger.ts';
import { openBegun, sealBegun, SIGN_ON_MS } from './begun-sign-on.ts';
import { readClaims, type PersonClaims } from './claims.ts';
import type { IdentityProvider, KnownProvider } from './identity-provider.ts';
import { failureOf } from './provider-failure.ts';
import { sealGrant, type ProviderGrant } from './provider-grant.ts';
import type { SignOnAccounts } from './sign-on-accounts.ts';
import { failed, refused } from './sign-on-errors.ts';
import { CALLBACK_PATH, type SignOnSettings } from './sign-on-settings.ts';

const HOUR_MS = 3_600_000;

export interface BegunAtProvider {
  /** Address of the provider for the browser. */
  readonly url: string;
  /** Value of the cookie that the callback needs. */
  readonly sealed: string;
}

export interface SignedOn {
  readonly credentials: Pick<Credentials, 'user' | 'epoch'>;
  /** `maxMs`: milliseconds after which the session ends; null: no limit of its own. */
  readonly provider: ProviderSession & { readonly maxMs: number | null };
  readonly issuer: string;
  /** Address that the provider has verified; null: none. */
  readonly email: string | null;
  /** Unchecked path of the service to return to; null: none. */
  readonly returnTo: string | null;
}

export interface SignOnDeps {
  readonly settings: SignOnSettings;
  readonly provider: IdentityProvider;
  readonly accounts: Pick<SignOnAccounts, 'arrive'>;
  readonly store: Pick<WebSessionStore, 'credentials'>;
  /** For the cookie. */
  readonly cookies: Seal;
  /** For tokens in the store; the owner is the user. */
  readonly grants: Seal;
  readonly externalUrl: () => string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Sign-in by the authorization code flow, with PKCE, state and nonce. */
export class SignOn {
  readonly #deps: SignOnDeps;

  constructor(deps: SignOnDeps) {
    this.#deps = deps;
  }

  get name(): string {
    return this.#deps.settings.name;
  }

  /**
   * Begins a sign-in. Throws `sign_on_unavailable`. `connects`: user who adds the account of the provider to the own one.
   */
  async begin(returnTo: string | null, connects: number | null = null): Promise<BegunAtProvider> {
    const { settings, provider, cookies, clock } = this.#deps;
    const { configuration } = await provider.known();
    const state = client.randomState();
    const nonce = client.randomNonce();
    const verifier = client.randomPKCECodeVerifier();
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#callback(''),
      scope: settings.scopes,
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const endsAt = clock.now() + SIGN_ON_MS;
    return { url: url.href, sealed: sealBegun(cookies, { state, nonce, verifier, returnTo, connects, endsAt }) };
  }

  /**
   * Finishes a sign-in. `search`: query of the callback with its `?`. `signedIn`: user of the browser's session, who
   * must be the one that connects an account, or that signs in again; null: none. Throws `sign_on_failed`,
   * `sign_on_refused` and `sign_on_unavailable`.
   */
  async finish(
    search: string,
    sealed: string | null,
    signedIn: Pick<User, 'id' | 'username'> | null,
  ): Promise<SignedOn> {
    const { settings, accounts, store, clock, cookies, grants, logger } = this.#deps;
    const begun = openBegun(cookies, sealed, clock.now());
    if (begun === null) {
      throw failed('The sign-in took longer than ten minutes, or began in another browser. Sign in again.');
    }
    if (begun.connects !== null && begun.connects !== signedIn?.id) {
      throw failed('You have signed out since you began to connect the account. Sign in, and begin again.');
    }
    const known = await this.#deps.provider.known();
    const { claims, session, grant } = await this.#redeem(known, search, begun).catch((error: unknown) => {
      const failure = failureOf(error, settings.name);
      logger.warn({ err: failure.cause ?? failure }, 'a sign-in at the provider failed');
      throw failure;
    });
    const { user, identity } = await accounts.arrive(claims, begun.connects);
    // A link of another site leads here too: it must not exchange the person of the browser.
    if (signedIn !== null && signedIn.id !== user.id) {
      throw refused(`You are signed in as ${signedIn.username}. Sign out first, then sign in as ${user.username}.`);
    }
    const credentials = await store.credentials(user.username);
    if (credentials === null) throw failed('The account was removed during the sign-in.');
    logger.info({ user_id: user.id, identity_id: identity.id }, 'a person signed in at the provider');
    return {
      credentials,
      provider: {
        identityId: identity.id,
        providerSession: session,
        sealedGrant: sealGrant(grants, user.id, grant),
        maxMs: grant.refreshToken === null ? settings.sessionHours * HOUR_MS : null,
      },
      returnTo: begun.returnTo,
      issuer: claims.issuer,
      email: claims.email,
    };
  }

  async #redeem(
    { configuration, verify }: KnownProvider,
    search: string,
    { state, nonce, verifier }: { readonly state: string; readonly nonce: string; readonly verifier: string },
  ): Promise<{ claims: PersonClaims; session: string | null; grant: ProviderGrant }> {
    const answer = await client.authorizationCodeGrant(configuration, new URL(this.#callback(search)), {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    const idToken = answer.id_token ?? '';
    const verified = await verify(idToken);
    const claims = await personOf(configuration, verified, answer.access_token, this.#deps.settings);
    const session = typeof verified.sid === 'string' ? verified.sid : null;
    return { claims, session, grant: { refreshToken: answer.refresh_token ?? null, idToken } };
  }

  /** Built from the external address: behind a proxy, the address of the request may be another one. */
  #callback(search: string): string {
    return `${this.#deps.externalUrl()}${CALLBACK_PATH}${search}`;
  }
}

/** Returns what a verified ID token and the userinfo endpoint say about a person. */
export async function personOf(
  configuration: client.Configuration,
  idToken: Readonly<Record<string, unknown>>,
  accessToken: string,
  { groupsClaim, absentGroups }: Pick<SignOnSettings, 'groupsClaim' | 'absentGroups'>,
): Promise<PersonClaims> {
  const metadata = configuration.serverMetadata();
  const hasUserInfo = metadata.userinfo_endpoint !== undefined;
  // Keycloak leaves out the claim of a person without any group.
  const isKeycloak = metadata.authorization_endpoint?.endsWith('/protocol/openid-connect/auth') === true;
  const absentIsNone = absentGroups === 'none' || (absentGroups === 'auto' && isKeycloak);
  const userInfo = hasUserInfo ? await client.fetchUserInfo(configuration, accessToken, String(idToken.sub)) : null;
  return readClaims(idToken, userInfo, { groupsClaim, absentIsNone });
}
