import type { Config } from '../../config/schema.ts';
import { mailServer } from '../alerts/mail/mail-server.ts';
import { createSendMail } from '../alerts/mail/send-mail.ts';
import { createAlertSender } from '../alerts/send-alert.ts';
import type { AlertSender } from '../domain/ports/alert-sender.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { UnsubscribeLinks } from '../domain/ports/unsubscribe-links.ts';
import { presentError } from '../gateway/api/errors/error-presenter.ts';
import { createOutboundPost } from '../thirdparty/http/outbound-post.ts';
import type { UrlGuard } from '../thirdparty/guard/url-guard.ts';

export interface SenderParts {
  readonly guard: UrlGuard;
  readonly links: UnsubscribeLinks;
  readonly clock: Clock;
  readonly externalUrl: () => string;
}

/**
 * Builds the sender of alerts at its first use, because mails name the address of the service, which may be known only
 * once the service listens.
 */
export function composeAlertSender(config: Config, { guard, links, clock, externalUrl }: SenderParts): AlertSender {
  let made: AlertSender | null = null;
  const sender = (): AlertSender => {
    if (made !== null) return made;
    const url = externalUrl();
    const server = mailServer(config.mail, url);
    made = createAlertSender({
      post: createOutboundPost(guard, clock),
      mail: server === null ? null : { server, send: createSendMail(server) },
      links,
      presentError: (error, project) =>
        presentError(error, { project, integrated: error.tracker === null, externalUrl: url }),
      clock,
    });
    return made;
  };
  return {
    get mail() {
      return config.mail.url === null ? null : sender().mail;
    },
    send: (recipient, message, options) => sender().send(recipient, message, options),
  };
}
