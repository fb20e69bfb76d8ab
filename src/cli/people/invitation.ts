import type { Command } from 'commander';
import { invitationValues, roleValues, targetOf } from '../../audit/shown-values.ts';
import { AppError } from '../../domain/app-error.ts';
import type { AuditEntity } from '../../domain/audit/audit-event.ts';
import { systemClock } from '../../domain/ports/clock.ts';
import type { InvitationResult } from '../../domain/ports/invitations.ts';
import type { Store } from '../../domain/ports/stores/store.ts';
import { accessLevelName, type AccessLevel } from '../../domain/projects/account.ts';
import { foldEmail, inGroup, inProject, isOpen, type InvitationPlace } from '../../domain/projects/invitation.ts';
import { findGroup, madeGroup } from '../../gateway/http/group-lookup.ts';
import { parseEmail } from '../call/arguments.ts';
import { type Operand, withOperands } from '../call/operands.ts';
import { printJson, printLine, printList, timeText } from '../call/output.ts';
import { findPlace, PLACE, ROLE } from './member.ts';
import { externalUrl, type Session, withStore } from './session.ts';

const EMAIL: Operand<string> = { description: 'e-mail address', parse: (text) => foldEmail(parseEmail(text)) };

/** Returns where invitations of a project or group are; null: a group that was never made, which has none. */
function placeOf({ type, id }: AuditEntity): InvitationPlace | null {
  if (id === null) return null;
  return type === 'Group' ? inGroup(id) : inProject(id);
}

/** Makes the row of a group that has none yet. */
async function madePlace(store: Store, { path }: AuditEntity): Promise<InvitationPlace> {
  const group = await findGroup(store, path);
  if (group === null) throw new AppError('group_not_found', `there is no group ${path}`);
  return inGroup((await madeGroup(store, group)).id);
}

/** Invites an address. Sends no mail: the operator has the link. Throws `conflict` with the reason of a refusal. */
async function invited(session: Session, entity: AuditEntity, email: string, accessLevel: AccessLevel) {
  const { config, store, audit } = session;
  const { createInviting } = await import('../../invitations/invite.ts');
  const address = await externalUrl(config);
  const { days } = config.invitations;
  const { invite } = createInviting({
    ...{ store, days, clock: systemClock, externalUrl: () => address, sendMail: null },
    auditTrail: { around: (entry, change, result) => audit.change(entry, change, result) },
  });
  const target = targetOf('Invitation', null, email);
  const entry = { event: 'invitation_created', entity, target, after: roleValues({ accessLevel }) } as const;
  return audit.change(entry, async (): Promise<InvitationResult> => {
    const place = placeOf(entity) ?? (await madePlace(store, entity));
    const [result] = await invite({ place, emails: [email], accessLevel, expiresAt: null, invitedBy: null });
    if (result === undefined) throw new TypeError('an invitation has no result');
    if (result.refusal !== null) throw new AppError('conflict', `${email}: ${result.refusal}`);
    return result;
  });
}

export function addInvitationCommands(program: Command): void {
  const invitation = program.command('invitation').description('invitations of people to a project or a group');

  withOperands(
    invitation
      .command('add')
      .description('invite an e-mail address, and print the link for the person')
      .option('--json', 'print JSON'),
    { place: PLACE, email: EMAIL, role: ROLE },
    async ({ place, email, role }, { json }: { json?: boolean }) => {
      await withStore(async (session) => {
        const { entity, path } = await findPlace(session.store, place);
        const { url } = await invited(session, entity, email, role);
        if (json === true) printJson({ email, role: accessLevelName(role), url });
        else if (url === null) printLine(`${email} has an account, and is ${accessLevelName(role)} of ${path} now`);
        else printLine(url);
      });
    },
  );

  withOperands(
    invitation.command('remove').description('withdraw an invitation; its link stops working'),
    { place: PLACE, email: EMAIL },
    async (values) => {
      await withStore(async ({ store, audit }) => {
        const { entity, path } = await findPlace(store, values.place);
        const place = placeOf(entity);
        const found = place === null ? null : await store.invitationFor(place, values.email);
        if (found === null || found.acceptedAt !== null) {
          throw new AppError('not_found', `${path} has no invitation of ${values.email}`);
        }
        const target = targetOf('Invitation', found.id, found.email);
        const before = invitationValues(found);
        await audit.change({ event: 'invitation_withdrawn', entity, target, before }, () =>
          store.removeInvitation(found.id),
        );
        printLine(`withdrew the invitation of ${found.email} to ${path}`);
      });
    },
  );

  withOperands(
    invitation
      .command('list')
      .description('list the invitations that nobody has taken up')
      .option('--json', 'print JSON'),
    { place: PLACE },
    async (values, options: { json?: boolean }) => {
      const rows = await withStore(async ({ store }) => {
        const place = placeOf((await findPlace(store, values.place)).entity);
        return place === null ? [] : store.listInvitations(place);
      });
      const now = systemClock.now();
      const shown = rows
        .filter(({ acceptedAt }) => acceptedAt === null)
        .map((row) => ({
          email: row.email,
          role: accessLevelName(row.accessLevel),
          expires_at: timeText(row.expiresAt),
          expired: !isOpen(row, now),
          sent_at: timeText(row.sentAt),
        }));
      const head = ['email', 'role', 'expires', 'expired', 'mailed'];
      printList(shown, options.json, head, (one) => [
        ...[one.email, one.role, one.expires_at, one.expired, one.sent_at],
      ]);
    },
  );
}
