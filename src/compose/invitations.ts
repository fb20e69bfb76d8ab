import type { Config } from '../../config/schema.ts';
import type { AuditTrail } from '../audit/audit-trail.ts';
import { composeInvitationMail } from '../alerts/mail/invitation-mail.ts';
import { mailServer } from '../alerts/mail/mail-server.ts';
import { createSendMail } from '../alerts/mail/send-mail.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { Invitations } from '../domain/ports/invitations.ts';
import type { Store } from '../domain/ports/stores/store.ts';
import { createInviting, type InviteOptions } from '../invitations/invite.ts';
import { createTakingUp } from '../invitations/take-up.ts';

export interface InvitationParts {
  readonly store: Store;
  readonly auditTrail: Pick<AuditTrail, 'around'>;
  readonly clock: Clock;
  readonly externalUrl: () => string;
}

/** Builds the use cases of invitations. */
export function composeInvitations(
  config: Pick<Config, 'mail' | 'invitations' | 'passwordSignIn'>,
  parts: InvitationParts,
): Invitations {
  const { days } = config.invitations;
  return {
    mail: config.mail.url !== null,
    ...createInviting({ ...parts, days, sendMail: sendMailOf(config, parts) }),
    ...createTakingUp({ ...parts, passwordSignIn: config.passwordSignIn }),
  };
}

/** Returns what sends the mails; null: mail is not configured. The sender is known once the service listens. */
function sendMailOf({ mail }: Pick<Config, 'mail'>, { externalUrl }: InvitationParts): InviteOptions['sendMail'] {
  if (mail.url === null) return null;
  return (invitation, signal) => {
    const server = mailServer(mail, externalUrl());
    if (server === null) throw new TypeError('mail is configured and has no server');
    return createSendMail(server)(composeInvitationMail(invitation, server), signal);
  };
}
