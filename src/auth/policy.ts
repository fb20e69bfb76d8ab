import { ACCESS_LEVELS, type AccessLevel, type AccessLevelName, type TokenScope } from '../domain/projects/account.ts';
import type { Project } from '../domain/projects/project.ts';
import type { Principal } from './principal.ts';

export interface Rule {
  /** Minimum role in the project, or in the group; null: the action is about neither. */
  readonly role: AccessLevelName | null;
  /** `group`: a group that is there. `parent`: the group in which something is made, which may not be there yet. */
  readonly of?: 'group' | 'parent';
  /** True: a role in a project of the group is enough. */
  readonly throughProjects?: true;
  /** Token scopes; one of them is enough. */
  readonly scopes: readonly TokenScope[];
  /** True: only administrators may. */
  readonly admin?: true;
  /** True: the action does not exist (404) while the project's Monitor feature is off. */
  readonly monitor: boolean;
}

const READ = ['api', 'read_api'] as const;
const WRITE = ['api'] as const;
const BUILD = ['api', 'ci'] as const;

/** Permission table. The gateway reads it through `decide`; the tests check every row. */
export const POLICY = {
  read_self: { role: null, scopes: READ, monitor: false },
  update_self: { role: null, scopes: WRITE, monitor: false },
  manage_tokens: { role: null, scopes: WRITE, monitor: false },
  manage_sessions: { role: null, scopes: WRITE, monitor: false },
  read_project: { role: 'guest', scopes: READ, monitor: false },
  create_project: { role: 'maintainer', of: 'parent', scopes: WRITE, monitor: false },
  // Gives the members of other groups a role in the project.
  move_project: { role: 'owner', scopes: WRITE, monitor: false },
  delete_project: { role: 'owner', scopes: WRITE, monitor: false },
  read_members: { role: 'guest', scopes: READ, monitor: false },
  manage_members: { role: 'maintainer', scopes: WRITE, monitor: false },
  // Names e-mail addresses.
  read_invitations: { role: 'maintainer', scopes: READ, monitor: false },
  // The link of the invitation stands for the right.
  take_up_invitation: { role: null, scopes: WRITE, monitor: false },
  // Names members of other projects of the caller, whom the caller can see there.
  suggest_members: { role: 'maintainer', scopes: READ, monitor: false },
  // Lists hide projects and groups in which the caller has no role.
  read_group: { role: 'guest', of: 'group', throughProjects: true, scopes: READ, monitor: false },
  read_group_members: { role: 'guest', of: 'group', scopes: READ, monitor: false },
  // The highest role, so that nobody grants, changes or removes a role above their own.
  read_group_invitations: { role: 'owner', of: 'group', scopes: READ, monitor: false },
  manage_group_members: { role: 'owner', of: 'group', scopes: WRITE, monitor: false },
  update_group: { role: 'owner', of: 'group', scopes: WRITE, monitor: false },
  delete_group: { role: 'owner', of: 'group', scopes: WRITE, monitor: false },
  read_group_audit: { role: 'owner', of: 'group', scopes: READ, monitor: false },
  create_group: { role: 'maintainer', of: 'parent', scopes: WRITE, monitor: false },
  read_users: { role: null, scopes: READ, monitor: false, admin: true },
  manage_users: { role: null, scopes: WRITE, monitor: false, admin: true },
  read_instance: { role: null, scopes: READ, monitor: false, admin: true },
  read_instance_audit: { role: null, scopes: READ, monitor: false, admin: true },
  // Names people with their addresses.
  read_audit: { role: 'owner', scopes: READ, monitor: false },
  update_project: { role: 'maintainer', scopes: WRITE, monitor: false },
  read_settings: { role: 'maintainer', scopes: READ, monitor: false },
  update_settings: { role: 'maintainer', scopes: WRITE, monitor: false },
  read_alerts: { role: 'maintainer', scopes: READ, monitor: false },
  // Sends to addresses, and makes the service send requests to them.
  manage_alerts: { role: 'maintainer', scopes: WRITE, monitor: false },
  // Names the people and channels that were told.
  read_error_alerts: { role: 'developer', scopes: READ, monitor: true },
  // Sends everything a project accepts to an address.
  manage_forwarding: { role: 'maintainer', scopes: WRITE, monitor: false },
  // Makes the service send requests to an address, so a scope for reading is not enough.
  connect_tracker: { role: 'maintainer', scopes: WRITE, monitor: true },
  // Makes the service read everything from the linked tracker, and may switch the backend.
  move_in: { role: 'maintainer', scopes: WRITE, monitor: false },
  // A client key is a secret that allows sending events, so reading it requires the full scope.
  read_keys: { role: 'maintainer', scopes: WRITE, monitor: false },
  manage_keys: { role: 'maintainer', scopes: WRITE, monitor: false },
  read_errors: { role: 'reporter', scopes: READ, monitor: true },
  update_errors: { role: 'developer', scopes: WRITE, monitor: true },
  // Frames lead to the repository; the token of the issue tracker is never shown.
  read_links: { role: 'reporter', scopes: READ, monitor: false },
  // Makes the service send requests to an address.
  update_links: { role: 'maintainer', scopes: WRITE, monitor: false },
  // What a person sets for a project: no other one sees it.
  read_views: { role: 'reporter', scopes: READ, monitor: true },
  update_views: { role: 'reporter', scopes: WRITE, monitor: true },
  update_favourites: { role: 'guest', scopes: WRITE, monitor: false },
  // Removes what happened for good, and may drop events in future.
  delete_errors: { role: 'maintainer', scopes: WRITE, monitor: true },
  send_test_event: { role: 'maintainer', scopes: WRITE, monitor: false },
  read_outcomes: { role: 'maintainer', scopes: READ, monitor: false },
  // The tools of agents check each project that a call names, and the scope of a change.
  use_agent_tools: { role: null, scopes: READ, monitor: false },
  // The routes of build tools check each project that a request names, by `upload_artifacts`.
  use_build_tools: { role: null, scopes: BUILD, monitor: false },
  upload_artifacts: { role: 'developer', scopes: BUILD, monitor: false },
  manage_build_tokens: { role: 'maintainer', scopes: WRITE, monitor: false },
  read_artifacts: { role: 'reporter', scopes: READ, monitor: true },
  manage_artifacts: { role: 'maintainer', scopes: WRITE, monitor: true },
} as const satisfies Record<string, Rule>;

