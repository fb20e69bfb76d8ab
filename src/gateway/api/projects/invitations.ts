import { effectiveLevel } from '../../../auth/policy.ts';
import { inProject } from '../../../domain/projects/invitation.ts';
import { entityOfProject } from '../../http/audit/audit-targets.ts';
import { projectRoute, type ProjectCall, type Route } from '../../http/route.ts';
import {
  invite,
  listInvitations,
  renewInvitation,
  updateInvitation,
  withdrawInvitation,
  type InvitedPlace,
} from '../shared/invitation-answers.ts';
import { invitationDocs } from '../shared/invitation-docs.ts';
import { invitationTarget } from './audit-targets.ts';

async function placeOf({ deps, project, principal }: ProjectCall<unknown>): Promise<InvitedPlace> {
  const held = effectiveLevel(principal, await deps.store.accessLevel(project.id, principal.user.id));
  return { place: inProject(project.id), entity: entityOfProject(project), held };
}

const docs = invitationDocs('/api/v4/projects/:id', '');
const renewed = { event: 'invitation_renewed', target: invitationTarget } as const;

export const invitationRoutes: readonly Route[] = [
  projectRoute({
    ...docs.list,
    action: 'read_invitations',
    handle: async (call) => listInvitations(call, await placeOf(call)),
  }),
  projectRoute({
    ...docs.invite,
    action: 'manage_members',
    handle: async (call) => invite(call, await placeOf(call), () => Promise.resolve(inProject(call.project.id))),
  }),
  projectRoute({
    ...docs.update,
    action: 'manage_members',
    audit: { event: 'invitation_changed', target: invitationTarget },
    handle: async (call) => updateInvitation(call, await placeOf(call)),
  }),
  projectRoute({
    ...docs.withdraw,
    action: 'manage_members',
    audit: { event: 'invitation_withdrawn', target: invitationTarget },
    handle: async (call) => withdrawInvitation(call, await placeOf(call)),
  }),
  projectRoute({
    ...docs.link,
    action: 'manage_members',
    audit: renewed,
    handle: async (call) => renewInvitation(call, await placeOf(call), false),
  }),
  projectRoute({
    ...docs.mail,
    action: 'manage_members',
    audit: renewed,
    handle: async (call) => renewInvitation(call, await placeOf(call), true),
  }),
];
