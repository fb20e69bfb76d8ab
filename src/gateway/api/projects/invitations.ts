import type { StartedChange } from '../../../audit/audit-trail.ts';
import { AppError } from '../../../domain/app-error.ts';
import { DAY_MS } from '../../../domain/durations.ts';
import type { InvitationDraft, InvitationResult } from '../../../domain/ports/invitations.ts';
import { accessLevelName } from '../../../domain/projects/account.ts';
import { foldEmail, type Invitation, type InvitationPlace } from '../../../domain/projects/invitation.ts';
import { definedMembers } from '../../../lib/defined-members.ts';
import { authorOf } from '../../http/audit/audited-call.ts';
import { entityOfProject } from '../../http/audit/audit-targets.ts';
import { problems, problemSchema } from '../../http/common-schema.ts';
import { offsetPage } from '../../http/page-links.ts';
import { presenter } from '../../http/presenter.ts';
import { projectRoute, type ProjectCall, type Reply, type Route } from '../../http/route.ts';
import { endOfDay } from '../shared/end-of-day.ts';
import { invitationTarget } from './audit-targets.ts';
import {
  invitationSchema,
  invitationsSchema,
  invitedSchema,
  inviteSchema,
  linkSchema,
  listInvitationsSchema,
  updateInvitationSchema,
} from './invitation-schema.ts';
import { levelOf } from '../shared/member-answer.ts';
import { assertMayDecideOn } from './members.ts';

const PATH = '/api/v4/projects/:id/invitations';
/** Days that a link works at most. */
const MAX_DAYS = 90;

const NOT_KEPT = { 'Cache-Control': 'no-store' };
const tooMany = {
  429: {
    description: 'Too many invitations in the last hour; Retry-After says how many seconds to wait',
    schema: problemSchema,
  },
};
const oneInvitation = { 200: { description: 'The invitation', schema: invitationSchema }, ...problems };

const present = presenter(invitationSchema);

type Call = ProjectCall<unknown>;

async function presentInvitation({ deps }: Call, invitation: Invitation) {
  const { invitedBy, email } = invitation;
  const by = invitedBy === null ? null : await deps.store.userById(invitedBy);
  const { mail: canBeMailed } = deps.invitations;
  return present({ ...invitation, inviteEmail: email, createdByName: by?.name ?? null, canBeMailed });
}

const placeOf = ({ project }: Call): InvitationPlace => ({ projectId: project.id });

/** Returns the invitation that the path names by `email`. Throws `not_found` when it was taken up too. */
async function existing(call: Call): Promise<Invitation> {
  const { deps, path } = call;
  const invitation = await deps.store.invitationFor(placeOf(call), foldEmail(path.email ?? ''));
  if (invitation === null || invitation.acceptedAt !== null) throw gone();
  return invitation;
}

const gone = (): AppError => new AppError('not_found', 'the project has no such invitation');

function expiryOf({ deps }: Call, day: string): number {
  const now = deps.clock.now();
  const expiresAt = endOfDay(day, now);
  if (expiresAt <= now + MAX_DAYS * DAY_MS) return expiresAt;
  throw new AppError('bad_request', `expires_at must be at most ${MAX_DAYS} days from now.`);
}

/** Presents the results in the shape of the host. */
function invited(results: readonly InvitationResult[]) {
  const wrong = results.flatMap(({ email, refusal, problem }) => {
    const reason = refusal ?? problem;
    return reason === null ? [] : [[email, reason] as const];
  });
  const links = results.flatMap(({ email, url }) => (url === null ? [] : [{ invite_email: email, url }]));
  return {
    status: wrong.length === 0 ? 'success' : 'error',
    ...(wrong.length === 0 ? {} : { message: Object.fromEntries(wrong) }),
    ...(links.length === 0 ? {} : { links }),
  };
}