export type Action = keyof typeof POLICY;

/**
 * Result of a check. `project_not_found`, `group_not_found`: it is unknown, or invisible to the user. `not_found`: the
 * project is visible, but the feature is off.
 */
export type Decision =
  'ok' | 'insufficient_scope' | 'project_not_found' | 'group_not_found' | 'forbidden' | 'not_found';

/** Effective role level in a project (0: none). Administrators have the highest; others that of their membership. */
export function effectiveLevel(principal: Pick<Principal, 'user'>, level: AccessLevel | null): number {
  return principal.user.admin ? ACCESS_LEVELS.owner : (level ?? 0);
}

/** Whether a user may delete notes of others. Own notes need `update_errors` only. */
export function mayRemoveNotesOfOthers(principal: Pick<Principal, 'user'>, level: AccessLevel | null): boolean {
  return effectiveLevel(principal, level) >= ACCESS_LEVELS.maintainer;
}

/**
 * Checks in this order: scope, visibility of the project, role, Monitor switch. A public project is visible to every
 * signed-in user, without further rights.
 *
 * `project` and `level` are null for actions that are not about a project. `level` is the membership, null without one.
 * A token that is for some projects sees no other one.
 */
export function decide(
  principal: Pick<Principal, 'user' | 'scopes' | 'onlyProjects'>,
  action: Action,
  project: Project | null,
  level: AccessLevel | null,
): Decision {
  const rule: Rule = POLICY[action];
  if (!rule.scopes.some((scope) => principal.scopes.includes(scope))) return 'insufficient_scope';
  if (rule.admin === true && !principal.user.admin) return 'forbidden';
  if (rule.role === null) return 'ok';
  if (project === null || principal.onlyProjects?.includes(project.id) === false) return 'project_not_found';
  const held = effectiveLevel(principal, level);
  if (held === 0 && project.visibility !== 'public') return 'project_not_found';
  if (held < ACCESS_LEVELS[rule.role]) return 'forbidden';
  return rule.monitor && !project.monitorEnabled ? 'not_found' : 'ok';
}

/** True for an action that makes something in a group, which need not be there yet. */
export function isInParent(action: Action): boolean {
  const rule: Rule = POLICY[action];
  return rule.of === 'parent';
}

/** What a user has of a group. */
export interface GroupAccess {
  /** The highest role in the group and in the groups above; null: none. */
  readonly level: AccessLevel | null;
  /** True: they have a role in a project of the group. */
  readonly hasProject: boolean;
}

/**
 * Checks an action on a group: scope, visibility, role. `group`: null for an unknown group, and for what is made in none.
 * Only administrators make something in no group. A token that is for some projects sees no group.
 */
export function decideOnGroup(
  principal: Pick<Principal, 'user' | 'scopes' | 'onlyProjects'>,
  action: Action,
  group: GroupAccess | null,
): Decision {
  const rule: Rule = POLICY[action];
  if (!rule.scopes.some((scope) => principal.scopes.includes(scope))) return 'insufficient_scope';
  const isNew = isInParent(action);
  if (!isNew && (group === null || principal.onlyProjects !== null)) return 'group_not_found';
  const held = effectiveLevel(principal, group?.level ?? null);
  if (held >= ACCESS_LEVELS[rule.role ?? 'owner']) return 'ok';
  const sees = held > 0 || group?.hasProject === true;
  if (!isNew && !sees) return 'group_not_found';
  return rule.throughProjects === true && sees ? 'ok' : 'forbidden';
}
