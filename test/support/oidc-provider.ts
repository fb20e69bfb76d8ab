import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';

type Claims = Readonly<Record<string, unknown>>;

export const PROVIDER_CLIENT = { id: 'errgate', secret: 'the secret of errgate' } as const;

/**
 * Certified OpenID Provider on loopback, whose people are those of a test. It signs the next person in without a form,
 * and without asking for consent.
 */
export class TestProvider {
  /** Account of the next sign-in. */
  next = '';
  readonly people = new Map<string, Claims>();
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** `service`: address of errgate for the browser; `backChannel`: where the provider ends sessions. */
  static async start(service: string, backChannel: string): Promise<TestProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const test = new TestProvider(server);
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const provider = new Provider(test.url, {
      ...{ jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'one' }] } },
      clients: [
        {
          ...{ client_id: PROVIDER_CLIENT.id, client_secret: PROVIDER_CLIENT.secret, response_types: ['code'] },
          grant_types: ['authorization_code', 'refresh_token'],
          redirect_uris: [`${service}/users/auth/oidc/callback`],
          post_logout_redirect_uris: [`${service}/users/sign_in`],
          backchannel_logout_uri: backChannel,
          backchannel_logout_session_required: true,
        },
      ],
      claims: {
        openid: ['sub'],
        profile: ['name', 'preferred_username', 'groups'],
        email: ['email', 'email_verified'],
      },
      pkce: { required: () => true },
      ttl: { Interaction: 60, Session: 600, Grant: 600, AccessToken: 300, RefreshToken: 600, IdToken: 300 },
      // Its own one refuses addresses of this machine.
      fetch(url, init) {
        const { dispatcher: _dispatcher, ...plain } = (init ?? {}) as RequestInit & { readonly dispatcher?: unknown };
        return fetch(url, plain);
      },
      cookies: { keys: ['a key of the test'] },
      features: {
        devInteractions: { enabled: false },
        backchannelLogout: { enabled: true },
        rpInitiatedLogout: { enabled: true },
      },
      interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
      issueRefreshToken: () => Promise.resolve(true),
      findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub, ...test.people.get(sub) }) }),
      async loadExistingGrant(ctx) {
        const { Grant } = ctx.oidc.provider;
        const grant = new Grant({
          clientId: ctx.oidc.client?.clientId ?? '',
          accountId: ctx.oidc.session?.accountId ?? '',
        });
        grant.addOIDCScope('openid profile email offline_access');
        await grant.save();
        return grant;
      },
    } satisfies Configuration);
    const answer = provider.callback();
    server.on('request', (request, response) => {
      if (request.url?.startsWith('/interaction/') !== true) {
        void answer(request, response);
        return;
      }
      void provider.interactionFinished(request, response, { login: { accountId: test.next } });
    });
    return test;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Browser at the provider, with its cookies. */
export class ProviderBrowser {
  readonly #cookies = new Map<string, string>();

  /** Follows redirects of the provider until one leads elsewhere, or a page is shown. */
  async follow(
    url: string,
    init: Omit<RequestInit, 'headers'> = {},
  ): Promise<{ readonly url: string; readonly text: string | null }> {
    let at = new URL(url);
    for (let hops = 0, next = init; hops < 10; hops += 1, next = {}) {
      const cookies = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(at, { ...next, redirect: 'manual', headers: { Cookie: cookies } });
      for (const cookie of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        this.#cookies.set(name, value);
      }
      const location = answer.headers.get('Location');
      if (location === null) return { url: at.href, text: await answer.text() };
      const to = new URL(location, at);
      if (to.origin !== at.origin) return { url: to.href, text: null };
      at = to;
    }
    throw new Error(`too many redirects: ${at.href}`);
  }
}