export const invitationRoutes: readonly Route[] = [
  projectRoute({
    method: 'GET',
    path: PATH,
    operationId: 'listInvitations',
    summary: 'List the invitations that nobody has taken up, also expired ones, paged by page and per_page',
    action: 'read_invitations',
    parameters: listInvitationsSchema,
    pagedByOffset: true,
    responses: { 200: { description: 'One page of invitations, by id', schema: invitationsSchema }, ...problems },
    async handle(call) {
      const part = call.params.query?.toLowerCase() ?? '';
      const all = await call.deps.store.listInvitations(placeOf(call));
      const waiting = all.filter(({ acceptedAt, email }) => acceptedAt === null && email.includes(part));
      const { items, headers } = offsetPage(call, waiting);
      return { status: 200, headers, body: await Promise.all(items.map((one) => presentInvitation(call, one))) };
    },
  }),
  projectRoute({
    method: 'POST',
    path: PATH,
    operationId: 'invite',
    summary: 'Invite e-mail addresses to a role that is not above your own; sends the mails, or returns the links',
    action: 'manage_members',
    audit: { byHandler: ['invitation_created'] },
    parameters: inviteSchema,
    responses: {
      201: { description: 'What became of each address', schema: invitedSchema },
      ...problems,
      409: { description: 'The project has too many invitations', schema: problemSchema },
      ...tooMany,
    },
    async handle(call) {
      const { deps, params, principal } = call;
      const accessLevel = levelOf(params.access_level);
      await assertMayDecideOn(call, accessLevel);
      const emails = [...new Set(params.email.map(foldEmail))];
      const expiresAt = params.expires_at === undefined ? null : expiryOf(call, params.expires_at);
      const draft = { place: placeOf(call), emails, accessLevel, expiresAt, invitedBy: principal.user };
      const results = await audited(call, draft, () => deps.invitations.invite(draft));
      return { status: 201, headers: NOT_KEPT, body: invited(results) };
    },
  }),
  projectRoute({
    method: 'PUT',
    path: `${PATH}/:email`,
    operationId: 'updateInvitation',
    summary: 'Change the role or the last day of an invitation; its link then gives the new role',
    action: 'manage_members',
    audit: { event: 'invitation_changed', target: invitationTarget },
    parameters: updateInvitationSchema,
    responses: oneInvitation,
    async handle(call) {
      const { deps, params, principal } = call;
      const invitation = await existing(call);
      const accessLevel = params.access_level === undefined ? undefined : levelOf(params.access_level);
      await assertMayDecideOn(call, invitation.accessLevel, accessLevel ?? invitation.accessLevel);
      const expiresAt = params.expires_at === undefined ? undefined : expiryOf(call, params.expires_at);
      const invitedBy = accessLevel === undefined ? undefined : principal.user.id;
      const patch = definedMembers({ accessLevel, expiresAt, invitedBy });
      const changed = await deps.store.changeInvitation(invitation.id, patch);
      if (changed === null) throw gone();
      return { status: 200, body: await presentInvitation(call, changed) };
    },
  }),
  projectRoute({
    method: 'DELETE',
    path: `${PATH}/:email`,
    operationId: 'withdrawInvitation',
    summary: 'Withdraw an invitation; its link stops working at once',
    action: 'manage_members',
    audit: { event: 'invitation_withdrawn', target: invitationTarget },
    responses: { 204: { description: 'The invitation was withdrawn' }, ...problems },
    async handle(call) {
      const invitation = await existing(call);
      await assertMayDecideOn(call, invitation.accessLevel);
      await call.deps.store.removeInvitation(invitation.id);
      return { status: 204, body: null };
    },
  }),
  projectRoute({
    method: 'POST',
    path: `${PATH}/:email/link`,
    operationId: 'linkOfInvitation',
    summary: 'Make a new link of an invitation, which only this response contains; the one of before stops working',
    action: 'manage_members',
    audit: { event: 'invitation_renewed', target: invitationTarget },
    responses: { 201: { description: 'The link', schema: linkSchema }, ...problems },
    handle: (call) => renewed(call, false),
  }),
  projectRoute({
    method: 'POST',
    path: `${PATH}/:email/mail`,
    operationId: 'mailInvitation',
    summary: 'Send an invitation again with a new link; the one of before stops working',
    action: 'manage_members',
    audit: { event: 'invitation_renewed', target: invitationTarget },
    responses: { 201: { description: 'What became of it', schema: invitedSchema }, ...problems, ...tooMany },
    async handle(call) {
      if (call.deps.invitations.mail) return renewed(call, true);
      throw new AppError('bad_request', 'Mail is not configured: copy the link, or an operator sets ERRGATE_MAIL_URL.');
    },
  }),
];

/** Invites. The audit log has each address before, and what became of it afterwards. */
async function audited(
  call: Call,
  { emails, accessLevel }: InvitationDraft,
  invite: () => Promise<InvitationResult[]>,
): Promise<InvitationResult[]> {
  const { auditTrail } = call.deps;
  const started = new Map<string, StartedChange>();
  for (const email of emails) {
    const target = { type: 'Invitation', id: null, name: email };
    const entry = {
      event: 'invitation_created',
      target,
      author: authorOf(call),
      entity: entityOfProject(call.project),
    } as const;
    started.set(email, await auditTrail.begin({ ...entry, after: { role: accessLevelName(accessLevel) } }));
  }
  try {
    const results = await invite();
    for (const { email, refusal } of results) {
      if (refusal === null) await started.get(email)?.done({});
      else await started.get(email)?.failed(new AppError('conflict', refusal));
    }
    return results;
  } catch (error) {
    for (const each of started.values()) await each.failed(error);
    throw error;
  }
}

/** Makes a new link of an invitation, whose role must not be above that of the caller. */
async function renewed(call: Call, byMail: boolean): Promise<Reply> {
  const invitation = await existing(call);
  await assertMayDecideOn(call, invitation.accessLevel);
  const link = await call.deps.invitations.renewLink(invitation, call.principal.user, byMail);
  if (link === null) throw gone();
  const { email } = invitation;
  const body = byMail ? invited([{ ...link, email, refusal: null }]) : { invite_email: email, url: link.url };
  return { status: 201, headers: NOT_KEPT, body };
}
