import assert from 'node:assert/strict';
import type { Group } from '../../src/domain/projects/group.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { MongoContext } from '../../src/storage/mongo/engine/context.ts';
import { mongoRecords } from '../../src/storage/mongo/records/mongo-records.ts';
import { groups } from '../../src/storage/records/kinds/group-kinds.ts';
import { meta } from '../../src/storage/records/kinds/value-kinds.ts';
import { change, insert } from '../../src/storage/records/writes.ts';
import { describeOnMongo } from '../support/mongo-engine.ts';
import { openEmptyMongo } from '../support/mongo-harness.ts';
import { KEEP, pruneAll } from '../support/prune-all.ts';
import { makeProject } from '../support/store-data.ts';

/** A move of a group is several writes: what holds between them, and how one is completed that ended there. */
describeOnMongo('moves of groups on MongoDB', (uri) => {
  let context: MongoContext;
  let store: Store;
  let close: () => Promise<void>;
  beforeEach(async () => {
    ({ context, store, close } = await openEmptyMongo(uri));
  });
  afterEach(() => close());

  /** A group with two projects and a member, whose move ended after the first project. */
  async function interrupted() {
    const group = await store.createGroup({ path: 'Shop', name: 'Shop' });
    const projects = [await makeProject(store, 'shop/web'), await makeProject(store, 'shop/team/api')];
    const { id: userId } = await store.createUser({ username: 'ada', name: 'A', admin: false, passwordHash: 'x' });
    await store.setGroupMember(group.id, userId, 30);
    const records = mongoRecords(context);
    const value = JSON.stringify({ id: group.id, to: { path: 'company/store', parentId: null } });
    await records.write([insert(meta, { key: 'group_move', value })]);
    await records.write([change(groups, { id: group.id }, { path: 'company/store', movedFrom: 'shop' })]);
    await store.updateProject(projects[0]!.id, { path: 'company/store/web' });
    return { group, projects, userId };
  }

  async function assertMoved(group: Group, projects: readonly { readonly id: number }[]): Promise<void> {
    assert.equal((await store.groupById(group.id))?.path, 'company/store');
    const paths = await Promise.all(projects.map(async ({ id }) => (await store.projectById(id))?.path));
    assert.deepEqual(paths, ['company/store/web', 'company/store/team/api']);
    assert.equal(await mongoRecords(context).get(meta, { key: 'group_move' }), null);
    assert.equal((await mongoRecords(context).get(groups, { id: group.id }))?.movedFrom, null);
  }

  it('keep the roles of the group at both paths', async () => {
    const { projects, userId } = await interrupted();
    for (const { id } of projects) {
      assert.equal(await store.accessLevel(id, userId), 30);
      assert.deepEqual((await store.listMembers(id)).map((member) => member.userId), [userId]); // prettier-ignore
    }
    assert.deepEqual((await store.projectsOfUser(userId)).map(({ id }) => id), projects.map(({ id }) => id)); // prettier-ignore
    const access = await store.projectAccess(projects.map(({ id }) => id), userId); // prettier-ignore
    assert.deepEqual([...access.values()].map(({ level }) => level), [30, 30]); // prettier-ignore
    // A member that goes meanwhile loses both.
    await store.setFavourite(userId, projects[1]!.id, true);
    await store.removeGroupMember((await store.listGroups())[0]!.id, userId);
    assert.deepEqual(await store.favourites(userId), []);
  });

  it('are completed by retention', async () => {
    const { group, projects } = await interrupted();
    await pruneAll(store, KEEP);
    await assertMoved(group, projects);
  });

  it('are completed by the next one, before it begins', async () => {
    const { group, projects } = await interrupted();
    const other = await store.createGroup({ path: 'other', name: 'Other' });
    await assert.rejects(store.moveGroup(other.id, { path: 'company/store', parentId: null }), { code: 'conflict' });
    await assertMoved(group, projects);
    assert.equal((await store.moveGroup(other.id, { path: 'company/other', parentId: null }))?.path, 'company/other');
  });

  it('leave a project whose new path another one took meanwhile', async () => {
    const { group, projects } = await interrupted();
    const taker = await makeProject(store, 'company/store/team/api');
    await pruneAll(store, KEEP);
    assert.equal((await store.projectById(projects[1]!.id))?.path, 'shop/team/api');
    assert.equal((await store.projectById(taker.id))?.path, 'company/store/team/api');
    assert.equal((await mongoRecords(context).get(groups, { id: group.id }))?.movedFrom, null);
  });

  it('leave the role of a user in a project cheap to read', async () => {
    const { project, other } = {
      project: await makeProject(store, 'a/b/c/d/e'),
      other: await makeProject(store, 'x/y'),
    };
    const { id: userId } = await store.createUser({ username: 'bob', name: 'B', admin: false, passwordHash: 'x' });
    let queries = 0;
    context.connection.getClient().on('commandStarted', ({ commandName }) => {
      if (commandName === 'find') queries += 1;
    });
    const cost = async (id: number) => {
      queries = 0;
      const level = await store.accessLevel(id, userId);
      return [level, queries];
    };
    // The membership of the project, those of groups, and roles by an identity provider: at the same time.
    assert.deepEqual(await cost(project.id), [null, 3]);
    const group = await store.createGroup({ path: 'a/b', name: 'B' });
    await store.setGroupMember(group.id, userId, 20);
    await store.setMember(other.id, userId, 40);
    // The paths of the groups and of the project, whatever their number and depth.
    assert.deepEqual(await cost(project.id), [20, 5]);
    assert.deepEqual(await cost(other.id), [40, 5]);
  });
});
