import type { Config } from '../../config/schema.ts';
import { mailServer } from '../alerts/mail/mail-server.ts';
import { createSendMail } from '../alerts/mail/send-mail.ts';
import { createAlertSender } from '../alerts/send-alert.ts';
import type { AlertSender } from '../domain/ports/alert-sender.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { UnsubscribeLinks } from '../domain/ports/unsubscribe-links.ts';
import { presentError } from '../gateway/presenters/error.ts';
import { createOutboundPost } from '../thirdparty/outbound-post.ts';
import type { UrlGuard } from '../thirdparty/url-guard.ts';

export interface AlertSenderParts {
  readonly guard: UrlGuard;
  readonly clock: Clock;
  readonly links: UnsubscribeLinks;
  /** Address of the service; known once it listens. */
  readonly externalUrl: string;
}

/** Builds the sender of alerts: channels through the guard, mail by the configured server. */
export function composeAlertSender(config: Pick<Config, 'mail'>, parts: AlertSenderParts): AlertSender {
  const { guard, clock, links, externalUrl } = parts;
  const server = mailServer(config.mail, externalUrl);
  return createAlertSender({
    post: createOutboundPost(guard, clock),
    mail: server === null ? null : { server, send: createSendMail(server) },
    links,
    presentError: (error, project) => presentError(error, { project, integrated: error.tracker === null, externalUrl }),
    clock,
  });
}
