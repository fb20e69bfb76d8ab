import type { Store } from '../../domain/ports/stores/store.ts';
import type { User } from '../../domain/projects/account.ts';
import type { Identity } from '../../domain/projects/identity.ts';
import type { Logger } from '../../observability/logger.ts';
import { applyGroups, type GroupsStore } from './apply-groups.ts';
import type { RoleLog } from './role-log.ts';

interface DisconnectDeps {
  readonly store: GroupsStore & Pick<Store, 'removeIdentity' | 'sessionsOfIdentity' | 'endSession'>;
  readonly logger: Logger;
  readonly roleLog: RoleLog;
}

export type DisconnectIdentity = (user: User, identity: Identity) => Promise<void>;

/**
 * Creates the way to take an account at a provider from a user. Its sessions end, and so do roles and rights by groups
 * of the provider. Another account of the user gives its own again at its next sign-in or check.
 */
export function createDisconnectIdentity(deps: DisconnectDeps): DisconnectIdentity {
  const settings = { adminGroup: null, groupRoles: [] };
  return async (user, identity) => {
    const { store } = deps;
    await applyGroups({ ...deps, settings }, { user, identity, groups: [] });
    await store.removeIdentity(identity.id);
    // One that begins meanwhile ends at its first check.
    for (const hash of await store.sessionsOfIdentity(identity.id, user.id)) await store.endSession(hash);
  };
}
