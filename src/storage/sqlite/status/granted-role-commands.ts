import type { GrantedRole } from '../../../domain/projects/identity.ts';
import { grantedRoles } from '../../records/kinds/identity-kinds.ts';
import { replaceRoles } from '../../records/identity-records.ts';
import { requiredUser } from '../../records/owners.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { projectsAt } from '../projects/roles.ts';
import { listRecords, writeRecords } from '../records/record-statements.ts';
import { settleRole } from './member-commands.ts';

export function replaceGrantedRoles(
  context: WriteContext,
  userId: number,
  roles: readonly Omit<GrantedRole, 'userId'>[],
): void {
  const { db } = context;
  const { writes, lowered } = replaceRoles(userId, listRecords(db, grantedRoles, { userId }), roles);
  if (writes.length === 0) return;
  writeRecords(db, writes, [requiredUser(userId)]);
  const ids = lowered.flatMap((path) => projectsAt(db, path).map(({ id }) => id));
  for (const id of new Set(ids)) settleRole(context, id, userId);
}
