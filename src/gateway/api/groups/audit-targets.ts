import { groupValues, invitationValues, roleValues } from '../../../audit/shown-values.ts';
import { directMembers, type Group } from '../../../domain/projects/group.ts';
import { foldEmail, inGroup } from '../../../domain/projects/invitation.ts';
import type { AuditedThing, AuditTarget } from '../../http/audit/audit-rule.ts';
import { entityOfGroup, groupTarget, idOrMade } from '../../http/audit/audit-targets.ts';
import type { FoundGroup } from '../../http/group-lookup.ts';
import type { AnyCall, GroupCall } from '../../http/route.ts';

function thingOf(group: Group | FoundGroup): AuditedThing {
  return { id: group.id, name: group.path, entity: entityOfGroup(group), values: groupValues(group) };
}

/** Returns the group of a request as it is now; one that was never made may have been made since. */
async function groupNow({ deps: { store }, group }: GroupCall<unknown>): Promise<FoundGroup | null> {
  return group.id === null ? ((await store.groupByPath(group.path)) ?? group) : store.groupById(group.id);
}

/** The group of the path. */
export const groupOfRequest = groupTarget('Group', async (call, made) => {
  const id = call.group.id ?? idOrMade(undefined, made);
  const group = id === null ? call.group : await call.deps.store.groupById(id);
  return group === null ? null : thingOf(group);
});

/** The group that was made. */
export const newGroup: AuditTarget<AnyCall> = {
  type: 'Group',
  async read({ deps }, made) {
    const id = idOrMade(undefined, made);
    const group = id === null ? null : await deps.store.groupById(id);
    return group === null ? null : thingOf(group);
  },
};

export const groupMemberTarget = groupTarget('Member', async (call, made) => {
  const group = await groupNow(call);
  if (group === null) return null;
  const id = idOrMade(call.path.user_id, made);
  const members = directMembers(await call.deps.store.listGroupMembers(group.path), 'group', group.path);
  const member = members.find(({ userId }) => userId === id);
  if (member === undefined) return null;
  return { id, name: member.username, entity: entityOfGroup(group), values: roleValues(member) };
});

export const groupInvitationTarget = groupTarget('Invitation', async ({ deps, group, path }) => {
  if (group.id === null) return null;
  const found = await deps.store.invitationFor(inGroup(group.id), foldEmail(path.email ?? ''));
  return found === null ? null : { id: found.id, name: found.email, values: invitationValues(found) };
});
