import assert from 'node:assert/strict';
import { testPasswordHash } from '../../support/app.ts';
import { givenPassword } from '../../support/factories.ts';
import { LocalIssuer, makePerson as person } from '../../support/local-issuer.ts';
import { EXTERNAL, startSignOn, type SignOnWorld, type TestBrowser } from '../../support/sign-on-world.ts';
import { describeOnStores } from '../../support/test-stores.ts';

describeOnStores('connecting an account at an identity provider', (kind) => {
  let issuer: LocalIssuer;
  let world: SignOnWorld;

  before(async () => {
    issuer = await LocalIssuer.start();
    world = await startSignOn(kind, issuer);
  });
  after(async () => {
    await world.app.close();
    await issuer.close();
  });
  beforeEach(() => world.configure({}));

  const PASSWORD = 'a long enough one';
  const connect = async (
    browser: TestBrowser,
    headers: Record<string, string> = {},
    body: object = { password: PASSWORD },
  ) => {
    const { csrf_token: csrf } = await browser.session();
    return browser.ask('POST', '/-/session/identity', { 'X-CSRF-Token': csrf, ...headers }, body);
  };
  const local = async (admin = false) => {
    const browser = world.browser();
    const user = await givenPassword(world.app.store, PASSWORD);
    if (admin) await world.app.store.updateUser(user.id, { admin });
    await browser.signIn(user.username, PASSWORD);
    return { browser, user };
  };

  it('is how administrators, and people without a confirmed address, sign in with both', async () => {
    const { browser, user } = await local(true);
    const there = person();
    const answer = await connect(browser);
    assert.equal(answer.status, 200, answer.text);
    const back = await browser.back(issuer.approve(answer.json().url, there));
    assert.equal(back.headers.get('Location'), `${EXTERNAL}/-/profile`, back.text);
    assert.equal((await browser.session()).user?.id, user.id);
    const [identity] = (await browser.ask('GET', '/api/v4/user')).json().identities;
    assert.deepEqual([identity.provider, identity.extern_uid], [issuer.url, there.sub]);
    const again = await world.signIn(there);
    assert.equal((await again.browser.session()).user?.id, user.id);
    const other = await local();
    const taken = await other.browser.back(issuer.approve((await connect(other.browser)).json().url, there));
    assert.equal(taken.status, 403);
    assert.match(taken.text, /connected to another user/);
  });

  it('refuses a second account of the provider, and one of another domain', async () => {
    const { store } = world.app;
    const { browser, user } = await local();
    const there = person();
    await browser.back(issuer.approve((await connect(browser)).json().url, there));
    const second = await browser.back(issuer.approve((await connect(browser)).json().url, person()));
    assert.equal(second.status, 403);
    assert.match(second.text, /disconnect that one first/);
    assert.deepEqual((await store.identitiesOfUser(user.id)).map(({ subject }) => subject), [there.sub]); // prettier-ignore
    world.configure({ emailDomains: ['shop.test'] });
    const other = await local();
    const foreign = person({ email: 'ada@private.test' });
    const answer = await other.browser.back(issuer.approve((await connect(other.browser)).json().url, foreign));
    assert.equal(answer.status, 403);
    assert.deepEqual(await store.identitiesOfUser(other.user.id), []);
  });

  it('ends the password, but not that of the last administrator who has one', async () => {
    const { store } = world.app;
    const former = (await store.listUsers()).filter(({ admin }) => admin);
    for (const { id } of former) await store.updateUser(id, { admin: false });
    const root = await local(true);
    await root.browser.back(issuer.approve((await connect(root.browser)).json().url, person()));
    assert.equal((await store.userById(root.user.id))?.passwordAllowed, null);
    const second = await local(true);
    await second.browser.back(issuer.approve((await connect(second.browser)).json().url, person()));
    assert.equal((await store.userById(second.user.id))?.passwordAllowed, false);
    assert.equal((await second.browser.session()).user?.id, second.user.id);
    for (const { id } of former) await store.updateUser(id, { admin: true });
  });

  it('needs the CSRF token, and the same person at its end', async () => {
    const { browser } = await local();
    assert.equal((await connect(browser, { 'X-CSRF-Token': 'x' })).status, 403);
    assert.equal((await world.browser().ask('POST', '/-/session/identity', {}, {})).status, 401);
    const url = (await connect(browser)).json().url;
    const victim = await local();
    victim.browser.cookies.set('errgate_sign_on', browser.cookies.get('errgate_sign_on') ?? '');
    const there = person();
    assert.equal((await victim.browser.back(issuer.approve(url, there))).status, 400);
    assert.equal(await world.app.store.identityOf(issuer.url, there.sub), null);
  });

  it('needs the password, and waits for a new one and a second factor that are due', async () => {
    const { deps, store } = world.app;
    const { browser, user } = await local();
    for (const body of [{}, { password: 'a wrong one' }]) {
      assert.equal((await connect(browser, {}, body)).status, 400);
    }
    assert.equal((await connect(browser)).status, 200);
    const { secondFactors } = deps;
    deps.secondFactors = { ...secondFactors, required: true };
    const held = await connect(browser);
    deps.secondFactors = secondFactors;
    assert.deepEqual([held.status, held.json().code], [403, 'second_factor_required'], held.text);
    await store.setPasswordHash(user.id, testPasswordHash(PASSWORD), true);
    await browser.signIn(user.username, PASSWORD);
    const due = await connect(browser);
    assert.deepEqual([due.status, due.json().code], [403, 'password_change_required'], due.text);
  });
});
