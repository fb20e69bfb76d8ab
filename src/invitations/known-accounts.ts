import type { Store } from '../domain/ports/stores/store.ts';
import type { User } from '../domain/projects/account.ts';

/** Maximum of projects whose members are read, the oldest ones first. */
const MAX_PROJECTS_READ = 200;

type AccountStore = Pick<Store, 'listUsers' | 'listMembers' | 'projectsOfUser'>;

/**
 * Returns accounts by their confirmed addresses, where exactly one account has the address. Only those that the person
 * sees as members of a project of theirs: others are invited as if they had no account, so that nobody learns who has
 * one. Administrators and operators (null) see all. Blocked accounts are left out.
 */
export async function knownAccounts(store: AccountStore, by: User | null): Promise<ReadonlyMap<string, User>> {
  const users = await store.listUsers();
  const visible = by === null || by.admin ? null : await colleagues(store, by.id);
  const byEmail = new Map<string, User[]>();
  for (const user of users) {
    const email = user.email?.toLowerCase();
    if (email !== undefined) byEmail.set(email, [...(byEmail.get(email) ?? []), user]);
  }
  const found = [...byEmail].flatMap(([email, [only, ...more]]) => {
    const isUsable = only !== undefined && more.length === 0 && only.emailConfirmed && !only.blocked;
    return isUsable && (visible === null || visible.has(only.id)) ? [[email, only] as const] : [];
  });
  return new Map(found);
}

/** Returns the ids of the members of a user's projects. */
async function colleagues(store: AccountStore, userId: number): Promise<ReadonlySet<number>> {
  const ids = new Set<number>();
  for (const { id } of (await store.projectsOfUser(userId)).slice(0, MAX_PROJECTS_READ)) {
    for (const member of await store.listMembers(id)) ids.add(member.userId);
  }
  return ids;
}
