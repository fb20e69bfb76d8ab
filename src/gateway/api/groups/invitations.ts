import { effectiveLevel } from '../../../auth/policy.ts';
import { inheritedLevel } from '../../../domain/projects/group.ts';
import { inGroup } from '../../../domain/projects/invitation.ts';
import { entityOfGroup } from '../../http/audit/audit-targets.ts';
import { madeGroup } from '../../http/group-lookup.ts';
import { groupRoute, type GroupCall, type Route } from '../../http/route.ts';
import {
  invite,
  listInvitations,
  renewInvitation,
  updateInvitation,
  withdrawInvitation,
  type InvitedPlace,
} from '../shared/invitation-answers.ts';
import { invitationDocs } from '../shared/invitation-docs.ts';
import { groupInvitationTarget } from './audit-targets.ts';

async function placeOf({ deps, group, principal }: GroupCall<unknown>): Promise<InvitedPlace> {
  const level = inheritedLevel(await deps.store.groupRoles(principal.user.id), group.path);
  const place = group.id === null ? null : inGroup(group.id);
  return { place, entity: entityOfGroup(group), held: effectiveLevel(principal, level) };
}

const docs = invitationDocs('/api/v4/groups/:id', 'Group');
const renewed = { event: 'invitation_renewed', target: groupInvitationTarget } as const;

export const groupInvitationRoutes: readonly Route[] = [
  groupRoute({
    ...docs.list,
    action: 'read_group_invitations',
    handle: async (call) => listInvitations(call, await placeOf(call)),
  }),
  groupRoute({
    ...docs.invite,
    action: 'manage_group_members',
    handle: async (call) =>
      invite(call, await placeOf(call), async () => inGroup((await madeGroup(call.deps.store, call.group)).id)),
  }),
  groupRoute({
    ...docs.update,
    action: 'manage_group_members',
    audit: { event: 'invitation_changed', target: groupInvitationTarget },
    handle: async (call) => updateInvitation(call, await placeOf(call)),
  }),
  groupRoute({
    ...docs.withdraw,
    action: 'manage_group_members',
    audit: { event: 'invitation_withdrawn', target: groupInvitationTarget },
    handle: async (call) => withdrawInvitation(call, await placeOf(call)),
  }),
  groupRoute({
    ...docs.link,
    action: 'manage_group_members',
    audit: renewed,
    handle: async (call) => renewInvitation(call, await placeOf(call), false),
  }),
  groupRoute({
    ...docs.mail,
    action: 'manage_group_members',
    audit: renewed,
    handle: async (call) => renewInvitation(call, await placeOf(call), true),
  }),
];
