import type { Connection } from 'mongoose';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { COLLECTIONS } from '../../src/storage/mongo/engine/collections.ts';
import { SMALL_ROWS } from './mongo-engine.ts';

/** Fills the collections of groups, so that a planner prefers indexes to scans. */
export async function fillGroups(connection: Connection): Promise<void> {
  const insert = async (name: keyof typeof COLLECTIONS, make: (index: number) => object) =>
    connection.db
      ?.collection(COLLECTIONS[name].name)
      .insertMany(Array.from({ length: SMALL_ROWS }, (_, index) => make(index)));
  await insert('groups', (index) => ({
    ...{ _id: 10_000 + index, path: `Filled${index}`, lower: `filled${index}`, name: 'x', description: null },
    ...{ movedFrom: `former${index}`, createdAt: 1 },
  }));
  await insert('groupMembers', (index) => ({
    ...{ _id: `${10_000 + index}/${10_000 + index}`, groupId: 10_000 + index, userId: 10_000 + index, level: 30 },
  }));
}

/** Runs every query of groups at least once. */
export async function useGroups(store: Store): Promise<void> {
  const project = await store.createProject({ path: 'a/grouped', name: 'g', visibility: 'private' });
  const user = await store.createUser({ username: 'groups', name: 'G', admin: false, passwordHash: 'x' });
  const group = await store.createGroup({ path: 'used', name: 'Used' });
  const below = await store.createGroup({ path: 'used/below', name: 'Below' });
  await store.updateProject(project.id, { path: 'used/below/project' });
  await store.setGroupMember(group.id, user.id, 50);
  await store.setGroupMember(below.id, user.id, 30);
  await store.groupById(group.id);
  await store.groupByPath('USED');
  await store.listGroups();
  await store.groupRoles(user.id);
  await store.accessLevel(project.id, user.id);
  await store.projectAccess([project.id], user.id);
  await store.projectsOfUser(user.id);
  await store.projectsBelow('used');
  await store.listMembers(project.id);
  await store.listGroupMembers('used/below');
  await store.updateGroup(group.id, { name: 'Renamed' });
  await store.moveGroup(group.id, { path: 'moved', parentId: null });
  await store.removeGroupMember(below.id, user.id);
  await store.updateProject(project.id, { path: 'a/again' });
  await store.deleteGroup(below.id);
}
