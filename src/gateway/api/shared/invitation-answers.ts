import type { StartedChange } from '../../../audit/audit-trail.ts';
import { AppError } from '../../../domain/app-error.ts';
import type { AuditEntity } from '../../../domain/audit/audit-event.ts';
import { DAY_MS } from '../../../domain/durations.ts';
import type { InvitationDraft, InvitationResult } from '../../../domain/ports/invitations.ts';
import { accessLevelName } from '../../../domain/projects/account.ts';
import { foldEmail, type Invitation, type InvitationPlace } from '../../../domain/projects/invitation.ts';
import { definedMembers } from '../../../lib/defined-members.ts';
import { authorOf } from '../../http/audit/audited-call.ts';
import { offsetPage } from '../../http/page-links.ts';
import { presenter } from '../../http/presenter.ts';
import type { CommonDeps } from '../../http/route-deps.ts';
import type { AccountCall, Reply } from '../../http/route.ts';
import { endOfDay } from './end-of-day.ts';
import { invitationSchema } from './invitation-schema.ts';
import { levelOf } from './member-answer.ts';

/** Days that a link works at most. */
const MAX_DAYS = 90;
const NOT_KEPT = { 'Cache-Control': 'no-store' };

const present = presenter(invitationSchema);

type Call<P = unknown> = AccountCall<P, CommonDeps>;

/** Project or group of a request about invitations. */
export interface InvitedPlace {
  /** Null: a group that was never made, which has none. */
  readonly place: InvitationPlace | null;
  readonly entity: AuditEntity;
  /** Role of the caller there. */
  readonly held: number;
}

async function presentInvitation({ deps }: Call, invitation: Invitation) {
  const { invitedBy, email } = invitation;
  const by = invitedBy === null ? null : await deps.store.userById(invitedBy);
  const { mail: canBeMailed } = deps.invitations;
  return present({ ...invitation, inviteEmail: email, createdByName: by?.name ?? null, canBeMailed });
}

/** Throws `forbidden` for a role above that of the caller. */
function assertMayDecideOn({ held }: InvitedPlace, ...levels: readonly number[]): void {
  if (levels.some((level) => level > held)) throw new AppError('forbidden', 'the role is higher than your own');
}

/** Returns the invitation that the path names by `email`. Throws `not_found` when it was taken up too. */
async function existing({ deps, path }: Call, { place }: InvitedPlace): Promise<Invitation> {
  const email = foldEmail(path.email ?? '');
  const invitation = place === null ? null : await deps.store.invitationFor(place, email);
  if (invitation === null || invitation.acceptedAt !== null) throw gone();
  return invitation;
}

const gone = (): AppError => new AppError('not_found', 'there is no such invitation');

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

/** Lists those that nobody has taken up. */
export async function listInvitations(
  call: Call<{ readonly query?: string }>,
  { place }: InvitedPlace,
): Promise<Reply> {
  const part = call.params.query?.toLowerCase() ?? '';
  const all = place === null ? [] : await call.deps.store.listInvitations(place);
  const waiting = all.filter(({ acceptedAt, email }) => acceptedAt === null && email.includes(part));
  const { items, headers } = offsetPage(call, waiting);
  return { status: 200, headers, body: await Promise.all(items.map((one) => presentInvitation(call, one))) };
}

interface Asked {
  readonly email: readonly string[];
  readonly access_level: number;
  readonly expires_at?: string;
}

/** Invites addresses. `made`: makes the row of a group that has none, once it is known that the request is good. */
export async function invite(
  call: Call<Asked>,
  at: InvitedPlace,
  made: () => Promise<InvitationPlace>,
): Promise<Reply> {
  const { params, principal } = call;
  const accessLevel = levelOf(params.access_level);
  assertMayDecideOn(at, accessLevel);
  const emails = [...new Set(params.email.map(foldEmail))];
  const expiresAt = params.expires_at === undefined ? null : expiryOf(call, params.expires_at);
  const draft = { place: at.place ?? (await made()), emails, accessLevel, expiresAt, invitedBy: principal.user };
  const results = await audited(call, at.entity, draft);
  return { status: 201, headers: NOT_KEPT, body: invited(results) };
}

/** Invites. The audit log has each address before, and what became of it afterwards. */
async function audited(call: Call, entity: AuditEntity, draft: InvitationDraft): Promise<InvitationResult[]> {
  const { auditTrail, invitations } = call.deps;
  const started = new Map<string, StartedChange>();
  const after = { role: accessLevelName(draft.accessLevel) };
  for (const email of draft.emails) {
    const target = { type: 'Invitation', id: null, name: email };
    const entry = { event: 'invitation_created', target, author: authorOf(call), entity, after } as const;
    started.set(email, await auditTrail.begin(entry));
  }
  try {
    const results = await invitations.invite(draft);
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

/** Changes the role or the last day. The role belongs to who changed it. */
export async function updateInvitation(
  call: Call<{ readonly access_level?: number; readonly expires_at?: string }>,
  at: InvitedPlace,
): Promise<Reply> {
  const { deps, params, principal } = call;
  const invitation = await existing(call, at);
  const accessLevel = params.access_level === undefined ? undefined : levelOf(params.access_level);
  assertMayDecideOn(at, invitation.accessLevel, accessLevel ?? invitation.accessLevel);
  const expiresAt = params.expires_at === undefined ? undefined : expiryOf(call, params.expires_at);
  const invitedBy = accessLevel === undefined ? undefined : principal.user.id;
  const patch = definedMembers({ accessLevel, expiresAt, invitedBy });
  const changed = await deps.store.changeInvitation(invitation.id, patch);
  if (changed === null) throw gone();
  return { status: 200, body: await presentInvitation(call, changed) };
}

export async function withdrawInvitation(call: Call, at: InvitedPlace): Promise<Reply> {
  const invitation = await existing(call, at);
  assertMayDecideOn(at, invitation.accessLevel);
  await call.deps.store.removeInvitation(invitation.id);
  return { status: 204, body: null };
}

/** Makes a new link. Throws `bad_request` when it cannot be mailed. */
export async function renewInvitation(call: Call, at: InvitedPlace, byMail: boolean): Promise<Reply> {
  const { invitations } = call.deps;
  const invitation = await existing(call, at);
  assertMayDecideOn(at, invitation.accessLevel);
  if (byMail && !invitations.mail) {
    throw new AppError('bad_request', 'Mail is not configured: copy the link, or an operator sets ERRGATE_MAIL_URL.');
  }
  const link = await invitations.renewLink(invitation, call.principal.user, byMail);
  if (link === null) throw gone();
  const { email } = invitation;
  const body = byMail ? invited([{ ...link, email, refusal: null }]) : { invite_email: email, url: link.url };
  return { status: 201, headers: NOT_KEPT, body };
}
