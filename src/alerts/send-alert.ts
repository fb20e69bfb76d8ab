import { mailAddresses } from '../domain/alerts/channel-address.ts';
import type { AlertMessage } from '../domain/alerts/alert-message.ts';
import type { AlertSender, SendResult } from '../domain/ports/alert-sender.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { PostOnce } from '../domain/ports/outbound-post.ts';
import type { UnsubscribeLinks } from '../domain/ports/unsubscribe-links.ts';
import { channelRequest } from './channels/channel-request.ts';
import { postResult } from './channels/post-result.ts';
import type { PresentError } from './channels/webhook.ts';
import { composeMail, listOf, type MailRecipients } from './mail/mail-message.ts';
import type { MailServer } from './mail/mail-server.ts';
import type { SendMail } from './mail/send-mail.ts';

export interface AlertSenderDeps {
  readonly post: PostOnce;
  /** Null: mail is not configured. */
  readonly mail: { readonly server: MailServer; readonly send: SendMail } | null;
  readonly links: UnsubscribeLinks;
  readonly presentError: PresentError;
  readonly clock: Clock;
}

const NO_MAIL: SendResult = {
  outcome: 'retry',
  answer: 'mail is not configured: an operator sets ERRGATE_MAIL_URL',
  afterMs: null,
};

/** Creates the sender for all kinds of channels and for people. */
export function createAlertSender({ post, mail, links, presentError, clock }: AlertSenderDeps): AlertSender {
  async function sendMail(message: AlertMessage, recipients: MailRecipients, signal: AbortSignal): Promise<SendResult> {
    return mail === null ? NO_MAIL : mail.send(composeMail(message, recipients, mail.server), signal);
  }

  return {
    mail: mail === null ? null : { from: mail.server.from.address },
    async send(recipient, message, { mayRepeat, signal }) {
      if (recipient.kind === 'person') {
        const unsubscribeUrl = links.linkFor({ userId: recipient.userId, projectId: listOf(message)?.id ?? null });
        return sendMail(message, { to: [recipient.email], unsubscribeUrl }, signal);
      }
      const { type, secrets } = recipient;
      if (type === 'mail') return sendMail(message, { to: mailAddresses(secrets.url), unsubscribeUrl: null }, signal);
      const request = channelRequest(type, secrets, message, { mayRepeat, now: clock.now(), presentError });
      return postResult(await post(request, signal), secrets);
    },
  };
}
