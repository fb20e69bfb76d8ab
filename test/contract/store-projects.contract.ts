import assert from 'node:assert/strict';
import type { StoreHarness } from '../support/store-harness.ts';
import { errorOf, listAll, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';

export function projectContract(harness: () => StoreHarness): void {
  describe('projects', () => {
    it('gives a created project back by id and by path without regard to case', async () => {
      const { store } = harness();
      const project = await store.createProject({ path: 'Group/App', name: 'App', visibility: 'public' });
      assert.equal(project.monitorEnabled, true);
      assert.equal(project.visibility, 'public');
      assert.deepEqual(await store.projectById(project.id), project);
      assert.deepEqual(await store.projectByPath('group/APP'), { project, moved: false });
      assert.equal(await store.projectById(project.id + 1), null);
      assert.equal(await store.projectByPath('group/other'), null);
    });

    it('refuses a path that is taken', async () => {
      const { store } = harness();
      const project = await makeProject(store, 'a/b');
      await assert.rejects(makeProject(store, 'A/b'), { code: 'conflict' });
      const other = await makeProject(store, 'a/c');
      await assert.rejects(store.updateProject(other.id, { path: 'a/B' }), { code: 'conflict' });
      assert.deepEqual(await store.listProjects(), [project, other]);
    });

    it('changes only what the patch names', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const patched = await store.updateProject(project.id, { monitorEnabled: false, visibility: 'public' });
      assert.deepEqual(patched, { ...project, monitorEnabled: false, visibility: 'public' });
      assert.deepEqual(await store.projectById(project.id), patched);
      assert.equal(await store.updateProject(project.id + 1, { name: 'x' }), null);
    });

    it('keeps redirects from former paths, until a project takes the path', async () => {
      const { store } = harness();
      const project = await makeProject(store, 'a/one');
      await store.updateProject(project.id, { path: 'a/two' });
      await store.updateProject(project.id, { path: 'b/three' });
      const moved = await store.projectByPath('a/ONE');
      assert.equal(moved?.moved, true);
      assert.equal(moved.project.path, 'b/three');
      assert.equal((await store.projectByPath('a/two'))?.moved, true);

      const next = await makeProject(store, 'a/one');
      assert.deepEqual(await store.projectByPath('a/one'), { project: next, moved: false });
      await store.updateProject(project.id, { path: 'a/two' });
      assert.equal((await store.projectByPath('a/two'))?.moved, false);
      assert.equal((await store.projectByPath('b/three'))?.moved, true);
    });

    it('finds the former paths in a group, in any case', async () => {
      const { store } = harness();
      const [one, two] = [await makeProject(store, 'shop/web'), await makeProject(store, 'shopping/web')];
      await store.updateProject(one.id, { path: 'shop/front/web' });
      await store.updateProject(one.id, { path: 'store/web' });
      await store.updateProject(two.id, { path: 'shop0/web' });
      await store.updateProject(two.id, { path: 'a/b' });
      const inShop = [{ path: 'shop/front/web', projectId: one.id }, { path: 'shop/web', projectId: one.id }]; // prettier-ignore
      assert.deepEqual(await store.formerPathsIn('shop'), inShop);
      assert.deepEqual(await store.formerPathsIn('SHOP'), inShop);
      for (const group of ['store', 'sho', 'shop/front/web', '']) {
        assert.deepEqual(await store.formerPathsIn(group), [], group);
      }
      await makeProject(store, 'shop/web');
      assert.deepEqual(await store.formerPathsIn('shop'), inShop.slice(0, 1));
    });

    it('treats a change of case as no move', async () => {
      const { store } = harness();
      const project = await makeProject(store, 'a/one');
      await store.updateProject(project.id, { path: 'A/One' });
      assert.equal((await store.projectByPath('a/one'))?.moved, false);
      assert.equal((await store.projectByPath('a/one'))?.project.path, 'A/One');
    });

    it('removes a project with everything stored for it, and no other', async () => {
      const { store } = harness();
      const [gone, kept] = [await makeProject(store, 'a/gone'), await makeProject(store, 'a/kept')];
      const user = await store.createUser({ username: 'u', name: 'U', admin: false, passwordHash: 'x' });
      await store.setMember(gone.id, user.id, 40);
      await store.saveSettings(gone.id, { active: true });
      await store.createKey(gone.id, 'gone_key');
      await store.updateProject(gone.id, { path: 'a/gone2' });
      await store.addAlias(gone.id, '4242');
      const journal = new TestJournal(store);
      const tags = [['environment', 'production']] as const;
      await journal.apply([
        makeEvent(gone, 'one', { user: 'ada', tags, environment: 'production' }),
        makeEvent(kept, 'two', { user: 'ada', tags }),
      ]);
      const error = await errorOf(store, gone);

      assert.equal(await store.deleteProject(gone.id), true);

      assert.equal(await store.projectById(gone.id), null);
      assert.equal(await store.projectByPath('a/gone'), null);
      assert.deepEqual(await store.listAliases(gone.id), []);
      assert.equal(await store.settings(gone.id), null);
      assert.equal(await store.keyByPublicKey('gone_key'), null);
      assert.deepEqual(await store.projectsOfUser(user.id), []);
      assert.equal(await store.errorById(gone.id, error.id, NOON), null);
      assert.equal(await store.latestEvent(gone.id, error.id), null);
      assert.deepEqual(await listAll(store, gone), []);
      assert.deepEqual(await store.listOutcomes(gone.id, 0, NOON * 2), []);
      assert.equal((await listAll(store, kept)).length, 1);
      const { errors, events, projects } = await store.stats();
      assert.deepEqual({ errors, events, projects }, { errors: 1, events: 1, projects: 1 });
      assert.equal(await store.deleteProject(gone.id), false);
      assert.notEqual((await makeProject(store, 'a/gone')).id, gone.id, 'ids are never used twice');
    });
  });

  describe('aliases for DSNs of another tracker', () => {
    it('lists the aliases of a project, each once', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      for (const alias of ['old-shop', '4505281256090153', '10', 'old-shop', 'Old-shop']) {
        await store.addAlias(project.id, alias);
      }
      assert.deepEqual(await store.listAliases(project.id), ['10', '4505281256090153', 'Old-shop', 'old-shop']);
      assert.deepEqual(await store.listAliases(project.id + 1), []);
      await assert.rejects(store.addAlias(project.id + 1, '1'), { code: 'project_not_found' });
    });

    it('gives several projects the same alias, and an alias that is the id of another one', async () => {
      const { store } = harness();
      const [one, two] = [await makeProject(store, 'a/one'), await makeProject(store, 'a/two')];
      await store.addAlias(one.id, String(two.id));
      await store.addAlias(one.id, '1');
      await store.addAlias(two.id, '1');
      const next = two.id + 1;
      await store.addAlias(one.id, String(next));
      assert.equal((await makeProject(store, 'a/three')).id, next);
      assert.deepEqual(await store.listAliases(two.id), ['1']);
      assert.deepEqual((await store.ingestAccess(null))?.aliases, [
        ...(await store.listAliases(one.id)).map((alias) => [one.id, alias]),
        [two.id, '1'],
      ]);
    });
  });

  describe('members', () => {
    it('sets, changes, lists and removes members', async () => {
      const { store } = harness();
      const [one, two] = [await makeProject(store, 'a/one'), await makeProject(store, 'a/two')];
      const user = await store.createUser({ username: 'ada', name: 'A', admin: false, passwordHash: 'x' });
      await store.setMember(two.id, user.id, 20);
      await store.setMember(one.id, user.id, 20);
      await store.setMember(one.id, user.id, 40);
      assert.equal(await store.accessLevel(one.id, user.id), 40);
      assert.deepEqual(await store.listMembers(one.id), [
        {
          ...{ projectId: one.id, userId: user.id, username: 'ada', name: 'A', blocked: false, accessLevel: 40 },
          origins: [{ kind: 'project', path: 'a/one', accessLevel: 40 }],
        },
      ]);
      assert.deepEqual(await store.projectsOfUser(user.id), [one, two]);
      assert.equal(await store.removeMember(one.id, user.id), true);
      assert.equal(await store.removeMember(one.id, user.id), false);
      assert.equal(await store.accessLevel(one.id, user.id), null);
      assert.deepEqual(await store.projectsOfUser(user.id), [two]);
    });

    it('refuses members of projects and users that do not exist', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const user = await store.createUser({ username: 'ada', name: 'A', admin: false, passwordHash: 'x' });
      await assert.rejects(store.setMember(project.id, user.id + 1, 20), { code: 'not_found' });
      await assert.rejects(store.setMember(project.id + 1, user.id, 20), { code: 'project_not_found' });
    });
  });
}
