import { inheritedLevel } from '../../../domain/projects/group.ts';
import { groupsOfProjects, type FoundGroup } from '../../http/group-lookup.ts';
import type { AccountCall } from '../../http/route.ts';
import type { CommonDeps } from '../../http/route-deps.ts';

type Call = Pick<AccountCall<unknown, Pick<CommonDeps, 'store'>>, 'deps' | 'principal'>;

/**
 * Returns the groups in which the user has a role, and those of the user's projects, by path. Administrators get all
 * groups.
 */
export async function visibleGroups({ deps: { store }, principal: { user } }: Call): Promise<FoundGroup[]> {
  const [made, projects, roles] = await Promise.all([
    store.listGroups(),
    user.admin ? store.listProjects() : store.projectsOfUser(user.id),
    store.groupRoles(user.id),
  ]);
  const groups = groupsOfProjects(projects);
  for (const group of made) {
    const key = group.path.toLowerCase();
    if (user.admin || groups.has(key) || inheritedLevel(roles, group.path) !== null) groups.set(key, group);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}
