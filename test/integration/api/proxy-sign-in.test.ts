import assert from 'node:assert/strict';
import type { User } from '../../../src/domain/projects/account.ts';
import { startApp, type Answer, type RunningApp } from '../../support/app.ts';
import { givenSession, headersOf } from '../../support/browser-session.ts';
import { givenPassword, givenPerson, givenProject, givenToken } from '../../support/factories.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const PASSWORD = 'correct horse';
const HEADER = 'X-Forwarded-User';

describeOnStores('signing in by a proxy', (kind) => {
  let app: RunningApp;
  let user: User;

  before(async () => {
    app = await startApp(kind, { trustedProxies: ['127.0.0.1'], authHeader: HEADER });
  });
  after(() => app.close());
  beforeEach(async () => {
    user = await givenPassword(app.store, PASSWORD);
    app.clock.at += 3_600_000;
  });

  const get = (path: string, name: string, headers: Record<string, string> = {}): Promise<Answer> =>
    app.ask('GET', path, { headers: { [HEADER]: name, ...headers } });
  const nameOf = async (name: string, headers: Record<string, string> = {}) =>
    (await get('/api/v4/user', name, headers)).json().username;

  it('takes the account of the username in any case, with each request', async () => {
    assert.equal(await nameOf(user.username), user.username);
    assert.equal(await nameOf(` ${user.username.toUpperCase()} `), user.username);
    const other = await givenPassword(app.store, PASSWORD);
    assert.equal(await nameOf(other.username), other.username);
    const session = (await get('/-/session', user.username)).json();
    assert.deepEqual([session.user.id, session.proxy], [user.id, 'signed_in']);
    const none = (await app.get('/-/session')).json();
    assert.deepEqual([none.user, none.proxy], [null, null]);
  });

  it('takes the account of an e-mail address that exactly one account has', async () => {
    const email = `Ada.${user.id}@Example.org`;
    await app.store.updateUser(user.id, { email });
    // People could enter the address of a colleague.
    assert.equal((await get('/api/v4/user', email)).status, 401);
    await app.store.updateUser(user.id, { email, emailConfirmed: true });
    assert.equal(await nameOf(email.toLowerCase()), user.username);
    const other = await givenPassword(app.store, PASSWORD);
    await app.store.updateUser(user.id, { email: null });
    app.clock.at += 2000;
    assert.equal((await get('/api/v4/user', email)).status, 401);
    await app.store.updateUser(other.id, { email, emailConfirmed: true });
    assert.equal(await nameOf(email), other.username);
    const third = await givenPassword(app.store, PASSWORD);
    await app.store.updateUser(third.id, { email: email.toUpperCase(), emailConfirmed: true });
    app.clock.at += 61_000;
    await app.store.updateUser(user.id, { email, emailConfirmed: true });
    assert.equal((await get('/api/v4/user', email)).status, 401);
  });

  it('takes an e-mail address that an administrator entered, and no longer one that changed', async () => {
    const administrator = await givenPerson(app.store, true);
    const email = `entered.${user.id}@example.org`;
    const path = `/api/v4/users/${user.id}`;
    const answer = await app.ask('PUT', path, { token: administrator.token, body: { email } });
    assert.equal(answer.status, 200);
    assert.equal(await nameOf(email), user.username);
    // The address alone is not confirmed, also while the account of it is remembered.
    await app.store.updateUser(user.id, { email, emailConfirmed: false });
    app.clock.at += 2000;
    assert.equal((await get('/api/v4/user', email)).status, 401);
  });

  it('makes no account, and takes nobody for any other value', async () => {
    const before = (await app.store.listUsers()).length;
    const values = ['nobody', `${user.username}, root`, `${user.username} x`, '@', 'x@y', '%00', 'x'.repeat(5000)];
    for (const value of [...values, '<script>alert(1)</script>', "' or 1=1 --", '{"$ne":null}', '__proto__']) {
      assert.equal((await get('/api/v4/user', value)).status, 401, value);
      const session = await get('/-/session', value);
      assert.deepEqual([session.json().user, session.json().proxy], [null, 'refused'], value);
      assert.ok(value.length < 3 || !session.text.includes(value));
    }
    assert.equal((await get('/api/v4/user', '')).status, 401);
    assert.equal((await app.store.listUsers()).length, before);
  });

  it('keeps blocked users out, within two seconds', async () => {
    assert.equal(await nameOf(user.username), user.username);
    await app.store.setUserBlocked(user.id, true);
    app.clock.at += 2000;
    assert.equal((await get('/api/v4/user', user.username)).status, 401);
    assert.equal((await get('/-/session', user.username)).json().proxy, 'refused');
  });

  it('rules over the cookie of a session, and leaves no session behind', async () => {
    const { Cookie } = await givenSession(app, await givenPassword(app.store, PASSWORD));
    assert.equal(await nameOf(user.username, { Cookie }), user.username);
    assert.equal((await get('/api/v4/user', 'nobody', { Cookie })).status, 401);
    const answer = await get('/-/session', user.username);
    assert.deepEqual(answer.headers.getSetCookie(), []);
    assert.deepEqual((await get('/api/v4/user/sessions', user.username)).json(), []);
    assert.equal((await app.ask('GET', '/api/v4/user', { headers: { Cookie } })).status, 200);
  });

  it('needs the CSRF token of the person for writes, and ignores requests of other sites', async () => {
    const project = await givenProject(app.store);
    await app.store.setMember(project.id, user.id, 40);
    const { csrf_token: csrf } = (await get('/-/session', user.username)).json();
    const other = await givenPassword(app.store, PASSWORD);
    const { csrf_token: ofOther } = (await get('/-/session', other.username)).json();
    assert.notEqual(csrf, ofOther);
    const put = (headers: Record<string, string>) =>
      app.ask('PUT', `/api/v4/projects/${project.id}?monitor_access_level=enabled`, {
        headers: { [HEADER]: user.username, ...headers },
      });
    for (const headers of [{}, { 'X-CSRF-Token': ofOther }] as Record<string, string>[]) {
      const refused = await put(headers);
      assert.deepEqual([refused.status, refused.json().code], [403, 'csrf_token_invalid']);
    }
    assert.equal((await put({ 'X-CSRF-Token': csrf })).status, 200);
    assert.equal((await put({ 'X-CSRF-Token': csrf, 'Sec-Fetch-Site': 'cross-site' })).status, 401);
    app.clock.at += 86_400_000;
    assert.equal((await put({ 'X-CSRF-Token': csrf })).status, 200);
  });

  it('does not count for requests with a token', async () => {
    const { user: owner, token } = await givenPerson(app.store);
    assert.equal(await nameOf(user.username, { 'PRIVATE-TOKEN': token }), owner.username);
    assert.equal((await get('/api/v4/user', user.username, { 'PRIVATE-TOKEN': 'glpat-wrong' })).status, 401);
    assert.equal((await get('/api/v4/user', user.username, { Authorization: 'Bearer wrong' })).status, 401);
  });

  it('asks for no new password, and refuses to sign in and out here', async () => {
    await app.store.setPasswordHash(user.id, 'test$other', true);
    assert.equal(await nameOf(user.username), user.username);
    const { csrf_token: csrf } = (await get('/-/session', user.username)).json();
    const headers = { [HEADER]: user.username, 'X-CSRF-Token': csrf };
    for (const [method, body] of [
      ['DELETE', undefined],
      ['POST', { username: user.username, password: 'other' }],
    ] as const) {
      const answer = await app.ask(method, '/-/session', { headers, ...(body === undefined ? {} : { body }) });
      assert.equal(answer.status, 409);
      assert.match(answer.json().message, /proxy/);
    }
    const stored = await givenSession(app, user);
    const others = await app.ask('DELETE', '/-/sessions?others=true', { headers });
    assert.deepEqual([others.status, others.headers.getSetCookie()], [200, []]);
    assert.equal(others.json().csrf_token, csrf);
    assert.equal((await app.ask('GET', '/api/v4/user', { headers: { Cookie: stored.Cookie } })).status, 401);
  });

  it('leaves the address of an account to administrators, because it may be the name of the sign-in', async () => {
    const { token } = { token: (await givenToken(app.store, user)).text };
    const put = await app.ask('PUT', '/api/v4/user', { token, body: { email: 'root@example.org' } });
    assert.equal(put.status, 400);
    const root = await givenPerson(app.store, true);
    const body = { email: `changed.${user.id}@example.org` };
    assert.equal((await app.ask('PUT', `/api/v4/users/${user.id}`, { token: root.token, body })).status, 200);
  });
});

