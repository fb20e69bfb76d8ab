import { decideOnGroup, isInParent, type Action, type Decision, type GroupAccess } from '../../auth/policy.ts';
import type { Principal } from '../../auth/principal.ts';
import { AppError } from '../../domain/app-error.ts';
import { assertFreeForGroup } from '../../domain/projects/free-paths.ts';
import { NO_DEFAULTS } from '../../domain/projects/group-defaults.ts';
import { groupPathsOf, isBelow, lastPart } from '../../domain/projects/group-paths.ts';
import { inheritedLevel, type Group } from '../../domain/projects/group.ts';
import type { Project } from '../../domain/projects/project.ts';
import { isImpossible } from './project-lookup.ts';
import type { GatewayStore } from './route-deps.ts';

/** Group that has a row, or projects. */
export interface FoundGroup extends Omit<Group, 'id' | 'createdAt'> {
  /** Null: it was never made; it is there because it has projects. */
  readonly id: number | null;
  readonly createdAt: number | null;
}

type Groups = Pick<GatewayStore, 'groupById' | 'groupByPath' | 'projectsBelow'>;
type Roles = Groups & Pick<GatewayStore, 'groupRoles' | 'projectsOfUser'>;

/** Finds a group by its id, or by its full path in any case; null when there is none. */
export async function findGroup(store: Groups, reference: string | number): Promise<FoundGroup | null> {
  if (typeof reference === 'number') return store.groupById(reference);
  if (isImpossible(reference) || reference === '') return null;
  const made = await store.groupByPath(reference);
  if (made !== null) return made;
  const [project] = await store.projectsBelow(reference);
  return project === undefined ? null : groupWithoutRow(project.path.slice(0, reference.length));
}

/**
 * Returns the row of a group; makes one for a group that has none yet. Throws `group_not_found` for one that is gone, and
 * `conflict` where a project has the path, or one above.
 */
export async function madeGroup(
  store: Pick<GatewayStore, 'createGroup' | 'groupById' | 'groupByPath' | 'projectByPath'>,
  { id, path, name }: FoundGroup,
): Promise<Group> {
  const made = await (id === null ? store.groupByPath(path) : store.groupById(id));
  if (id === null && made === null) await assertFreeForGroup(store, path);
  const group = id === null ? (made ?? (await store.createGroup({ path, name }))) : made;
  if (group === null) throw new AppError('group_not_found', 'the group was deleted in the meantime');
  return group;
}

/** Returns a group that was never made. */
export function groupWithoutRow(path: string): FoundGroup {
  return { id: null, path, name: lastPart(path), description: null, defaults: NO_DEFAULTS, createdAt: null };
}

/** Returns the groups that projects are in, as groups that were never made, by path in lower case. */
export function groupsOfProjects(projects: readonly Pick<Project, 'path'>[]): Map<string, FoundGroup> {
  const groups = new Map<string, FoundGroup>();
  for (const { path } of projects) {
    for (const group of groupPathsOf(path)) {
      if (!groups.has(group)) groups.set(group, groupWithoutRow(path.slice(0, group.length)));
    }
  }
  return groups;
}

/** Returns what a user has of the group at a path. */
export async function groupAccess(store: Roles, { user }: Principal, path: string): Promise<GroupAccess> {
  const level = inheritedLevel(await store.groupRoles(user.id), path);
  if (level !== null || user.admin) return { level, hasProject: true };
  const hasProject = (await store.projectsOfUser(user.id)).some((project) => isBelow(project.path, path));
  return { level, hasProject };
}

/** Group that a request names, and whether the user may do something with it. */
interface GroupDecision {
  /** Null: unknown. */
  readonly group: FoundGroup | null;
  readonly decision: Decision;
}

/**
 * Finds a group and checks the permission of a user. A group in which something is made, and that is not there yet, has
 * the roles of the groups above.
 */
export async function groupDecision(
  store: Roles,
  principal: Principal,
  action: Action,
  reference: string | number | null,
): Promise<GroupDecision> {
  const group = reference === null ? null : await findGroup(store, reference);
  const newPath = isInParent(action) && typeof reference === 'string' && !isImpossible(reference) ? reference : null;
  const path = group?.path ?? newPath;
  const access = path === null ? null : await groupAccess(store, principal, path);
  return { group, decision: decideOnGroup(principal, action, access) };
}

/** Throws the decision of the policy unless a user may make something in a group; null: in none. */
export async function assertMayMakeIn(
  store: Roles,
  principal: Principal,
  action: 'create_group' | 'create_project',
  path: string | null,
): Promise<void> {
  const { decision } = await groupDecision(store, principal, action, path);
  if (decision !== 'ok') throw new AppError(decision, `${action} is not allowed there`);
}
