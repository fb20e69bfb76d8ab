import { createRemoteJWKSet, customFetch, jwtVerify, type JWTPayload, type JWTVerifyOptions } from 'jose';
import { LRUCache } from 'lru-cache';
import * as client from 'openid-client';
import type { Clock } from '../../domain/ports/clock.ts';
import { TokenBucket } from '../../lib/token-bucket.ts';
import type { SignOnSettings } from './sign-on-settings.ts';
import { failureOf } from './provider-failure.ts';

/** Milliseconds for which the metadata of a provider are used. Older ones still are while it is away. */
const METADATA_MS = 3_600_000;
/** Seconds until a request to the provider is given up. */
const TIMEOUT_SECONDS = 10;
/** Seconds by which the clocks of provider and service may differ. */
export const CLOCK_TOLERANCE_SECONDS = 300;
/** Fetches of signing keys: each token with an unknown key id causes one, and everybody can send such tokens. */
const KEY_FETCHES = { burst: 5, perMinute: 2 };
/** Asymmetric algorithms; the secret of the client signs nothing. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

export interface KnownProvider {
  readonly configuration: client.Configuration;
  /** Checks the signature, issuer, audience and times of a token for this client. Throws the errors of `jose`. */
  readonly verify: (token: string, options?: JWTVerifyOptions) => Promise<JWTPayload>;
}

export interface IdentityProviderDeps {
  readonly settings: Pick<SignOnSettings, 'issuer' | 'clientId' | 'clientSecret' | 'name'>;
  readonly clock: Clock;
}

/**
 * The provider that the configuration names. Its metadata are read when they are first needed and kept for an hour, so
 * the service starts while it is away.
 */
export class IdentityProvider {
  readonly #deps: IdentityProviderDeps;
  readonly #keyFetches: TokenBucket;
  readonly #known: LRUCache<string, KnownProvider>;
  /** Why the metadata could not be read last. */
  #failure: unknown = null;

  constructor(deps: IdentityProviderDeps) {
    this.#deps = deps;
    this.#keyFetches = new TokenBucket(KEY_FETCHES, deps.clock.now());
    this.#known = new LRUCache<string, KnownProvider>({
      max: 1,
      ttl: METADATA_MS,
      perf: deps.clock,
      allowStaleOnFetchRejection: true,
      fetchMethod: async () => {
        try {
          return await this.#discover();
        } catch (error) {
          this.#failure = error;
          throw error;
        }
      },
    });
  }

  /** Reads the metadata, or returns known ones. Throws `sign_on_unavailable`. */
  async known(): Promise<KnownProvider> {
    const known = await this.#known.fetch(this.#deps.settings.issuer);
    // The cache hides why it could not read them.
    if (known === undefined) throw failureOf(this.#failure, this.#deps.settings.name, 'sign_on_unavailable');
    return known;
  }

  async #discover(): Promise<KnownProvider> {
    const { issuer, clientId, clientSecret } = this.#deps.settings;
    const server = new URL(issuer);
    // The issuer is the operator's setting; a provider of the own network may have no certificate.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the library marks it so that it stands out
    const execute = server.protocol === 'http:' ? [client.allowInsecureRequests] : [];
    const configuration = await client.discovery(
      server,
      clientId,
      { [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
      clientSecret === null ? client.None() : clientAuthentication(clientSecret),
      { execute, timeout: TIMEOUT_SECONDS },
    );
    const { jwks_uri: keysAt, issuer: named } = configuration.serverMetadata();
    if (keysAt === undefined) throw new TypeError('the metadata of the provider name no signing keys (jwks_uri)');
    const keys = createRemoteJWKSet(new URL(keysAt), {
      cooldownDuration: 0,
      [customFetch]: (url, init) => this.#fetchKeys(url, init),
    });
    return {
      configuration,
      verify: async (token, options) => {
        const { payload } = await jwtVerify(token, keys, {
          issuer: named,
          audience: clientId,
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
          algorithms: ALGORITHMS,
          ...options,
        });
        return payload;
      },
    };
  }

  async #fetchKeys(url: string, init: RequestInit): Promise<Response> {
    if (!this.#keyFetches.tryTake(this.#deps.clock.now())) {
      throw new TypeError('signing keys of the provider were fetched too often: wait half a minute');
    }
    return fetch(url, init);
  }
}

/** Sends the secret in the form that the provider names; most know both. */
function clientAuthentication(secret: string): client.ClientAuth {
  const [post, basic] = [client.ClientSecretPost(secret), client.ClientSecretBasic(secret)];
  return (as, ...rest) => {
    const methods = as.token_endpoint_auth_methods_supported;
    const isPost = methods?.includes('client_secret_post') === true;
    (isPost ? post : basic)(as, ...rest);
  };
}
