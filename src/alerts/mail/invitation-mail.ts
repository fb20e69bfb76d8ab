import type { InvitationMail } from '../../domain/ports/invitations.ts';
import { cutText } from '../../lib/text/clean-text.ts';
import { MAX_DETAIL, plainText } from '../event-text.ts';
import { button, line, mailPage, strange } from './mail-page.ts';
import type { Mail } from './mail-message.ts';
import type { MailServer } from './mail-server.ts';

const MAX_SUBJECT = 200;
const ACCEPT = 'Accept the invitation';

/** Makes the mail of an invitation. Names are chosen by strangers, so they are cut and never become links. */
export function composeInvitationMail(invitation: InvitationMail, { domain }: Pick<MailServer, 'domain'>): Mail {
  const { id, email, url, place, role, inviter, expiresAt, at } = invitation;
  const who = inviter === null ? 'An operator' : plainText(inviter, MAX_DETAIL);
  const headline = `Invitation to ${place}`;
  const asked = `${who} invites you to ${place} in errgate, as ${role.slice(0, 1).toUpperCase()}${role.slice(1)}.`;
  const until = `The link works once, until ${utc(expiresAt)}. It gives the role to whoever uses it, so keep it to yourself.`;
  const why = `errgate sends this because ${who} entered your address. Ignore it if you did not expect it.`;
  return {
    to: [email],
    subject: cutText(headline, MAX_SUBJECT),
    text: [headline, '', asked, '', `${ACCEPT}: ${url}`, '', until, '', '-- ', why, ''].join('\n'),
    html: mailPage({
      title: headline,
      rows: [line(strange(asked), 'text'), button(url, ACCEPT), line(strange(until), 'dim', 13)],
      footer: [{ text: why }],
    }),
    date: new Date(at),
    messageId: `<invitation-${id}-${at}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  };
}

/** Returns a time such as `2026-12-05 12:00 UTC`. */
function utc(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
