import assert from 'node:assert/strict';
import { givenPassword, givenPerson } from '../../support/factories.ts';
import { listAudit } from '../../support/audit-data.ts';
import { LocalIssuer, makePerson as person } from '../../support/local-issuer.ts';
import { startSignOn, type SignOnWorld, type TestBrowser } from '../../support/sign-on-world.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const PASSWORD = 'correct horse';

describeOnStores('an account at an identity provider', (kind) => {
  let issuer: LocalIssuer;
  let world: SignOnWorld;

  before(async () => {
    issuer = await LocalIssuer.start();
    const groupRoles = [{ group: 'shop', path: 'shop', role: 'developer' }] as const;
    world = await startSignOn(kind, issuer, { groupRoles, adminGroup: 'admins' });
    await givenPerson(world.app.store, true);
  });
  after(async () => {
    await world.app.close();
    await issuer.close();
  });

  const identitiesOf = async (browser: TestBrowser) =>
    (await browser.ask('GET', '/api/v4/user')).json().identities as { readonly id: number }[];
  const disconnect = async (browser: TestBrowser, id: number) =>
    browser.ask('DELETE', `/api/v4/user/identities/${id}`, { 'X-CSRF-Token': (await browser.session()).csrf_token });

  it('is not disconnected while it is the only way to sign in', async () => {
    const { browser } = await world.signIn(person());
    const [identity] = await identitiesOf(browser);
    assert.ok(identity !== undefined);
    const refused = await disconnect(browser, identity.id);
    assert.equal(refused.status, 409);
    assert.match(refused.text, /the only way to sign in/);
    assert.equal((await identitiesOf(browser)).length, 1);
    const root = await givenPerson(world.app.store, true);
    const user = (await browser.session()).user?.id ?? 0;
    const path = `/api/v4/users/${user}/identities/${identity.id}`;
    assert.equal((await world.app.ask('DELETE', path, { token: root.token })).status, 409);
  });

  it('is disconnected with its sessions and what its groups gave, and another password session goes on', async () => {
    const { store } = world.app;
    const ada = person({ groups: ['shop', 'admins'] });
    const { browser } = await world.signIn(ada);
    const user = (await browser.session()).user;
    assert.ok(user !== null && user.admin);
    const held = await givenPassword(store, PASSWORD);
    const hash = (await store.credentials(held.username))?.passwordHash ?? '';
    await store.updateUser(user.id, { passwordAllowed: true });
    await store.setPasswordHash(user.id, hash, false);
    const again = (await world.signIn(ada)).browser;
    const own = world.browser();
    await own.signIn(user.username, PASSWORD);
    assert.equal((await store.grantedRoles(user.id)).length, 1);
    const [identity] = await identitiesOf(own);
    assert.ok(identity !== undefined);
    assert.equal((await disconnect(own, identity.id + 1)).status, 404);
    assert.equal((await disconnect(own, identity.id)).status, 204);
    world.app.clock.at += 1001;
    assert.equal((await again.session()).user, null);
    assert.deepEqual([(await own.session()).user?.admin, await identitiesOf(own)], [false, []]);
    assert.deepEqual(await store.grantedRoles(user.id), []);
    assert.equal((await disconnect(own, identity.id)).status, 404);
    const done = (await listAudit(store)).find(
      ({ event, outcome }) => event === 'identity_disconnected' && outcome === 'done',
    );
    assert.deepEqual([done?.authorId, done?.entityId], [user.id, user.id]);
  });

  it('is disconnected by an administrator, and not by others', async () => {
    const { store } = world.app;
    const { browser } = await world.signIn(person());
    const user = (await browser.session()).user;
    const [identity] = await identitiesOf(browser);
    assert.ok(user !== null && identity !== undefined);
    await store.updateUser(user.id, { passwordAllowed: true });
    const path = `/api/v4/users/${user.id}/identities/${identity.id}`;
    const [other, root] = [await givenPerson(store), await givenPerson(store, true)];
    assert.equal((await world.app.ask('DELETE', path, { token: other.token })).status, 403);
    const foreign = `/api/v4/user/identities/${identity.id}`;
    assert.equal((await world.app.ask('DELETE', foreign, { token: other.token })).status, 404);
    assert.equal((await world.app.ask('DELETE', path, { token: root.token })).status, 204);
    world.app.clock.at += 1001;
    assert.equal((await browser.session()).user, null);
  });
});
