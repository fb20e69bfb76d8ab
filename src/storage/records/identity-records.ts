import type { StoreTable } from '../store-table.ts';
import { grantedRoles, identities } from './kinds/identity-kinds.ts';
import { requiredUser } from './owners.ts';
import type { Records } from './records.ts';
import { change, insert, put, remove } from './writes.ts';

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
  grantedRoles: (records, userId) => records.list(grantedRoles, { userId }),
  async replaceGrantedRoles(records, userId, roles) {
    const before = await records.list(grantedRoles, { userId });
    const changed = roles.filter(({ path, level }) => !before.some((had) => had.path === path && had.level === level));
    const gone = before.filter(({ path }) => !roles.some((role) => role.path === path));
    if (changed.length === 0 && gone.length === 0) return;
    await records.write(
      [
        ...gone.map(({ path }) => remove(grantedRoles, { userId, path })),
        ...changed.map(({ path, level }) => put(grantedRoles, { userId, path, level })),
      ],
      [requiredUser(userId)],
    );
  },
} as const satisfies StoreTable<Records>;
