import assert from 'node:assert/strict';
import { AppError } from '../../../src/domain/app-error.ts';
import { ACCESS_LEVELS } from '../../../src/domain/projects/account.ts';
import { LocalIssuer, makePerson as person, type IssuerPerson } from '../../support/local-issuer.ts';
import { startSignOn, type SignOnWorld } from '../../support/sign-on-world.ts';
import { makeProject } from '../../support/store-data.ts';
import { describeOnStores } from '../../support/test-stores.ts';

describeOnStores('groups of an identity provider', (kind) => {
  let issuer: LocalIssuer;
  let world: SignOnWorld;
  let projects = 0;

  before(async () => {
    issuer = await LocalIssuer.start();
    world = await startSignOn(kind, issuer);
  });
  after(async () => {
    await world.app.close();
    await issuer.close();
  });

  const userOf = async (subject: string) => {
    const identity = await world.app.store.identityOf(issuer.url, subject);
    return identity === null ? null : world.app.store.userById(identity.userId);
  };

  const rules = [
    { group: '/shop/maintainers', path: 'Shop', role: 'maintainer' },
    { group: '/shop/*', path: 'shop', role: 'reporter' },
    { group: '/shop/owners', path: 'shop/api', role: 'owner' },
    { group: 'other', path: 'other/one', role: 'developer' },
  ] as const;
  const rolesOf = async (subject: string) => {
    const roles = await world.app.store.grantedRoles((await userOf(subject))!.id);
    return Object.fromEntries(roles.map(({ path, level }) => [path, level]));
  };
  beforeEach(() => world.configure({ groupRoles: rules, adminGroup: 'admins' }));

  it('give exactly their roles; the highest one of a path', async () => {
    const ada = person({ groups: ['/shop/maintainers', '/shop/x', 'OTHER'] });
    const { browser } = await world.signIn(ada);
    assert.deepEqual(await rolesOf(ada.sub), { shop: ACCESS_LEVELS.maintainer });
    projects += 1;
    const project = await makeProject(world.app.store, `shop/p${projects}`);
    const outside = await makeProject(world.app.store, `shop2/p${projects}`);
    const shown = (await browser.ask('GET', '/api/v4/projects')).json();
    assert.deepEqual(shown.map(({ id }: { id: number }) => id), [project.id]); // prettier-ignore
    const settings = `/api/v4/projects/${project.id}/error_tracking/settings`;
    assert.notEqual((await browser.ask('GET', settings)).status, 403);
    assert.equal((await browser.ask('GET', `/api/v4/projects/${outside.id}`)).status, 404);
  });

  it('that are taken away take their roles with them; an absent claim changes nothing, an empty one removes', async () => {
    const ada = person({ groups: ['/shop/maintainers', 'other'] });
    await world.signIn(ada);
    const withGroups = (groups: unknown) => world.signIn({ ...ada, idToken: { ...ada.idToken, groups } });
    await withGroups(['/shop/x', 'other']);
    assert.deepEqual(await rolesOf(ada.sub), { shop: 20, 'other/one': 30 });
    for (const unreadable of [undefined, null, 7, { a: 1 }, ['other', 7]]) await withGroups(unreadable);
    assert.deepEqual(await rolesOf(ada.sub), { shop: 20, 'other/one': 30 });
    const { groups: _groups, ...others } = ada.idToken as Record<string, unknown>;
    await world.signIn({ ...ada, idToken: { ...others, _claim_names: { groups: 'src1' } } });
    await world.signIn({ ...ada, idToken: { ...others, hasgroups: true } });
    assert.deepEqual(await rolesOf(ada.sub), { shop: 20, 'other/one': 30 });
    await withGroups([]);
    assert.deepEqual(await rolesOf(ada.sub), {});
  });

  it('are none without the claim of a provider that leaves out empty ones, but not when there are too many', async () => {
    world.configure({ groupRoles: rules, absentGroups: 'none' });
    const ada = person({ groups: ['other'] });
    const { groups: _groups, ...others } = ada.idToken as Record<string, unknown>;
    await world.signIn(ada);
    await world.signIn({ ...ada, idToken: { ...others, hasgroups: true } });
    assert.deepEqual(await rolesOf(ada.sub), { 'other/one': 30 });
    await world.signIn({ ...ada, idToken: others });
    assert.deepEqual(await rolesOf(ada.sub), {});
  });

  it('may be 5,000, and come from the userinfo endpoint alone, or from a path of the token', async () => {
    const many = Array.from({ length: 5000 }, (_, index) => `group-${index}-of-a-large-company`);
    const ada = person();
    const { answer } = await world.signIn({ ...ada, userInfo: { groups: [...many, 'other'] } });
    assert.equal(answer.status, 303);
    assert.deepEqual(await rolesOf(ada.sub), { 'other/one': 30 });
    const bob = person({ groups: [...many, 'other'] });
    assert.equal((await world.signIn(bob)).answer.status, 303, 'also in the ID token');
    world.configure({ groupRoles: rules, groupsClaim: 'realm_access.roles' });
    const carl = person({ realm_access: { roles: ['other'] } });
    await world.signIn(carl);
    assert.deepEqual(await rolesOf(carl.sub), { 'other/one': 30 });
  });

  it('change roles that the audit log has, and none that it cannot have', async () => {
    const ada = person({ groups: ['/shop/owners', 'other', 'admins'] });
    await world.signIn(person({ groups: ['admins'] }));
    await world.signIn(ada);
    await world.signIn({ ...ada, idToken: { ...ada.idToken, groups: ['/shop/owners', '/shop/x'] } });
    const any = { entity: null, outcome: null, authorId: null, from: null, below: null, limit: 100 } as const;
    const all = await world.app.store.listAuditEvents({ ...any, event: null });
    const own = all.filter(({ authorName, targetId }) => authorName === 'identity provider' && targetId !== null);
    const { id } = (await userOf(ada.sub))!;
    const lines = own
      .filter(({ targetId }) => targetId === String(id))
      .map(({ event, details }) => `${event} ${details.changes.map(({ from, to }) => `${from}>${to}`).join()}`)
      .reverse();
    assert.match(lines.shift() ?? '', /^user_created .*p\d+@shop\.test/);
    assert.deepEqual(lines, [
      'member_added null>shop,null>reporter',
      'member_added null>shop/api,null>owner',
      'member_added null>other/one,null>developer',
      'user_changed false>true',
      'member_removed other/one>null,developer>null',
      'user_changed true>false',
    ]);
    const { auditTrail } = world.app.deps;
    const away = { record: () => Promise.reject(new AppError('store_unavailable', 'x')) };
    Object.assign(auditTrail, away);
    world.configure({ groupRoles: rules, adminGroup: 'admins' });
    const refused = await world.signIn({ ...ada, idToken: { ...ada.idToken, groups: ['other'] } });
    Reflect.deleteProperty(auditTrail, 'record');
    assert.equal(refused.answer.status, 503);
    assert.deepEqual(await rolesOf(ada.sub), { shop: 20, 'shop/api': 50 });
    await world.app.store.replaceGrantedRoles(id, []);
  });

  it('do not take the last owner of a path away', async () => {
    const [ada, bob] = [person({ groups: ['/shop/owners'] }), person({ groups: ['/shop/owners'] })];
    const without = (one: IssuerPerson) => world.signIn({ ...one, idToken: { ...one.idToken, groups: [] } });
    await world.signIn(ada);
    await without(ada);
    assert.deepEqual(await rolesOf(ada.sub), { 'shop/api': 50 });
    await world.signIn(bob);
    await without(ada);
    assert.deepEqual(await rolesOf(ada.sub), {});
    await without(bob);
    assert.deepEqual(await rolesOf(bob.sub), { 'shop/api': 50 });
    const project = await makeProject(world.app.store, 'shop/api');
    await world.app.store.setMember(project.id, (await userOf(ada.sub))!.id, 50);
    await without(bob);
    assert.deepEqual(await rolesOf(bob.sub), {});
  });

  it('make administrators, and end that; the last one and those made by hand stay', async () => {
    const [ada, bob] = [person({ groups: ['admins'] }), person({ groups: [] })];
    const isAdmin = async (subject: string) => (await userOf(subject))?.admin;
    const without = { ...ada, idToken: { ...ada.idToken, groups: [] } };
    for (const { id, admin } of await world.app.store.listUsers()) {
      if (admin) await world.app.store.updateUser(id, { admin: false });
    }
    await world.signIn(ada);
    assert.equal(await isAdmin(ada.sub), true);
    await world.signIn(without);
    assert.equal(await isAdmin(ada.sub), true, 'the last one');
    await world.signIn(bob);
    await world.app.store.updateUser((await userOf(bob.sub))!.id, { admin: true });
    await world.signIn(bob);
    assert.equal(await isAdmin(bob.sub), true, 'made by hand');
    await world.signIn(without);
    assert.equal(await isAdmin(ada.sub), false);
    await world.signIn(ada);
    assert.equal(await isAdmin(ada.sub), true);
  });

  it('end an administrator that a group of a former provider made', async () => {
    const { store } = world.app;
    const ada = person({ groups: [] });
    await world.signIn(person({ groups: ['admins'] }));
    await world.signIn(ada);
    const { id } = (await userOf(ada.sub))!;
    const former = { issuer: 'https://former.test', subject: ada.sub, name: 'ada', signedInAt: 1 };
    await store.addIdentity({ ...former, userId: id, admin: true });
    await store.updateUser(id, { admin: true });
    await world.signIn(ada);
    assert.equal((await store.userById(id))?.admin, false);
    await store.updateUser(id, { admin: true });
    await world.signIn(ada);
    assert.equal((await store.userById(id))?.admin, true, 'made by hand since');
  });
});
