import assert from 'node:assert/strict';
import type { NewIdentity } from '../../src/domain/projects/identity.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { errorOf, hexId, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';

const ISSUER = 'https://sso.example.test';
/** Milliseconds since the epoch, ahead of any clock that runs the tests. */
const LATER = Date.UTC(2100, 0, 1);

const person = (store: Store, username: string) =>
  store.createUser({ username, name: username, admin: false, passwordHash: 'scrypt$1' });

const identityOf = (userId: number, subject: string): NewIdentity => ({
  ...{ userId, issuer: ISSUER, subject, name: subject, admin: false, signedInAt: 1000 },
});

export function identityContract(harness: () => StoreHarness): void {
  describe('accounts at identity providers', () => {
    it('belong to one user each, by issuer and subject', async () => {
      const { store, other } = harness();
      const [ada, bob] = [await person(store, 'ada'), await person(store, 'bob')];
      const made = await store.addIdentity(identityOf(ada.id, 'a'));
      assert.ok(made !== null);
      assert.equal(await store.addIdentity(identityOf(bob.id, 'a')), null);
      const elsewhere = await other();
      assert.deepEqual(await elsewhere.identityOf(ISSUER, 'a'), made);
      assert.equal(await store.identityOf(`${ISSUER}/`, 'a'), null);
      assert.equal(await store.identityOf(ISSUER, 'A'), null, 'a subject has its case');
      const second = await store.addIdentity({ ...identityOf(ada.id, 'a'), issuer: 'https://other.test' });
      assert.deepEqual(await store.identitiesOfUser(ada.id), [made, second]);
      assert.deepEqual(await store.identitiesOfUser(bob.id), []);
      await assert.rejects(store.addIdentity(identityOf(99, 'b')), { code: 'not_found' });
    });

    it('change, but never their user', async () => {
      const { store } = harness();
      const ada = await person(store, 'ada');
      const made = await store.addIdentity(identityOf(ada.id, 'a'));
      await store.updateIdentity(made?.id ?? 0, { name: 'renamed', admin: true, signedInAt: 2000 });
      const after = { ...made, name: 'renamed', admin: true, signedInAt: 2000 };
      assert.deepEqual(await store.identityOf(ISSUER, 'a'), after);
      await store.updateIdentity(99, { name: 'nobody' });
    });

    it('can be removed, and then belong to another user', async () => {
      const { store } = harness();
      const [ada, bob] = [await person(store, 'ada'), await person(store, 'bob')];
      const made = await store.addIdentity(identityOf(ada.id, 'a'));
      const kept = await store.addIdentity(identityOf(ada.id, 'b'));
      await store.removeIdentity(made?.id ?? 0);
      await store.removeIdentity(made?.id ?? 0);
      assert.deepEqual(await store.identitiesOfUser(ada.id), [kept]);
      assert.equal((await store.addIdentity(identityOf(bob.id, 'a')))?.userId, bob.id);
    });
  });

  describe('roles by groups of a provider', () => {
    it('are replaced as a whole, and leave those of others', async () => {
      const { store } = harness();
      const [ada, bob] = [await person(store, 'ada'), await person(store, 'bob')];
      const of = (userId: number, path: string, level: 20 | 50) => ({ userId, path, level });
      await store.replaceGrantedRoles(ada.id, [of(ada.id, 'shop', 20), of(ada.id, 'shop/api', 50)]);
      await store.replaceGrantedRoles(bob.id, [of(bob.id, 'shop', 50)]);
      await store.replaceGrantedRoles(ada.id, [of(ada.id, 'shop', 50), of(ada.id, 'tools', 20)]);
      assert.deepEqual(await store.grantedRoles(ada.id), [of(ada.id, 'shop', 50), of(ada.id, 'tools', 20)]);
      assert.deepEqual(
        (await store.listGroupMembers('Shop')).map(({ userId, origins }) => [userId, origins]),
        [ada, bob].map(({ id }) => [id, [{ kind: 'identity_provider', path: 'shop', accessLevel: 50 }]]),
      );
      await store.replaceGrantedRoles(ada.id, []);
      assert.deepEqual(await store.grantedRoles(ada.id), []);
      assert.deepEqual(await store.grantedRoles(bob.id), [of(bob.id, 'shop', 50)]);
      await assert.rejects(store.replaceGrantedRoles(99, [of(99, 'shop', 20)]), { code: 'not_found' });
    });

    it('are in effect on their path and below; the highest one counts, also beside a membership', async () => {
      const { store } = harness();
      const ada = await person(store, 'ada');
      const [shop, deep, like, underscore] = await Promise.all(
        ['Shop/web', 'shop/a_b/api', 'shop2/web', 'shop/axb/api'].map((path) => makeProject(store, path)),
      );
      assert.ok(shop && deep && like && underscore);
      const levels = async () => {
        const projects = [shop, deep, like, underscore];
        const found = await Promise.all(projects.map(({ id }) => store.accessLevel(id, ada.id)));
        const access = await store.projectAccess(projects.map(({ id }) => id), ada.id); // prettier-ignore
        assert.deepEqual(projects.map(({ id }) => access.get(id)?.level), found); // prettier-ignore
        const own = (await store.projectsOfUser(ada.id)).map(({ id }) => id);
        assert.deepEqual(own, projects.filter((_, at) => found[at] !== null).map(({ id }) => id).sort((a, b) => a - b)); // prettier-ignore
        return found;
      };
      assert.deepEqual(await levels(), [null, null, null, null]);
      await store.replaceGrantedRoles(ada.id, [{ path: 'shop', level: 20 }]);
      assert.deepEqual(await levels(), [20, 20, null, 20]);
      await store.replaceGrantedRoles(ada.id, [{ path: 'shop/a_b', level: 40 }, { path: 'shop/web', level: 10 }]); // prettier-ignore
      assert.deepEqual(await levels(), [10, 40, null, null]);
      await store.setMember(shop.id, ada.id, 30);
      await store.setMember(deep.id, ada.id, 30);
      assert.deepEqual(await levels(), [30, 40, null, null]);
      await store.updateProject(deep.id, { path: 'other/api' });
      assert.deepEqual(await levels(), [30, 30, null, null]);
    });

    it('take errors, views and favourites along when the last role ends, of a group and of a project', async () => {
      const { store } = harness();
      const ada = await person(store, 'ada');
      for (const [project, role] of [
        [await makeProject(store, 'Shop/web'), 'shop'],
        [await makeProject(store, 'Tools/api'), 'tools/api'],
      ] as const) {
        await new TestJournal(store).apply([makeEvent(project, 'one')]);
        const { id } = await errorOf(store, project);
        const grant = (level: 10 | 30 | null) =>
          store.replaceGrantedRoles(ada.id, level === null ? [] : [{ path: role, level }]);
        const kept = async () => [
          (await errorOf(store, project)).assignee?.id ?? null,
          (await store.favourites(ada.id)).length,
        ];
        await grant(30);
        await store.setAssignee(project.id, id, ada.id, null, NOON);
        await store.setFavourite(ada.id, project.id, true);
        await store.setMember(project.id, ada.id, 20);
        await grant(null);
        assert.deepEqual(await kept(), [ada.id, 1], 'another role is left');
        await grant(10);
        await store.removeMember(project.id, ada.id);
        assert.deepEqual(await kept(), [null, 1], 'guests are assigned no errors');
        await grant(30);
        await store.setAssignee(project.id, id, ada.id, null, NOON);
        await grant(10);
        assert.deepEqual(await kept(), [null, 1], 'a lower role is no longer enough');
        await grant(null);
        assert.deepEqual(await kept(), [null, 0]);
      }
    });
  });

  describe('sessions that began at a provider', () => {
    const start = async (store: Store, userId: number, name: string, identityId: number, at = 1000) =>
      store.createSession({
        ...{
          hash: hexId(name, 64),
          userId,
          epoch: 0,
          createdAt: at,
          endsAt: LATER,
          browser: null,
          address: null,
          secondFactor: false,
        },
        provider: { identityId, providerSession: `sid of ${name}`, sealedGrant: `sealed ${name}` },
      });

    it('have what the provider told, and no password to change', async () => {
      const { store } = harness();
      const user = await store.createUser({
        ...{ username: 'ada', name: 'Ada', admin: false, passwordHash: 'scrypt$1', mustChangePassword: true },
        ...{ email: 'ada@shop.test', emailConfirmed: true, passwordAllowed: false, signedOnAt: 77 },
      });
      assert.deepEqual([user.emailConfirmed, user.passwordAllowed, user.signedOnAt], [true, false, 77]);
      const identity = await store.addIdentity(identityOf(user.id, 'a'));
      const session = await start(store, user.id, 'one', identity?.id ?? 0);
      assert.deepEqual([session.identityId, session.checkedAt], [identity?.id, 1000]);
      assert.deepEqual(await store.sessionByHash(session.hash), { session, user, mustChangePassword: false });
      const own = { identityId: identity?.id, providerSession: 'sid of one', sealedGrant: 'sealed one' };
      assert.deepEqual(await store.providerSession(session.hash), own);
      await store.keepSealedGrant(session.hash, 'another');
      assert.deepEqual(await store.providerSession(session.hash), { ...own, sealedGrant: 'another' });
      assert.deepEqual(await store.sessionsOfIdentity(identity?.id ?? 0, user.id), [session.hash]);
      assert.deepEqual(await store.sessionsOfProvider('sid of one'), [
        { hash: session.hash, identityId: identity?.id },
      ]);
      assert.deepEqual(await store.sessionsOfProvider('sid of two'), []);
      const from = { browser: null, address: null, secondFactor: false };
      const plain = { hash: hexId('plain', 64), userId: user.id, epoch: 0, createdAt: 1, endsAt: LATER, ...from };
      await store.createSession(plain);
      assert.equal(await store.providerSession(plain.hash), null);
      assert.equal((await store.sessionByHash(plain.hash))?.mustChangePassword, true);
    });

    it('are claimed for a check by one gateway', async () => {
      const { store, other } = harness();
      const user = await person(store, 'ada');
      const { hash } = await start(store, user.id, 'one', 7);
      const elsewhere = await other();
      const claims = await Promise.all([store, elsewhere].map((each) => each.claimProviderCheck(hash, 1000, 5000)));
      assert.deepEqual(claims.sort(), [false, true]);
      assert.equal((await store.sessionByHash(hash))?.session.checkedAt, 5000);
      await store.requireProviderCheck(hash);
      assert.equal((await store.sessionByHash(hash))?.session.checkedAt, 0);
    });
  });

  describe('an address of a user', () => {
    it('is no longer confirmed once it changes', async () => {
      const { store } = harness();
      const user = await store.createUser({
        ...{ username: 'ada', name: 'Ada', admin: false, passwordHash: 'x', email: 'a@b.test', emailConfirmed: true },
      });
      assert.equal((await store.updateUser(user.id, { email: 'a@b.test', name: 'A' }))?.emailConfirmed, true);
      assert.equal((await store.updateUser(user.id, { email: 'c@b.test' }))?.emailConfirmed, false);
      const confirmed = await store.updateUser(user.id, { email: 'd@b.test', emailConfirmed: true });
      assert.equal(confirmed?.emailConfirmed, true);
    });
  });
}
