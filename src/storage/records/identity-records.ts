import type { GrantedRole } from '../../domain/projects/identity.ts';
import type { StoreTable } from '../store-table.ts';
import { grantedRoles, identities } from './kinds/identity-kinds.ts';
import { requiredUser } from './owners.ts';
import type { Records } from './records.ts';
import { change, insert, put, remove, type Write } from './writes.ts';

/** Methods of the port about accounts at identity providers. */
export const IDENTITY_RECORDS = {
  identityOf: (records, issuer, subject) => records.find(identities, { issuer, subject }),
  identitiesOfUser: (records, userId) => records.list(identities, { userId }),
  async addIdentity(records, identity) {
    const row = { ...identity, createdAt: records.now() };
    const [added] = await records.write([insert(identities, row)], [requiredUser(identity.userId)]);
    return added;
  },
  async updateIdentity(records, id, patch) {
    await records.write([change(identities, { id }, patch)]);
  },
  async removeIdentity(records, id) {
    await records.write([remove(identities, { id })]);
  },
  grantedRoles: (records, userId) => records.list(grantedRoles, { userId }),
} as const satisfies StoreTable<Records>;

type Role = Omit<GrantedRole, 'userId'>;

/** Replaces the roles of a user by groups of a provider. */
export interface RoleReplacement {
  /** Empty when nothing changes. */
  readonly writes: readonly Write[];
  /** Paths on which the user has a lower role now, or none. */
  readonly lowered: readonly string[];
}

export function replaceRoles(userId: number, before: readonly Role[], after: readonly Role[]): RoleReplacement {
  const levelIn = (roles: readonly Role[], at: string) => roles.find(({ path }) => path === at)?.level ?? 0;
  const changed = after.filter(({ path, level }) => levelIn(before, path) !== level);
  const gone = before.filter(({ path }) => levelIn(after, path) === 0);
  return {
    writes: [
      ...gone.map(({ path }) => remove(grantedRoles, { userId, path })),
      ...changed.map(({ path, level }) => put(grantedRoles, { userId, path, level })),
    ],
    lowered: before.filter(({ path, level }) => levelIn(after, path) < level).map(({ path }) => path),
  };
}