describeOnStores('the header of a proxy that is not trusted', (kind) => {
  it('is removed, counted, and logged once without its value', async () => {
    const app = await startApp(kind, { trustedProxies: ['10.0.0.0/8'], authHeader: HEADER });
    try {
      const user = await givenPassword(app.store, PASSWORD);
      const headers = { [HEADER]: user.username, 'X-Forwarded-For': '10.0.0.1' };
      for (let turn = 0; turn < 3; turn += 1) {
        const answer = await app.ask('GET', '/-/session', { headers });
        assert.deepEqual([answer.json().user, answer.json().proxy], [null, null]);
        assert.ok(!answer.text.includes(user.username));
      }
      assert.equal((await app.ask('GET', '/api/v4/user', { headers })).status, 401);
      const signedIn = await app.ask('POST', '/-/session', {
        body: { username: user.username, password: PASSWORD },
        headers: { [HEADER]: 'root' },
      });
      assert.equal(signedIn.json().user.id, user.id);
      assert.equal((await app.ask('GET', '/api/v4/user', { headers: { ...headersOf(signedIn) } })).status, 200);
      const { values } = await app.deps.metrics.authHeadersIgnored.get();
      assert.equal(values[0]?.value, 5);
      const lines = app.log.filter(({ message }) => message.includes('trusted proxy'));
      assert.equal(lines.length, 1);
      assert.ok(!JSON.stringify(lines).includes(user.username));
    } finally {
      await app.close();
    }
  });

  it('means nothing where no header is configured', async () => {
    const app = await startApp(kind, { trustedProxies: ['127.0.0.1'] });
    try {
      const user = await givenPassword(app.store, PASSWORD);
      const session = await app.ask('GET', '/-/session', { headers: { [HEADER]: user.username } });
      assert.deepEqual([session.json().user, session.json().proxy], [null, null]);
    } finally {
      await app.close();
    }
  });
});
