import * as client from 'openid-client';
import type { Clock } from '../../domain/ports/clock.ts';
import type { Seal } from '../../domain/ports/seal.ts';
import type { IdentityStore } from '../../domain/ports/stores/identity-store.ts';
import type { SignedIn, WebSessionStore } from '../../domain/ports/stores/web-session-store.ts';
import { AppError } from '../../domain/app-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { isRefusedGrant } from './provider-failure.ts';
import { openGrant, sealGrant } from './provider-grant.ts';
import type { SignOnAccounts } from './sign-on-accounts.ts';
import type { SignOnSettings } from './sign-on-settings.ts';
import { personOf } from './sign-on.ts';

const MINUTE_MS = 60_000;

export interface SessionCheckDeps {
  readonly settings: Pick<SignOnSettings, 'checkMinutes' | 'groupsClaim' | 'absentGroups'>;
  readonly provider: IdentityProvider;
  readonly accounts: Pick<SignOnAccounts, 'refresh' | 'refusedThere'>;
  readonly store: Pick<
    WebSessionStore,
    | 'providerSession'
    | 'claimProviderCheck'
    | 'requireProviderCheck'
    | 'keepSealedGrant'
    | 'sessionsOfUser'
    | 'endSession'
  > &
    Pick<IdentityStore, 'identitiesOfUser'>;
  readonly grants: Seal;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Asks the provider with the refresh token of a session whether its person may still sign in, and for the groups. */
export class SessionCheck {
  readonly #deps: SessionCheckDeps;
  /** Checks that run, by session, so that requests of one page wait for the same one. */
  readonly #running = new Map<string, Promise<boolean>>();

  constructor(deps: SessionCheckDeps) {
    this.#deps = deps;
  }

  /** Checks a session when it is due; false: it has ended. While the provider is away, sessions go on. */
  async isStillIn(found: SignedIn): Promise<boolean> {
    const { hash, checkedAt } = found.session;
    const { settings, clock, store } = this.#deps;
    const running = this.#running.get(hash);
    if (running !== undefined) return running;
    const now = clock.now();
    if (checkedAt === null || now - checkedAt < settings.checkMinutes * MINUTE_MS) return true;
    const check = this.#claimed(found, checkedAt, now);
    this.#running.set(hash, check);
    try {
      const isIn = await check;
      if (!isIn) await store.endSession(hash);
      return isIn;
    } finally {
      this.#running.delete(hash);
    }
  }

  /** Checks unless another gateway does: a refresh token may be valid only once. */
  async #claimed(found: SignedIn, before: number, now: number): Promise<boolean> {
    const { store, settings, logger } = this.#deps;
    const { hash } = found.session;
    if (!(await store.claimProviderCheck(hash, before, now))) return true;
    try {
      return await this.#check(found);
    } catch (error) {
      if (isRefusedGrant(error) || (error instanceof AppError && error.code === 'sign_on_refused')) {
        logger.info({ user_id: found.user.id }, 'the provider ended a session');
        await this.#refused(found);
        return false;
      }
      // Checks again a minute later.
      await store.claimProviderCheck(hash, now, now - (settings.checkMinutes - 1) * MINUTE_MS);
      logger.warn({ user_id: found.user.id, err: error }, 'a session could not be checked at the provider');
      return true;
    }
  }

  /**
   * Checks the other sessions of the person with their next request: a refused token may be one that only expired, or
   * that of a person without access by now. A failure does not keep this session.
   */
  async #refused({ user, session }: SignedIn): Promise<void> {
    const { store, accounts, logger } = this.#deps;
    try {
      const others = (await store.sessionsOfUser(user.id)).filter(
        ({ hash, identityId }) => hash !== session.hash && identityId !== null,
      );
      for (const { hash } of others) await store.requireProviderCheck(hash);
      await accounts.refusedThere(user);
    } catch (error) {
      logger.warn({ user_id: user.id, err: error }, 'the roles of a refused person could not be ended');
    }
  }

  async #check({ user, session }: SignedIn): Promise<boolean> {
    const { store, provider, accounts, grants, settings } = this.#deps;
    const own = await store.providerSession(session.hash);
    const grant = own === null ? null : openGrant(grants, user.id, own.sealedGrant);
    const identity = (await store.identitiesOfUser(user.id)).find(({ id }) => id === session.identityId);
    // The secret key has changed, or the account was disconnected.
    if (grant === null || identity === undefined) return false;
    // Without a refresh token the session has an end of its own.
    if (grant.refreshToken === null) return true;
    const { configuration, verify } = await provider.known();
    if (identity.issuer !== configuration.serverMetadata().issuer) return false;
    const answer = await client.refreshTokenGrant(configuration, grant.refreshToken);
    const refreshToken = answer.refresh_token ?? grant.refreshToken;
    const idToken = answer.id_token ?? grant.idToken;
    // Kept at once: the one before may be used up.
    await store.keepSealedGrant(session.hash, sealGrant(grants, user.id, { refreshToken, idToken }));
    const verified = answer.id_token === undefined ? null : await verify(answer.id_token);
    if (verified !== null && verified.sub !== identity.subject) return false;
    const claims = verified ?? { iss: identity.issuer, sub: identity.subject };
    // Without a new ID token, an absent claim says nothing.
    const rule = verified === null ? ({ ...settings, absentGroups: 'keep' } as const) : settings;
    await accounts.refresh(identity, await personOf(configuration, claims, answer.access_token, rule));
    return true;
  }
}
