import { randomBytes } from 'node:crypto';
import type { SignOnSettings } from '../../src/auth/sign-on/sign-on-settings.ts';
import { createWebSessions } from '../../src/auth/web-sessions.ts';
import { createSignOnSide } from '../../src/compose/sign-on.ts';
import { createSeal } from '../../src/thirdparty/secrets/encrypted-token.ts';
import { SESSION_LIMITS, startApp, type Answer, type RunningApp } from './app.ts';
import type { LocalIssuer, Forgery, IssuerPerson } from './local-issuer.ts';
import type { StoreKind } from './test-stores.ts';

/** External address of the application in these tests, with a sub-path. */
export const EXTERNAL = 'https://errors.example.test/deep';

/** Browser with its cookies. */
export class TestBrowser {
  readonly #app: RunningApp;
  readonly cookies = new Map<string, string>();

  constructor(app: RunningApp) {
    this.#app = app;
  }

  async ask(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: object,
  ): Promise<Answer> {
    const sent = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await this.#app.ask(method, path, {
      headers: { Cookie: sent, ...headers },
      ...(body !== undefined && { body }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (cookie.includes('Max-Age=0')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }

  /** Follows the button of the sign-in page. Returns the address of the provider. */
  async begin(returnTo?: string): Promise<string> {
    const query = returnTo === undefined ? '' : `?return_to=${encodeURIComponent(returnTo)}`;
    const answer = await this.ask('GET', `/users/auth/oidc${query}`);
    const location = answer.headers.get('Location');
    if (answer.status !== 303 || location === null) throw new Error(`no way to the provider: ${answer.text}`);
    return location;
  }

  /** Opens the address to which the provider sends the browser back. */
  back(url: URL): Promise<Answer> {
    return this.ask('GET', url.href.replace(EXTERNAL, ''));
  }

  async signIn(username: string, password: string): Promise<void> {
    const answer = await this.#app.ask('POST', '/-/session', { body: { username, password } });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.cookies.set(name, value);
    }
  }

  async session(): Promise<{ user: { id: number; username: string; admin: boolean } | null; csrf_token: string }> {
    return (await this.ask('GET', '/-/session')).json();
  }
}

export interface SignOnWorld {
  readonly app: RunningApp;
  browser(): TestBrowser;
  /** Signs a person in with a new browser. */
  signIn(person: IssuerPerson, forgery?: Forgery): Promise<{ readonly browser: TestBrowser; readonly answer: Answer }>;
  /** Changes settings for later requests, as a restart would. */
  configure(settings: Partial<SignOnSettings>): void;
}

/** Starts the application with an issuer. Its clock is the real one, ahead by what a test adds. */
export async function startSignOn(
  kind: StoreKind,
  issuer: Pick<LocalIssuer, 'url'> & { readonly client: { readonly id: string; readonly secret: string } } & Partial<
      Pick<LocalIssuer, 'approve'>
    >,
  first: Partial<SignOnSettings> = {},
): Promise<SignOnWorld> {
  const app = await startApp(kind);
  app.clock.at = Date.now();
  app.deps.externalUrl = () => EXTERNAL;
  const ring = [{ id: '0'.repeat(12), bytes: randomBytes(32) }];
  const configure = (changed: Partial<SignOnSettings>): void => {
    const settings: SignOnSettings = {
      ...{ issuer: issuer.url, clientId: issuer.client.id, clientSecret: issuer.client.secret, name: 'Acme' },
      ...{
        scopes: 'openid profile email',
        groupsClaim: 'groups',
        absentGroups: 'auto',
        adminGroup: null,
        groupRoles: [],
      },
      ...{ createAccounts: true, emailDomains: [], checkMinutes: 15, sessionHours: 24 },
      ...first,
      ...changed,
    };
    const { store, clock, deps } = app;
    const side = createSignOnSide(settings, {
      ...{ store, clock, auditTrail: deps.auditTrail, logger: deps.logger, externalUrl: () => deps.externalUrl() },
      cookies: createSeal(() => ring, 'sign-in cookie'),
      grants: createSeal(() => ring, 'refresh token'),
    });
    deps.signOn = side;
    const check = side.check.isStillIn.bind(side.check);
    deps.webSessions = createWebSessions({ store, clock, limits: SESSION_LIMITS, check });
  };
  configure({});
  const browser = () => new TestBrowser(app);
  return {
    app,
    browser,
    configure,
    async signIn(person, forgery) {
      const own = browser();
      if (issuer.approve === undefined) throw new TypeError('this provider signs people in itself');
      const answer = await own.back(issuer.approve(await own.begin(), person, forgery));
      return { browser: own, answer };
    },
  };
}
