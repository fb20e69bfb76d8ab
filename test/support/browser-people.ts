import assert from 'node:assert/strict';

/** Password of all users after the mandatory change of the first one. */
export const PASSWORD = 'correct horse battery';

export interface Session {
  readonly username: string;
  /** Value of the session cookie. */
  readonly id: string;
  /** Sub-path of the service, which its cookie is limited to. */
  readonly path: string;
}

async function askSession(url: string, method: string, path: string, headers: object, body?: object) {
  const answer = await fetch(`${url}/-/session${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', Origin: new URL(url).origin, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return {
    headers: answer.headers,
    body: JSON.parse(text) as { csrf_token: string; user: { username: string } | null },
  };
}

const cookieOf = ({ id }: Session) => ({ Cookie: `errgate_session=${id}` });

/** Signs in and returns the session with its CSRF token. Each call costs a password check. */
async function signIn(url: string, username: string, password: string) {
  const { headers, body } = await askSession(url, 'POST', '', {}, { username, password });
  const [, id = '', path = ''] =
    /^errgate_session=([\w-]+);.*\bPath=([^;]+)/i.exec(headers.get('Set-Cookie') ?? '') ?? [];
  assert.notEqual(id, '');
  return { session: { username, id, path }, csrfToken: body.csrf_token };
}

/** Replaces the first password, which pages require. */
export async function changeFirstPassword(
  url: string,
  first: { readonly username: string; readonly password: string },
): Promise<void> {
  const { session, csrfToken } = await signIn(url, first.username, first.password);
  const headers = { ...cookieOf(session), 'X-CSRF-Token': csrfToken };
  await askSession(url, 'PUT', '/password', headers, { current_password: first.password, password: PASSWORD });
}

/**
 * Sessions of users with `PASSWORD`. They are reused across tests, because each sign-in needs a slow password check.
 */
export class SignedIn {
  readonly #url: string;
  #free: Session[] = [];
  #used: Session[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  /** Gives a session that no other open page has. */
  async take(username: string): Promise<Session> {
    const session = (await this.#kept(username)) ?? (await signIn(this.#url, username, PASSWORD)).session;
    this.#used.push(session);
    return session;
  }

  /** Makes given sessions available again; call it after their pages were closed. */
  takeBack(): void {
    this.#free.push(...this.#used.splice(0));
  }

  /** Session from an earlier test that is still valid. */
  async #kept(username: string): Promise<Session | null> {
    for (;;) {
      const index = this.#free.findIndex((one) => one.username === username);
      const [session] = index < 0 ? [] : this.#free.splice(index, 1);
      if (session === undefined) return null;
      const { body } = await askSession(this.#url, 'GET', '', cookieOf(session));
      if (body.user?.username === username) return session;
    }
  }
}
