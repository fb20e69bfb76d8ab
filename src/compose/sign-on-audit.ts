import type { AuditTrail } from '../audit/audit-trail.ts';
import { changesBetween } from '../audit/audit-values.ts';
import { entityOfProject, entityOfUser, identityValues, targetOf, userValues } from '../audit/shown-values.ts';
import type { AccountLog } from '../auth/sign-on/account-log.ts';
import type { RoleChange, RoleLog } from '../auth/sign-on/role-log.ts';
import { INSTANCE, type AuditEntity } from '../domain/audit/audit-event.ts';
import type { Store } from '../domain/ports/stores/store.ts';
import { accessLevelName, type AccessLevel, type User } from '../domain/projects/account.ts';

/** Author of changes that follow from the groups of a person. */
const PROVIDER = { id: null, name: 'identity provider', address: null } as const;

/** Returns the writer of accounts that a provider makes, connects and changes to the audit log. */
export function createAccountLog(auditTrail: Pick<AuditTrail, 'around'>): AccountLog {
  const placeOf = (user: User) => ({ entity: entityOfUser(user), target: targetOf('User', user.id, user.username) });
  return {
    create(user, write) {
      const target = targetOf('User', null, user.username);
      return auditTrail.around(
        { event: 'user_created', author: PROVIDER, entity: INSTANCE, target },
        write,
        (made) => ({ ...placeOf(made), after: userValues(made) }),
      );
    },
    change(user, changed, write) {
      const [before, after] = [userValues(user), userValues(changed)];
      if (changesBetween(before, after).length === 0) return write();
      return auditTrail.around({ event: 'user_changed', author: PROVIDER, ...placeOf(user), before, after }, write);
    },
    connect(user, identity, write) {
      const target = targetOf('Identity', null, identity.name);
      const after = identityValues(identity);
      const entry = {
        event: 'identity_connected',
        author: PROVIDER,
        entity: entityOfUser(user),
        target,
        after,
      } as const;
      return auditTrail.around(entry, write);
    },
  };
}

/** Returns the writer of rights by groups of a provider to the audit log. */
export function createRoleLog(
  store: Pick<Store, 'projectByPath' | 'groupByPath'>,
  auditTrail: Pick<AuditTrail, 'record'>,
): RoleLog {
  /** A group that was never made has no log of its own. */
  async function entityAt(path: string): Promise<AuditEntity> {
    const found = await store.projectByPath(path);
    if (found !== null && !found.moved) return entityOfProject(found.project);
    const group = await store.groupByPath(path);
    return group === null ? INSTANCE : { type: 'Group', id: group.id, path: group.path };
  }

  async function record({ user, path, before, after }: RoleChange): Promise<void> {
    const target = targetOf('User', user.id, user.username);
    if (path === null) {
      const [was, is] = [{ admin: before !== null }, { admin: after !== null }];
      const entity = entityOfUser(user);
      await auditTrail.record({ event: 'user_changed', author: PROVIDER, entity, target, before: was, after: is });
      return;
    }
    const event = before === null ? 'member_added' : after === null ? 'member_removed' : 'member_changed';
    const valuesOf = (level: AccessLevel | 1 | null) =>
      level === null || level === 1 ? null : { path, role: accessLevelName(level) };
    const entity = await entityAt(path);
    await auditTrail.record({
      ...{ event, author: PROVIDER, entity, target: { ...target, type: 'Member' } },
      ...{ before: valuesOf(before), after: valuesOf(after) },
    });
  }
  return record;
}
