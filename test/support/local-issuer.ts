import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';

type Claims = Readonly<Record<string, unknown>>;

/** Person at the issuer. `idToken` and `userInfo`: claims of each document. */
export interface IssuerPerson {
  readonly sub: string;
  readonly idToken?: Claims;
  /** Default: the same as `idToken`. */
  readonly userInfo?: Claims;
}

let people = 0;

/** Makes a person with a verified address, who is unlike all others. */
export function makePerson(claims: Claims = {}): IssuerPerson {
  people += 1;
  const name = `p${people}`;
  const own = { preferred_username: name, name: `Person ${people}`, email: `${name}@shop.test`, email_verified: true };
  return { sub: `subject-${people}`, idToken: { ...own, ...claims } };
}

/** What the issuer does wrong in the next token; absent: nothing. */
export interface Forgery {
  readonly claims?: Claims;
  /** `none`: without a signature. `stranger`: by a key that is not published. */
  readonly signed?: 'none' | 'stranger' | 'client-secret';
  /** Seconds that the clock of the issuer is ahead. */
  readonly aheadSeconds?: number;
  /** Changed query of the answer to the browser. */
  readonly answer?: (query: URLSearchParams) => void;
}

interface Granted {
  readonly person: IssuerPerson;
  readonly nonce: string | null;
  readonly challenge: string;
  readonly redirectUri: string;
  readonly forgery: Forgery;
}

interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

async function makeKey(): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const kid = randomUUID();
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, use: 'sig', alg: 'ES256' } };
}

const CLIENT = { id: 'errgate', secret: 'the secret of errgate' } as const;

/** OpenID Connect issuer on loopback that answers for people of a test, and forges what a test asks for. */
export class LocalIssuer {
  readonly client = CLIENT;
  /** Requests by path. */
  readonly asked = new Map<string, number>();
  /** People whose refresh tokens are refused. */
  readonly gone = new Set<string>();
  /** Answers with this status instead; null: works. */
  failing: number | null = null;
  refreshTokens = true;
  /** True: a refused client gets the header `WWW-Authenticate`, as from some providers. */
  challenges = false;
  #server: Server;
  #key: SigningKey;
  #stranger: SigningKey;
  readonly #codes = new Map<string, Granted>();
  readonly #people = new Map<string, IssuerPerson>();
  readonly #refreshes = new Map<string, IssuerPerson>();

  private constructor(server: Server, key: SigningKey, stranger: SigningKey) {
    this.#server = server;
    this.#key = key;
    this.#stranger = stranger;
  }

  static async start(): Promise<LocalIssuer> {
    const server = createServer();
    const issuer = new LocalIssuer(server, await makeKey(), await makeKey());
    server.on('request', (request, response) => {
      issuer.#answer(request, response).catch((error: unknown) => {
        response.writeHead(500).end(String(error));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return issuer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Publishes and uses another key from now on. */
  async rotate(): Promise<void> {
    this.#key = await makeKey();
  }

  /** Lets a person sign in. `url`: where the browser was sent. Returns where it is sent back. */
  approve(url: string, person: IssuerPerson, forgery: Forgery = {}): URL {
    const { searchParams: query } = new URL(url);
    assert.equal(query.get('code_challenge_method'), 'S256');
    assert.equal(query.get('response_type'), 'code');
    const redirectUri = query.get('redirect_uri') ?? '';
    const code = randomUUID();
    const challenge = query.get('code_challenge') ?? '';
    this.#codes.set(code, { person, nonce: query.get('nonce'), challenge, redirectUri, forgery });
    const back = new URL(redirectUri);
    back.searchParams.set('code', code);
    back.searchParams.set('state', query.get('state') ?? '');
    back.searchParams.set('iss', this.url);
    forgery.answer?.(back.searchParams);
    return back;
  }

  /** Changes what the issuer says about a person from now on. */
  change(person: IssuerPerson): void {
    for (const [token, { sub }] of this.#refreshes) if (sub === person.sub) this.#refreshes.set(token, person);
  }

  /** Makes a logout token for the back channel. */
  logoutToken(claims: Claims, forgery: Forgery = {}): Promise<string> {
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    return this.#sign({ jti: randomUUID(), events, ...claims }, forgery);
  }

  #sign(claims: Claims, { claims: wrong = {}, signed, aheadSeconds = 0 }: Forgery): Promise<string> {
    const now = Math.floor(Date.now() / 1000) + aheadSeconds;
    const times = { iat: now, exp: now + 120 };
    const payload = { iss: this.url, aud: CLIENT.id, ...times, ...claims, ...wrong } as JWTPayload;
    if (signed === 'none') return Promise.resolve(new UnsecuredJWT(payload).encode());
    if (signed === 'client-secret') {
      return new SignJWT(payload).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(CLIENT.secret));
    }
    const key = signed === 'stranger' ? this.#stranger : this.#key;
    return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: key.kid }).sign(key.privateKey);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', this.url).pathname;
    this.asked.set(path, (this.asked.get(path) ?? 0) + 1);
    if (this.failing !== null) {
      response.writeHead(this.failing, { 'Content-Type': 'text/html' }).end('<h1>away</h1>');
      return;
    }
    const [status, body] = await this.#bodyOf(path, request);
    const challenge = status === 401 && this.challenges ? { 'WWW-Authenticate': 'Basic realm="clients"' } : {};
    response.writeHead(status, { 'Content-Type': 'application/json', ...challenge }).end(JSON.stringify(body));
  }

