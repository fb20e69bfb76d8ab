import assert from 'node:assert/strict';
import { hashSessionId } from '../../../src/auth/session-id.ts';
import type { User } from '../../../src/domain/projects/account.ts';
import { givenSession, headersOf, type BrowserHeaders } from '../../support/browser-session.ts';
import { SESSION_LIMITS, startApp, type Answer, type RunningApp } from '../../support/app.ts';
import { givenMember, givenPassword, givenPerson, givenProject, givenToken } from '../../support/factories.ts';
import { eventually } from '../../support/service-process.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const PASSWORD = 'correct horse';
const JSON_TYPE = { 'Content-Type': 'application/json' };

describeOnStores('signing in with a browser', (kind) => {
  let app: RunningApp;
  let user: User;

  before(async () => {
    app = await startApp(kind);
  });
  after(() => app.close());
  beforeEach(async () => {
    user = await givenPassword(app.store, PASSWORD);
    app.deps.externalUrl = () => 'https://errors.example.test/deep';
    // Allowances of the tests before are over.
    app.clock.at += 3_600_000;
  });

  const post = (body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    app.ask('POST', '/-/session', { body, headers });
  const signIn = (password = PASSWORD): Promise<Answer> => post({ username: user.username, password });
  const ask = (method: string, path: string, headers: BrowserHeaders | Record<string, string>, body?: unknown) =>
    app.ask(method, path, { headers: { ...headers }, ...(body === undefined ? {} : { body }) });
  const userOf = async (headers: BrowserHeaders) => (await ask('GET', '/-/session', headers)).json().user;

  it('answers every client with its user, or none', async () => {
    const answer = await app.get('/-/session');
    assert.deepEqual(answer.json(), {
      user: null,
      csrf_token: null,
      must_change_password: false,
      must_set_up_second_factor: false,
      second_factor_challenge: null,
      may_postpone: false,
      proxy: null,
      version: '1.2.3',
      external_url: 'https://errors.example.test/deep',
      password_sign_in: true,
      sign_in_with: null,
      own_password: false,
      integrated_offered: true,
    });
    assert.equal(answer.headers.get('Cache-Control'), 'no-store');
  });

  it('answers the user of a token, which needs no protection against forged requests', async () => {
    const { user: owner, token } = await givenPerson(app.store);
    const { user: shown, csrf_token: csrf } = (await app.get('/-/session', token)).json();
    assert.deepEqual([shown.id, csrf], [owner.id, null]);
    assert.equal((await app.get('/-/session', 'glpat-wrong')).status, 401);
    const { text: buildToken } = await givenToken(app.store, owner, ['ci']);
    const refused = await app.get('/-/session', buildToken);
    assert.deepEqual([refused.status, refused.text.includes(owner.username)], [403, false], 'as /api/v4/user');
  });

  it('accepts the right password, with the username in any case, and sets a cookie for this path only', async () => {
    const answer = await post({ username: user.username.toUpperCase(), password: PASSWORD });
    assert.equal(answer.status, 200, answer.text);
    const { id, username, name } = user;
    assert.deepEqual(answer.json().user, { id, username, name, admin: false });
    const [session = '', browser = ''] = answer.headers.getSetCookie();
    const attributes = '; Path=/deep; HttpOnly; SameSite=Lax; Secure';
    assert.match(session, /^errgate_session=[\w-]{43}; Max-Age=604800;/);
    assert.match(browser, /^errgate_browser=[\w.-]{75,}; Max-Age=15552000;/);
    for (const cookie of [session, browser]) assert.ok(cookie.endsWith(attributes), cookie);
    const headers = headersOf(answer);
    assert.deepEqual((await ask('GET', '/-/session', headers)).json(), answer.json());
    assert.equal((await ask('GET', '/api/v4/user', headers)).json().username, username);
    assert.ok(!JSON.stringify(app.log).includes(headers.Cookie.slice(16)));
  });

  it('sets no Secure cookie for an address without TLS', async () => {
    app.deps.externalUrl = () => 'http://localhost:8080';
    for (const cookie of (await signIn()).headers.getSetCookie()) {
      assert.match(cookie, /; Path=\/; HttpOnly; SameSite=Lax$/);
    }
  });

  it('keeps only a hash of the session', async () => {
    const { Cookie } = headersOf(await signIn());
    const id = Cookie.slice('errgate_session='.length);
    assert.equal(await app.store.sessionByHash(Buffer.from(id).toString('hex')), null);
    assert.equal(await app.deps.webSessions.find(`${id.slice(0, -1)}_`, null), null);
  });

  it('refuses wrong passwords, unknown users and blocked users in the same way', async () => {
    const blocked = await givenPassword(app.store, PASSWORD);
    await app.store.setUserBlocked(blocked.id, true);
    const attempts = [
      { username: user.username, password: 'wrong' },
      { username: 'nobody', password: PASSWORD },
      { username: blocked.username, password: PASSWORD },
      { username: user.username, password: 'x'.repeat(1000) },
    ];
    for (const attempt of attempts) {
      const answer = await post(attempt);
      assert.deepEqual(
        [answer.status, answer.json(), answer.headers.get('Set-Cookie')],
        [401, { message: 'Invalid username or password.' }, null],
      );
    }
  });

  it('refuses requests of other sites, and everything except JSON', async () => {
    const credentials = { username: user.username, password: PASSWORD };
    for (const headers of [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
    ]) {
      const answer = await post(credentials, headers);
      assert.equal(answer.status, 403);
      assert.equal(answer.json().code, 'cross_site_request');
    }
    for (const headers of [
      { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://errors.example.test' },
      { Origin: app.url },
    ]) {
      assert.equal((await post(credentials, headers)).status, 200);
    }
    const form = new URLSearchParams(credentials);
    assert.equal((await post(form)).status, 415);
    const text = JSON.stringify(credentials);
    assert.equal((await post(text, { 'Content-Type': 'text/plain' })).status, 415);
    assert.equal((await post(text, { 'Content-Type': 'application/json; charset=utf-8' })).status, 200);
    const inQuery = await app.ask('POST', `/-/session?${form.toString()}`, { body: {} });
    assert.equal(inQuery.json().error, 'username is missing, password is missing');
  });

  it('slows guessing down per username and address, and resets after the right password', async () => {
    for (let attempt = 1; attempt <= 10; attempt += 1) assert.equal((await signIn('wrong')).status, 401);
    const refused = await signIn();
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get('Retry-After'), '30');
    app.clock.at += 30_000;
    assert.equal((await signIn()).status, 200);
    const others = await Promise.all(Array.from({ length: 5 }, () => givenPassword(app.store, PASSWORD)));
    const names = others.flatMap(({ username }) => Array.from({ length: 9 }, () => username));
    const attempts = await Promise.all(names.map((username) => post({ username, password: 'wrong' })));
    assert.deepEqual([...new Set(attempts.map(({ status }) => status))].sort(), [401, 429]);
    const other = await givenPassword(app.store, PASSWORD);
    assert.equal((await post({ username: other.username, password: PASSWORD })).status, 429);
  });

  it('ends with sign-out, and with sign-out everywhere', async () => {
    const [one, two, three] = [headersOf(await signIn()), headersOf(await signIn()), headersOf(await signIn())];
    const out = await ask('DELETE', '/-/session', one);
    assert.equal(out.status, 204);
    assert.match(out.headers.get('Set-Cookie') ?? '', /^errgate_session=; Max-Age=0; Path=\/deep;/);
    assert.equal(await userOf(one), null);
    assert.equal((await ask('DELETE', '/-/session', one)).status, 401);
    assert.equal((await userOf(two)).id, user.id);
    assert.equal((await ask('DELETE', '/-/sessions', two)).status, 204);
    assert.deepEqual([await userOf(two), await userOf(three)], [null, null]);
  });

  it('ends the former session of the browser', async () => {
    const before = headersOf(await signIn());
    await post({ username: user.username, password: PASSWORD }, { Cookie: before.Cookie });
    assert.equal(await userOf(before), null);
  });

  it('ends when it is not used, and at its end time even when it is used', async () => {
    const idle = headersOf(await signIn());
    app.clock.at += SESSION_LIMITS.idleMs - 1;
    assert.notEqual(await userOf(idle), null);
    app.clock.at += SESSION_LIMITS.idleMs;
    assert.equal(await userOf(idle), null);
    const used = headersOf(await signIn());
    const hash = hashSessionId(used.Cookie.slice('errgate_session='.length)) ?? '';
    const steps = SESSION_LIMITS.maxMs / SESSION_LIMITS.idleMs;
    for (let day = 0.5; day < steps; day += 0.5) {
      app.clock.at += SESSION_LIMITS.idleMs / 2;
      assert.notEqual(await userOf(used), null, `day ${day}`);
      await eventually(
        () => app.store.sessionByHash(hash),
        (found) => found?.session.usedAt === app.clock.at,
      );
    }
    app.clock.at += SESSION_LIMITS.idleMs / 2;
    assert.equal(await userOf(used), null);
  });

  it('ends within two seconds when another process blocks the user or changes the password', async () => {
    for (const change of [
      () => app.store.setUserBlocked(user.id, true),
      () => app.store.setPasswordHash(user.id, 'scrypt$other'),
    ]) {
      const headers = await givenSession(app, user);
      assert.notEqual(await userOf(headers), null);
      await change();
      app.clock.at += 2000;
      assert.equal(await userOf(headers), null);
      assert.equal((await ask('GET', '/api/v4/user', headers)).status, 401);
      await app.store.setUserBlocked(user.id, false);
    }
  });

  it('requires the token against forged requests for everything except GET', async () => {
    const project = await givenProject(app.store);
    await app.store.setMember(project.id, user.id, 40);
    const headers = await givenSession(app, user);
    const other = await givenSession(app, user);
    const writes = [
      ['PATCH', `/${project.path}/-/settings/operations.json`],
      ['POST', `/${project.path}/-/error_tracking/projects.json`],
      ['PUT', `/api/v4/projects/${project.id}?monitor_access_level=enabled`],
      ['DELETE', '/-/session'],
      ['DELETE', '/-/sessions'],
    ] as const;
    for (const [method, path] of writes) {
      for (const forged of [{ Cookie: headers.Cookie }, { ...headers, 'X-CSRF-Token': other['X-CSRF-Token'] }]) {
        const answer = await ask(method, path, forged);
        assert.deepEqual([answer.status, answer.json().code], [403, 'csrf_token_invalid'], `${method} ${path}`);
      }
    }
    const put = `/api/v4/projects/${project.id}?monitor_access_level=enabled`;
    assert.equal((await ask('PUT', put, headers)).status, 200);
    assert.equal((await ask('HEAD', `/api/v4/projects/${project.id}`, { Cookie: headers.Cookie })).status, 200);
  });

  it('is ignored in requests that another site causes', async () => {
    const { Cookie } = await givenSession(app, user);
    assert.equal((await ask('GET', '/api/v4/user', { Cookie })).status, 200);
    assert.equal((await ask('GET', '/api/v4/user', { Cookie, 'Sec-Fetch-Site': 'cross-site' })).status, 401);
  });

  it('is ignored in requests with a token', async () => {
    const project = await givenProject(app.store);
    const maintainer = await givenMember(app.store, project, 'maintainer');
    const { Cookie } = await givenSession(app, user);
    const { token } = await givenPerson(app.store);
    const path = `/api/v4/projects/${project.id}?monitor_access_level=enabled`;
    const put = (withToken: string) => app.ask('PUT', path, { token: withToken, headers: { Cookie } });
    assert.equal((await put(maintainer.token)).status, 200);
    assert.equal((await put(token)).status, 404);
    assert.equal((await put('glpat-wrong')).status, 401);
    await app.store.setMember(project.id, user.id, 40);
    assert.equal((await put(token)).status, 404);
  });

  describe('the password', () => {
    const change = (headers: BrowserHeaders, password: string, current = PASSWORD) =>
      ask('PUT', '/-/session/password', headers, { current_password: current, password });

    it('is changed by its owner, which ends every other session', async () => {
      const [here, there] = [headersOf(await signIn()), headersOf(await signIn())];
      const changed: User[] = [];
      app.deps.onPasswordChanged = (id) => changed.push(id);
      const answer = await change(here, 'another horse');
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual([await userOf(here), await userOf(there)], [null, null]);
      assert.equal((await userOf(headersOf(answer))).id, user.id);
      assert.deepEqual(
        changed.map(({ id }) => id),
        [user.id],
      );
      assert.equal((await signIn()).status, 401);
      assert.equal((await signIn('another horse')).status, 200);
    });

    it('is refused with the reason', async () => {
      const headers = await givenSession(app, user);
      const refused = async (password: string, current?: string) => {
        const answer = await change(headers, password, current);
        assert.equal(answer.status, 400);
        return answer.json().message;
      };
      assert.equal(await refused('short'), 'Password is too short (minimum is 8 characters).');
      assert.equal(await refused('x'.repeat(129)), 'Password is too long (maximum is 128 characters).');
      assert.equal(await refused(user.username.toLowerCase()), 'Password must differ from the username.');
      assert.equal(await refused('12345678'), 'Password is one of the most common ones. Choose another one.');
      assert.equal(await refused('rootroot'), 'Password is one of the most common ones. Choose another one.');
      assert.equal(await refused('        '), 'Password repeats one character. Choose another one.');
      assert.equal(await refused(PASSWORD), 'Choose a password that differs from the current one.');
      assert.equal(await refused('good enough', 'wrong'), 'The current password is wrong.');
      assert.equal((await ask('PUT', '/-/session/password', headers, JSON_TYPE)).status, 400);
      assert.notEqual(await userOf(headers), null);
    });

    it('that another user chose must be changed before any other request', async () => {
      user = await givenPassword(app.store, PASSWORD, true);
      const answer = await signIn();
      const headers = headersOf(answer);
      assert.equal(answer.json().must_change_password, true);
      assert.equal(answer.json().may_postpone, false);
      const held = await ask('GET', '/api/v4/projects', headers);
      assert.deepEqual([held.status, held.json().code], [403, 'password_change_required']);
      const after = await change(headers, 'another horse');
      assert.equal(after.json().must_change_password, false);
      assert.equal((await ask('GET', '/api/v4/projects', headersOf(after))).status, 200);
    });

    it('may stay unchanged on a service for this machine only, from this machine', async () => {
      user = await givenPassword(app.store, PASSWORD, true);
      app.deps.externalUrl = () => 'http://localhost:8080';
      const answer = await signIn();
      assert.deepEqual([answer.json().must_change_password, answer.json().may_postpone], [true, true]);
      const headers = headersOf(answer);
      assert.equal((await ask('GET', '/api/v4/projects', headers)).status, 200);
      const through = { ...headers, 'X-Forwarded-For': '203.0.113.9' };
      assert.equal((await ask('GET', '/api/v4/projects', through)).json().code, 'password_change_required');
    });
  });
});
