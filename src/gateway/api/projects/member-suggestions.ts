import type { ProjectCall } from '../../http/route.ts';

/** Maximum of projects whose members are read. Those beyond it, the newest ones, add no suggestions. */
const MAX_PROJECTS_READ = 200;

interface MemberSuggestion {
  readonly id: number;
  readonly username: string;
  readonly name: string;
}

/**
 * Returns users that are not members of the project and not blocked, by user name; only those visible to the caller:
 * members of the caller's other projects. Administrators see all users.
 */
export async function memberSuggestions({
  deps: { store },
  project,
  principal: { user: caller },
}: ProjectCall<unknown>): Promise<MemberSuggestion[]> {
  const found = new Map<number, MemberSuggestion>();
  if (caller.admin) {
    for (const { id, username, name, blocked } of await store.listUsers()) {
      if (!blocked) found.set(id, { id, username, name });
    }
  } else {
    for (const { id } of (await store.projectsOfUser(caller.id)).slice(0, MAX_PROJECTS_READ)) {
      for (const { userId, username, name, blocked } of await store.listMembers(id)) {
        if (!blocked) found.set(userId, { id: userId, username, name });
      }
    }
  }
  for (const { userId } of await store.listMembers(project.id)) found.delete(userId);
  return [...found.values()].sort((a, b) => (a.username < b.username ? -1 : 1));
}