  async #bodyOf(path: string, request: IncomingMessage): Promise<readonly [number, unknown]> {
    const { url } = this;
    if (path === '/.well-known/openid-configuration') {
      const at = (name: string) => `${url}/${name}`;
      return [
        200,
        {
          ...{ issuer: url, authorization_endpoint: at('authorize'), token_endpoint: at('token') },
          ...{ jwks_uri: at('keys'), userinfo_endpoint: at('userinfo'), end_session_endpoint: at('end') },
          ...{ id_token_signing_alg_values_supported: ['ES256'], response_types_supported: ['code'] },
          ...{ authorization_response_iss_parameter_supported: true, subject_types_supported: ['public'] },
        },
      ];
    }
    if (path === '/keys') return [200, { keys: [this.#key.jwk] }];
    if (path === '/userinfo') return this.#userInfo(request);
    if (path !== '/token') return [404, { error: 'not_found' }];
    const form = new URLSearchParams(await bodyOf(request));
    const basic = `Basic ${Buffer.from(`${CLIENT.id}:${encodeURIComponent(CLIENT.secret).replaceAll('%20', '+')}`).toString('base64')}`;
    if (request.headers.authorization !== basic) return [401, { error: 'invalid_client' }];
    return form.get('grant_type') === 'refresh_token' ? this.#refresh(form) : this.#redeem(form);
  }

  #userInfo(request: IncomingMessage): readonly [number, unknown] {
    const person = this.#people.get(request.headers.authorization ?? '');
    if (person === undefined) return [401, { error: 'invalid_token' }];
    return [200, { sub: person.sub, ...(person.userInfo ?? person.idToken) }];
  }

  async #redeem(form: URLSearchParams): Promise<readonly [number, unknown]> {
    const granted = this.#codes.get(form.get('code') ?? '');
    this.#codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight = granted?.challenge === challenge && granted.redirectUri === form.get('redirect_uri');
    if (granted === undefined || !isRight) return [400, { error: 'invalid_grant' }];
    return [200, await this.#tokensOf(granted.person, granted.nonce, granted.forgery)];
  }

  async #refresh(form: URLSearchParams): Promise<readonly [number, unknown]> {
    const token = form.get('refresh_token') ?? '';
    const person = this.#refreshes.get(token);
    this.#refreshes.delete(token);
    if (person === undefined || this.gone.has(person.sub)) return [400, { error: 'invalid_grant' }];
    return [200, await this.#tokensOf(person, null, {})];
  }

  async #tokensOf(person: IssuerPerson, nonce: string | null, forgery: Forgery): Promise<Claims> {
    const accessToken = randomUUID();
    this.#people.set(`Bearer ${accessToken}`, person);
    const refresh = randomUUID();
    this.#refreshes.set(refresh, person);
    const sid = `session of ${person.sub}`;
    const claims = { sub: person.sub, sid, ...person.idToken, ...(nonce !== null && { nonce }) };
    return {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: 300,
      id_token: await this.#sign(claims, forgery),
      ...(this.refreshTokens && { refresh_token: refresh }),
    };
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
