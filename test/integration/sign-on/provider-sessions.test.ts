import assert from 'node:assert/strict';
import { createAuthenticator } from '../../../src/auth/authenticator.ts';
import { DAY_MS } from '../../../src/domain/durations.ts';
import { createWebSessions } from '../../../src/auth/web-sessions.ts';
import { SESSION_LIMITS } from '../../support/app.ts';
import { listAudit } from '../../support/audit-data.ts';
import { givenPassword, givenToken } from '../../support/factories.ts';
import { LocalIssuer, makePerson as person, type Forgery } from '../../support/local-issuer.ts';
import { EXTERNAL, startSignOn, type SignOnWorld, type TestBrowser } from '../../support/sign-on-world.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const MINUTE_MS = 60_000;
describeOnStores('sessions that began at an identity provider', (kind) => {
  let issuer: LocalIssuer;
  let world: SignOnWorld;

  before(async () => {
    issuer = await LocalIssuer.start();
    const groupRoles = [{ group: 'shop', path: 'shop', role: 'developer' }] as const;
    world = await startSignOn(kind, issuer, { groupRoles });
  });
  after(async () => {
    await world.app.close();
    await issuer.close();
  });
  beforeEach(() => {
    issuer.failing = null;
    issuer.refreshTokens = true;
  });

  const pass = (ms: number): void => {
    world.app.clock.at += ms;
  };
  const isIn = async (browser: TestBrowser) => (await browser.session()).user !== null;
  const rolesOf = async (browser: TestBrowser) =>
    (await world.app.store.grantedRoles((await browser.session()).user?.id ?? 0)).map(({ path }) => path);

  describe('are checked there', () => {
    it('every quarter of an hour: groups that were taken away are gone then', async () => {
      const ada = person({ groups: ['shop'] });
      const { browser } = await world.signIn(ada);
      issuer.change({ ...ada, idToken: { ...ada.idToken, groups: [] } });
      pass(14 * MINUTE_MS);
      assert.deepEqual(await rolesOf(browser), ['shop']);
      pass(MINUTE_MS);
      assert.ok(await isIn(browser));
      assert.deepEqual(await rolesOf(browser), []);
      issuer.change(ada);
      pass(15 * MINUTE_MS);
      assert.ok(await isIn(browser), 'also with the next refresh token');
      assert.deepEqual(await rolesOf(browser), ['shop']);
    });

    it('once for many requests', async () => {
      const { browser } = await world.signIn(person());
      pass(16 * MINUTE_MS);
      const before = issuer.asked.get('/token') ?? 0;
      const answers = await Promise.all(Array.from({ length: 10 }, () => browser.ask('GET', '/api/v4/user')));
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
      assert.equal(issuer.asked.get('/token'), before + 1);
    });

    it('and end when the person may not sign in any more, or is blocked here', async () => {
      const ada = person();
      const { browser } = await world.signIn(ada);
      const elsewhere = await world.signIn(ada);
      issuer.gone.add(ada.sub);
      pass(15 * MINUTE_MS);
      assert.equal((await browser.ask('GET', '/api/v4/user')).status, 401);
      issuer.gone.delete(ada.sub);
      assert.equal((await browser.ask('GET', '/api/v4/user')).status, 401, 'for good');
      assert.ok(await isIn(elsewhere.browser));
      await world.app.store.setUserBlocked((await elsewhere.browser.session()).user?.id ?? 0, true);
      pass(1001);
      assert.equal(await isIn(elsewhere.browser), false);
    });

    it('and with them end the roles by groups of a person who has a password as well', async () => {
      const { store } = world.app;
      const adminGroup = 'admins';
      const groupRoles = [{ group: 'shop', path: 'shop', role: 'developer' }] as const;
      world.configure({ adminGroup, groupRoles });
      const other = await givenPassword(store, 'a long enough one');
      await store.updateUser(other.id, { admin: true });
      const [ada, bob] = [person({ groups: ['shop', 'admins'] }), person({ groups: ['shop', 'admins'] })];
      const [one, two] = [(await world.signIn(ada)).browser, (await world.signIn(bob)).browser];
      const ids = await Promise.all([one, two].map(async (browser) => (await browser.session()).user?.id ?? 0));
      await store.updateUser(ids[0]!, { passwordAllowed: true });
      for (const { sub } of [ada, bob]) issuer.gone.add(sub);
      pass(15 * MINUTE_MS);
      for (const browser of [one, two]) assert.equal(await isIn(browser), false);
      const left = await Promise.all(
        ids.map(async (id) => [(await store.userById(id))?.admin, (await store.grantedRoles(id)).length]),
      );
      assert.deepEqual(left, [[false, 0], [true, 1]]); // prettier-ignore
      const events = (await listAudit(store)).filter(({ targetId }) => targetId === String(ids[0]));
      assert.deepEqual(events.slice(0, 2).map(({ event }) => event), ['user_changed', 'member_removed']); // prettier-ignore
      world.configure({});
    });

    it('all of a person, once one was refused', async () => {
      const ada = person();
      const [one, two] = [(await world.signIn(ada)).browser, (await world.signIn(ada)).browser];
      pass(14 * MINUTE_MS);
      const three = (await world.signIn(ada)).browser;
      issuer.gone.add(ada.sub);
      pass(MINUTE_MS);
      for (const browser of [one, two, three]) assert.equal(await isIn(browser), false);
    });

    it('again in a minute while the provider is away; they go on', async () => {
      const ada = person({ groups: ['shop'] });
      const { browser } = await world.signIn(ada);
      issuer.change({ ...ada, idToken: { groups: [] } });
      issuer.failing = 500;
      pass(15 * MINUTE_MS);
      assert.ok(await isIn(browser));
      const asked = issuer.asked.get('/token');
      pass(30_000);
      assert.ok(await isIn(browser));
      assert.equal(issuer.asked.get('/token'), asked);
      issuer.failing = null;
      pass(31_000);
      assert.ok(await isIn(browser));
      assert.deepEqual(await rolesOf(browser), []);
    });

    it('and end after a day where the provider gives no refresh token', async () => {
      issuer.refreshTokens = false;
      const { browser } = await world.signIn(person());
      pass(23 * 60 * MINUTE_MS);
      assert.ok(await isIn(browser));
      pass(61 * MINUTE_MS);
      assert.equal(await isIn(browser), false);
    });

    it('and end where another provider is configured, or none', async () => {
      const [one, two] = [(await world.signIn(person())).browser, (await world.signIn(person())).browser];
      const other = await LocalIssuer.start();
      world.configure({ issuer: other.url });
      pass(15 * MINUTE_MS);
      assert.equal(await isIn(one), false);
      await other.close();
      world.configure({});
      const { store, clock, deps } = world.app;
      deps.webSessions = createWebSessions({ store, clock, limits: SESSION_LIMITS });
      assert.equal(await isIn(two), false);
      world.configure({});
    });
  });

  describe('end', () => {
    it('at the provider too, when the person signs out here', async () => {
      const { browser } = await world.signIn(person());
      const { csrf_token: csrf } = await browser.session();
      const answer = await browser.ask('DELETE', '/-/session', { 'X-CSRF-Token': csrf });
      assert.equal(answer.status, 200);
      const url = new URL(answer.json().url);
      assert.equal(url.origin + url.pathname, `${issuer.url}/end`);
      assert.equal(url.searchParams.get('post_logout_redirect_uri'), `${EXTERNAL}/users/sign_in`);
      assert.equal(url.searchParams.get('client_id'), 'errgate');
      assert.match(url.searchParams.get('id_token_hint') ?? '', /^ey/);
      assert.equal(await isIn(browser), false);
    });

    it('here alone while the provider is away, and for people with a password', async () => {
      const { browser } = await world.signIn(person());
      const { csrf_token: csrf } = await browser.session();
      issuer.failing = 500;
      world.configure({});
      assert.equal((await browser.ask('DELETE', '/-/session', { 'X-CSRF-Token': csrf })).status, 204);
      const local = await givenPassword(world.app.store, 'a long enough one');
      const body = { username: local.username, password: 'a long enough one' };
      const answer = await world.app.ask('POST', '/-/session', { body });
      const [cookie = ''] = answer.headers.getSetCookie();
      const headers = { Cookie: cookie.split(';')[0] ?? '', 'X-CSRF-Token': answer.json().csrf_token };
      assert.equal((await world.app.ask('DELETE', '/-/session', { headers })).status, 204);
      issuer.failing = null;
      world.configure({});
    });

    const send = (token: string) => world.app.ask('POST', '/users/auth/oidc/logout', { body: { logout_token: token } });

    it('by a logout token about the person, or about the session', async () => {
      const [ada, bob] = [person(), person()];
      const own = [await world.signIn(ada), await world.signIn(ada)];
      const other = await world.signIn(bob);
      const form = new URLSearchParams({ logout_token: await issuer.logoutToken({ sub: ada.sub }) });
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
      const answer = await world.app.ask('POST', '/users/auth/oidc/logout', { headers, body: form.toString() });
      assert.deepEqual([answer.status, answer.headers.get('Cache-Control')], [200, 'no-store'], answer.text);
      for (const { browser } of own) assert.equal(await isIn(browser), false);
      assert.ok(await isIn(other.browser));
      assert.equal((await send(await issuer.logoutToken({ sid: `session of ${bob.sub}` }))).status, 200);
      assert.equal(await isIn(other.browser), false);
      const third = await world.signIn(bob);
      const mixed = await issuer.logoutToken({ sub: ada.sub, sid: `session of ${bob.sub}` });
      assert.equal((await send(mixed)).status, 200);
      assert.ok(await isIn(third.browser), 'a session of another person stays');
      assert.equal((await send(await issuer.logoutToken({ sub: 'unknown' }))).status, 200);
    });

    const FORGED: Readonly<Record<string, { claims?: Record<string, unknown>; forgery?: Forgery }>> = {
      'of another issuer': { claims: { iss: 'https://evil.test' } },
      'for another client': { claims: { aud: 'another' } },
      'without the event': { claims: { events: {} } },
      'without any event': { claims: { events: undefined } },
      'with a nonce, such as an ID token has': { claims: { nonce: 'n' } },
      'without an id': { claims: { jti: undefined } },
      'without a time': { claims: { iat: undefined } },
      'of an hour ago': { claims: { iat: 1_700_000_000 } },
      'that has expired': { claims: { exp: 1_700_000_000 } },
      'about nobody': { claims: { sub: undefined } },
      'without a signature': { forgery: { signed: 'none' } },
      'signed with the secret of the client': { forgery: { signed: 'client-secret' } },
    };
    it('by a check at once, when a token names another session of the same person', async () => {
      const ada = person();
      const { browser } = await world.signIn(ada);
      const token = () => issuer.logoutToken({ sub: ada.sub, sid: 'another session' });
      assert.equal((await send(await token())).status, 200);
      assert.ok(await isIn(browser), 'the provider still knows it');
      issuer.gone.add(ada.sub);
      assert.ok(await isIn(browser));
      assert.equal((await send(await token())).status, 200);
      assert.equal(await isIn(browser), false);
    });

    it('never by a forged logout token', async () => {
      const ada = person();
      const { browser } = await world.signIn(ada);
      for (const [what, { claims = {}, forgery = {} }] of Object.entries(FORGED)) {
        const answer = await send(await issuer.logoutToken({ sub: ada.sub }, { ...forgery, claims }));
        assert.equal(answer.status, 400, `${what}: ${answer.text}`);
      }
      for (const text of ['', 'x', 'a.b.c', 'x'.repeat(100_000)]) assert.equal((await send(text)).status, 400);
      assert.equal((await world.app.ask('POST', '/users/auth/oidc/logout')).status, 400);
      const { id_token: idToken } = { id_token: await issuer.logoutToken({ sub: ada.sub, events: undefined }) };
      assert.equal((await send(idToken)).status, 400);
      assert.ok(await isIn(browser));
    });

    it('by the repeated logout token when the store failed at first', async () => {
      const ada = person();
      const { browser } = await world.signIn(ada);
      const token = await issuer.logoutToken({ sub: ada.sub });
      const { store } = world.app;
      const endSession = store.endSession.bind(store);
      store.endSession = () => Promise.reject(new Error('the store is away'));
      const failed = await send(token);
      store.endSession = endSession;
      assert.equal(failed.status, 500);
      assert.equal((await send(token)).status, 200);
      assert.equal(await isIn(browser), false);
    });

    it('once by each logout token: a replay ends no later session', async () => {
      const ada = person();
      await world.signIn(ada);
      const token = await issuer.logoutToken({ sub: ada.sub });
      assert.equal((await send(token)).status, 200);
      const { browser } = await world.signIn(ada);
      assert.equal((await send(token)).status, 400);
      assert.ok(await isIn(browser));
    });
  });

  it('keep the access tokens of their people alive: they stop 30 days after the last sign-in', async () => {
    const { store, clock, deps } = world.app;
    const end = { passwordSignIn: true, maxMs: 30 * DAY_MS };
    deps.authenticator = createAuthenticator({ accounts: store, clock, signOn: end });
    const ada = person();
    const { browser } = await world.signIn(ada);
    const user = (await store.userById((await browser.session()).user?.id ?? 0))!;
    const { text } = await givenToken(store, user);
    const local = await givenPassword(store, 'a long enough one');
    const other = await givenToken(store, local);
    const statuses = async () =>
      Promise.all([text, other.text].map(async (token) => (await world.app.get('/api/v4/user', token)).status));
    pass(29 * DAY_MS);
    assert.deepEqual(await statuses(), [200, 200]);
    pass(DAY_MS);
    assert.deepEqual(await statuses(), [401, 200]);
    await world.signIn(ada);
    pass(1001);
    assert.deepEqual(await statuses(), [200, 200]);
    pass(31 * DAY_MS);
    await store.updateUser(user.id, { passwordAllowed: true });
    assert.deepEqual(await statuses(), [200, 200], 'who may use a password can be blocked');
  });
});
