import assert from 'node:assert/strict';
import { ACCESS_LEVELS } from '../../src/domain/projects/account.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import { errorOf, listAll, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';

const { guest, reporter, developer, maintainer, owner } = ACCESS_LEVELS;

let people = 0;

async function makePerson(store: Store): Promise<number> {
  people += 1;
  const row = { username: `member${people}`, name: 'M', admin: false, passwordHash: 'x' };
  return (await store.createUser(row)).id;
}

/** A group with a project, deeper down. */
async function makeShop(store: Store) {
  const group = await store.createGroup({ path: 'Shop', name: 'The shop' });
  const project = await makeProject(store, 'shop/team/web');
  return { group, project, ada: await makePerson(store), bob: await makePerson(store) };
}

/** Groups, the roles that their members have below, and moves. */
export function groupContract(harness: () => StoreHarness): void {
  describe('groups', () => {
    it('are found by id and by path in any case, and changed', async () => {
      const { store } = harness();
      const group = await store.createGroup({ path: 'Shop/Team', name: 'Team', description: 'Who sells.' });
      assert.deepEqual(await store.groupById(group.id), group);
      assert.deepEqual(await store.groupByPath('shop/TEAM'), group);
      assert.deepEqual([await store.groupById(group.id + 1), await store.groupByPath('shop')], [null, null]);
      await assert.rejects(store.createGroup({ path: 'shop/team', name: 'x' }), { code: 'conflict' });
      const changed = await store.updateGroup(group.id, { name: 'Sellers', description: null });
      assert.deepEqual(changed, { ...group, name: 'Sellers', description: null });
      assert.deepEqual(await store.listGroups(), [changed]);
      assert.equal(await store.updateGroup(group.id + 1, { name: 'x' }), null);
    });

    it('cannot be deleted while they have projects or groups', async () => {
      const { store } = harness();
      const { group, project, ada } = await makeShop(store);
      await store.setGroupMember(group.id, ada, developer);
      await assert.rejects(store.deleteGroup(group.id), { code: 'conflict', message: /1 project/ });
      const team = await store.createGroup({ path: 'shop/team', name: 'Team' });
      await store.deleteProject(project.id);
      await assert.rejects(store.deleteGroup(group.id), { code: 'conflict', message: /other groups/ });
      assert.deepEqual([await store.deleteGroup(team.id), await store.deleteGroup(group.id)], [true, true]);
      assert.equal(await store.deleteGroup(group.id), false);
      assert.deepEqual(await store.groupRoles(ada), []);
      const again = await store.createGroup({ path: 'shop', name: 'Again' });
      assert.ok(again.id > team.id);
      assert.deepEqual(await store.listGroupMembers('shop'), []);
    });
  });

  describe('roles in groups', () => {
    it('hold in every project below, and the highest wins', async () => {
      const { store } = harness();
      const { group, project, ada, bob } = await makeShop(store);
      const other = await makeProject(store, 'shopping/web');
      const team = await store.createGroup({ path: 'shop/team', name: 'Team' });
      await store.setGroupMember(group.id, ada, developer);
      assert.equal(await store.accessLevel(project.id, ada), developer);
      assert.deepEqual(
        [await store.accessLevel(other.id, ada), await store.accessLevel(project.id, bob)],
        [null, null],
      );
      await store.setGroupMember(team.id, ada, maintainer);
      await store.setMember(project.id, ada, reporter);
      await store.setMember(project.id, bob, owner);
      await store.setGroupMember(team.id, bob, guest);
      assert.deepEqual([await store.accessLevel(project.id, ada), await store.accessLevel(project.id, bob)], [40, 50]);

      const access = await store.projectAccess([project.id, other.id], ada);
      assert.deepEqual([access.get(project.id)?.level, access.get(other.id)?.level], [maintainer, null]);
      assert.deepEqual(await store.projectsOfUser(ada), [project]);
      const deeper = await makeProject(store, 'SHOP/api');
      assert.deepEqual(await store.projectsOfUser(ada), [project, deeper]);
      assert.deepEqual(await store.projectsBelow('shop'), [project, deeper]);

      const [first, second, ...rest] = await store.listMembers(project.id);
      assert.deepEqual(first, {
        ...{ projectId: project.id, userId: ada, username: `member${people - 1}`, name: 'M', blocked: false },
        accessLevel: maintainer,
        origins: [
          { kind: 'group', path: 'shop/team', accessLevel: maintainer },
          { kind: 'group', path: 'Shop', accessLevel: developer },
          { kind: 'project', path: 'shop/team/web', accessLevel: reporter },
        ],
      });
      assert.deepEqual([second?.userId, second?.accessLevel, second?.origins.length], [bob, owner, 2]);
      assert.deepEqual(rest, []);
      assert.deepEqual((await store.listGroupMembers('Shop')).map(({ userId }) => userId), [ada]); // prettier-ignore
      assert.deepEqual((await store.listGroupMembers('shop/team/none')).length, 2);
    });

    it('allow to be assigned errors, and end with the last role', async () => {
      const { store } = harness();
      const { group, project, ada } = await makeShop(store);
      const id = await givenError(store, project);
      await assert.rejects(store.setAssignee(project.id, id, ada, null, NOON), { code: 'bad_request' });
      await store.setGroupMember(group.id, ada, developer);
      await store.setAssignee(project.id, id, ada, null, NOON);
      await store.saveView(project.id, ada, { name: 'Mine', query: 'status=all', isDefault: false });
      await store.setFavourite(ada, project.id, true);
      const kept = async () => ({
        assignee: (await errorOf(store, project)).assignee?.id ?? null,
        listed: (await listAll(store, project))[0]?.assignee?.id ?? null,
        views: (await store.savedViews(project.id, ada)).length,
        favourites: (await store.favourites(ada)).length,
      });
      const all = { assignee: ada, listed: ada, views: 1, favourites: 1 };
      assert.deepEqual(await kept(), all);

      await store.setMember(project.id, ada, reporter);
      assert.equal(await store.removeGroupMember(group.id, ada), true);
      assert.equal(await store.removeGroupMember(group.id, ada), false);
      assert.deepEqual(await kept(), all);
      await store.setGroupMember(group.id, ada, guest);
      assert.equal(await store.removeMember(project.id, ada), true);
      assert.deepEqual(await kept(), { assignee: null, listed: null, views: 1, favourites: 1 });
      await store.removeGroupMember(group.id, ada);
      assert.deepEqual(await kept(), { assignee: null, listed: null, views: 0, favourites: 0 });
    });

    it('are listed and end where a group has the path of a project, as older stores may have it', async () => {
      const { store } = harness();
      const project = await makeProject(store, 'shop/web');
      const [ada, bob] = [await makePerson(store), await makePerson(store)];
      const group = await store.createGroup({ path: 'Shop/Web', name: 'Web' });
      await store.setGroupMember(group.id, ada, developer);
      await store.setGroupMember(group.id, bob, owner);
      const listed = (await store.listMembers(project.id)).map(({ userId, accessLevel }) => [userId, accessLevel]);
      assert.deepEqual(listed, [[ada, developer], [bob, owner]]); // prettier-ignore
      for (const user of [ada, bob]) {
        const role = listed.find(([id]) => id === user)?.[1];
        assert.equal(await store.accessLevel(project.id, user), role);
        assert.deepEqual(await store.projectsOfUser(user), [project]);
      }
      await store.setFavourite(ada, project.id, true);
      await store.removeGroupMember(group.id, ada);
      assert.deepEqual([await store.accessLevel(project.id, ada), await store.favourites(ada)], [null, []]);
    });

    it('leave a group an owner that can sign in', async () => {
      const { store } = harness();
      const { group, ada, bob } = await makeShop(store);
      await store.setGroupMember(group.id, ada, owner);
      await assert.rejects(store.removeGroupMember(group.id, ada), { code: 'conflict' });
      await assert.rejects(store.setGroupMember(group.id, ada, maintainer), { code: 'conflict' });
      assert.deepEqual((await store.groupRoles(ada)).map(({ level }) => level), [owner]); // prettier-ignore
      await store.setGroupMember(group.id, bob, owner);
      await store.setUserBlocked(bob, true);
      await assert.rejects(store.removeGroupMember(group.id, ada), { code: 'conflict' });
      await store.setUserBlocked(bob, false);
      await store.setGroupMember(group.id, ada, maintainer);
      // An owner of the group above is one of the groups below.
      const team = await store.createGroup({ path: 'shop/team', name: 'Team' });
      await store.setGroupMember(team.id, ada, owner);
      assert.equal(await store.removeGroupMember(team.id, ada), true);
      await assert.rejects(store.setGroupMember(group.id + 100, ada, owner), { code: 'group_not_found' });
      await assert.rejects(store.setGroupMember(group.id, bob + 100, owner), { code: 'not_found' });
    });

    it('never end for two owners that remove each other at once', async () => {
      const { store, other } = harness();
      const second = await other();
      const { group, ada, bob } = await makeShop(store);
      for (let round = 0; round < 5; round += 1) {
        await store.setGroupMember(group.id, ada, owner);
        await store.setGroupMember(group.id, bob, owner);
        await Promise.allSettled([store.removeGroupMember(group.id, ada), second.removeGroupMember(group.id, bob)]);
        assert.notDeepEqual(await store.listGroupMembers('shop'), []);
      }
    });
  });

  describe('moves', () => {
    it('take all groups and projects below along, with redirects', async () => {
      const { store } = harness();
      const { group, project, ada } = await makeShop(store);
      const team = await store.createGroup({ path: 'shop/Team', name: 'Team' });
      await store.setGroupMember(group.id, ada, developer);
      const above = await store.createGroup({ path: 'company', name: 'Company' });
      const moved = await store.moveGroup(group.id, { path: 'company/store', parentId: above.id });
      assert.deepEqual(moved, { ...group, path: 'company/store' });
      assert.deepEqual(await store.groupByPath('COMPANY/store'), moved);
      assert.deepEqual(await store.groupById(team.id), { ...team, path: 'company/store/Team' });
      assert.equal((await store.projectById(project.id))?.path, 'company/store/team/web');
      assert.equal((await store.projectByPath('shop/team/web'))?.moved, true);
      assert.equal(await store.accessLevel(project.id, ada), developer);
      assert.equal(await store.groupByPath('shop'), null);
      // The case alone.
      await store.moveGroup(group.id, { path: 'company/Store', parentId: above.id });
      assert.equal((await store.projectById(project.id))?.path, 'company/Store/team/web');
      assert.equal((await store.projectByPath('company/store/team/web'))?.moved, false);
      assert.equal(await store.moveGroup(group.id + 100, { path: 'x', parentId: null }), null);
    });

    it('are refused below the group itself, to a path in use, and below a group that is gone', async () => {
      const { store } = harness();
      const { group, project } = await makeShop(store);
      const other = await store.createGroup({ path: 'other', name: 'Other' });
      await makeProject(store, 'made/by/project');
      for (const [path, parentId] of [
        ['shop/team/shop', null],
        ['other', null],
        ['made', null],
        ['made/by', null],
        ['made/by/project', null],
        ['other/shop', other.id + 100],
        ['elsewhere/shop', other.id],
      ] as const) {
        await assert.rejects(store.moveGroup(group.id, { path, parentId }), { code: 'conflict' }, path);
      }
      assert.deepEqual([await store.groupById(group.id), await store.projectById(project.id)], [group, project]);
      // A refused one is in nobody's way.
      assert.equal((await store.moveGroup(group.id, { path: 'other/shop', parentId: other.id }))?.path, 'other/shop');
    });

    it('never put two groups below each other, also at once', async () => {
      const { store, other } = harness();
      const second = await other();
      for (let round = 0; round < 4; round += 1) {
        const [a, b] = [`a${round}`, `b${round}`];
        const [one, two] = [
          await store.createGroup({ path: a, name: a }),
          await store.createGroup({ path: b, name: b }),
        ];
        const projects = [await makeProject(store, `${a}/x`), await makeProject(store, `${b}/y`)];
        const results = await Promise.allSettled([
          store.moveGroup(one.id, { path: `${b}/${a}`, parentId: two.id }),
          second.moveGroup(two.id, { path: `${a}/${b}`, parentId: one.id }),
        ]);
        assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
        const paths = await Promise.all(projects.map(async ({ id }) => (await store.projectById(id))?.path));
        const groups = await Promise.all([one, two].map(async ({ id }) => (await store.groupById(id))?.path));
        const isFirst = results[0].status === 'fulfilled';
        assert.deepEqual(groups, isFirst ? [`${b}/${a}`, b] : [a, `${a}/${b}`]);
        assert.deepEqual(paths, isFirst ? [`${b}/${a}/x`, `${b}/y`] : [`${a}/x`, `${a}/${b}/y`]);
      }
    });

    it('take from people what they had by the groups above, of projects and of groups', async () => {
      const { store } = harness();
      const { group, project, ada, bob } = await makeShop(store);
      const id = await givenError(store, project);
      await store.setGroupMember(group.id, ada, developer);
      await store.setAssignee(project.id, id, ada, null, NOON);
      await store.setFavourite(ada, project.id, true);
      await store.updateProject(project.id, { path: 'shop/other/web' });
      assert.equal((await errorOf(store, project)).assignee?.id, ada);
      await store.updateProject(project.id, { path: 'elsewhere/web' });
      assert.equal((await errorOf(store, project)).assignee, null);
      assert.deepEqual(await store.favourites(ada), []);

      await store.updateProject(project.id, { path: 'shop/team/web' });
      const team = await store.createGroup({ path: 'shop/team', name: 'Team' });
      await store.setGroupMember(team.id, bob, developer);
      for (const userId of [ada, bob]) await store.setFavourite(userId, project.id, true);
      await store.moveGroup(team.id, { path: 'team', parentId: null });
      assert.deepEqual([await store.favourites(ada), await store.favourites(bob)], [[], [project.id]]);
      assert.deepEqual((await store.listMembers(project.id)).map(({ userId }) => userId), [bob]); // prettier-ignore
    });
  });

  async function givenError(store: Store, project: Project): Promise<string> {
    const journal = new TestJournal(store);
    await journal.apply([makeEvent(project, 'one')]);
    return (await errorOf(store, project)).id;
  }
}
