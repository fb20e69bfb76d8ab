import type { GrantedRole } from '../../../domain/projects/identity.ts';
import { grantedRoles } from '../../records/kinds/identity-kinds.ts';
import { replaceRoles } from '../../records/identity-records.ts';
import { requiredUser } from '../../records/owners.ts';
import type { MongoContext } from '../engine/context.ts';
import { projectByPath } from '../projects/project-views.ts';
import { projectsBelow } from '../projects/roles.ts';
import { mongoRecords } from '../records/mongo-records.ts';
import { settleRole } from './member-commands.ts';

export async function replaceGrantedRoles(
  context: MongoContext,
  userId: number,
  roles: readonly Omit<GrantedRole, 'userId'>[],
): Promise<void> {
  const records = mongoRecords(context);
  const { writes, lowered } = replaceRoles(userId, await records.list(grantedRoles, { userId }), roles);
  if (writes.length === 0) return;
  await records.write(writes, [requiredUser(userId)]);
  const ids = new Set<number>();
  for (const path of lowered) {
    const [at, below] = await Promise.all([projectByPath(context, path), projectsBelow(context, path)]);
    if (at !== null && !at.moved) ids.add(at.project.id);
    for (const { id } of below) ids.add(id);
  }
  for (const id of ids) await settleRole(context, id, userId);
}
