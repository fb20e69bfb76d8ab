import type { Store } from '../domain/ports/stores/store.ts';

/** Returns the ids of a project's members by their e-mail address in lower case. */
export async function memberIds(
  store: Pick<Store, 'listMembers' | 'listUsers'>,
  projectId: number,
): Promise<ReadonlyMap<string, number>> {
  const members = new Set((await store.listMembers(projectId)).map(({ userId }) => userId));
  const users = (await store.listUsers()).filter(({ id }) => members.has(id));
  return new Map(users.flatMap(({ id, email }) => (email === null ? [] : [[email.toLowerCase(), id] as const])));
}
