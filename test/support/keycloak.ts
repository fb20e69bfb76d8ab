import assert from 'node:assert/strict';

/** Issuer of a Keycloak realm whose people are those of `docs/sign-on.md` in the tests; null: there is none. */
export const KEYCLOAK = process.env.ERRGATE_TEST_KEYCLOAK ?? null;

export const CLIENT = { id: 'errgate', secret: 'errgate-client-secret' } as const;

interface Named {
  readonly id: string;
  readonly path?: string;
}

/** Administration of the realm, which the tests change and put back. */
export class KeycloakAdmin {
  readonly #issuer: URL;

  constructor(issuer: string) {
    this.#issuer = new URL(issuer);
  }

  async #token(): Promise<string> {
    const form = { grant_type: 'password', client_id: 'admin-cli', username: 'admin', password: 'admin' };
    const url = new URL('/realms/master/protocol/openid-connect/token', this.#issuer);
    const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(form) });
    return ((await answer.json()) as { access_token: string }).access_token;
  }

  async #ask<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await fetch(new URL(`/admin${this.#issuer.pathname}${path}`, this.#issuer), {
      method,
      headers: { Authorization: `Bearer ${await this.#token()}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
    return (text === '' ? null : JSON.parse(text)) as T;
  }

  async #user(username: string): Promise<string> {
    const [user] = await this.#ask<Named[]>('GET', `/users?exact=true&username=${username}`);
    assert.ok(user !== undefined, username);
    return user.id;
  }

  /** Makes the groups of a person exactly these, by their paths. */
  async setGroups(username: string, paths: readonly string[]): Promise<void> {
    const id = await this.#user(username);
    for (const group of await this.#ask<Named[]>('GET', `/users/${id}/groups`)) {
      if (!paths.includes(group.path ?? '')) await this.#ask('DELETE', `/users/${id}/groups/${group.id}`);
    }
    for (const path of paths) {
      const group = await this.#ask<Named>('GET', `/group-by-path${path}`);
      await this.#ask('PUT', `/users/${id}/groups/${group.id}`, {});
    }
  }

  async setEnabled(username: string, enabled: boolean): Promise<void> {
    await this.#ask('PUT', `/users/${await this.#user(username)}`, { enabled });
  }

  /** Ends all sessions of a person, of which Keycloak tells its clients. */
  async signOut(username: string): Promise<void> {
    await this.#ask('POST', `/users/${await this.#user(username)}/logout`);
  }

  /** Number of sessions that a person has at Keycloak. */
  async sessions(username: string): Promise<number> {
    return (await this.#ask<Named[]>('GET', `/users/${await this.#user(username)}/sessions`)).length;
  }

  /** Sets where Keycloak tells errgate that a session ended. */
  async setBackChannel(url: string): Promise<void> {
    const [client] = await this.#ask<(Named & { attributes: object })[]>('GET', `/clients?clientId=${CLIENT.id}`);
    assert.ok(client !== undefined);
    const attributes = {
      ...client.attributes,
      'backchannel.logout.url': url,
      'backchannel.logout.session.required': 'true',
    };
    await this.#ask('PUT', `/clients/${client.id}`, { ...client, attributes });
  }
}
