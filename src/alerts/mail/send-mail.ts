import { LRUCache } from 'lru-cache';
import type { SendResult } from '../../domain/ports/alert-sender.ts';
import type { Mail } from './mail-message.ts';
import { failedMail, takenMail } from './mail-result.ts';
import type { MailServer } from './mail-server.ts';
import { mailTransport, MAIL_TIMEOUTS, type MailTimeouts } from './mail-transport.ts';

export interface MailClientOptions {
  readonly timeouts?: MailTimeouts;
  /** Certificates of authorities in PEM, instead of those that Node.js knows. */
  readonly authorities?: string;
}

/** Sends one mail over a connection of its own. Never throws; answers have no addresses. */
export type SendMail = (mail: Mail, signal: AbortSignal) => Promise<SendResult>;

/** Maximum mails of which is known which of their addresses took them, while others are to be tried again. */
const MAX_PARTIAL = 1000;

function statusOf(error: unknown): number | null {
  const status: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'responseCode') : null;
  return typeof status === 'number' ? status : null;
}

/**
 * Creates the client of the mail server. Connections are not kept: mails are rare, and a server that hangs holds up only
 * its own mail. Addresses that took a mail do not get it again while others of it are tried again.
 */
export function createSendMail(
  server: MailServer,
  { timeouts = MAIL_TIMEOUTS, authorities }: MailClientOptions = {},
): SendMail {
  const { login, from } = server;
  const { totalMs } = timeouts;
  const transport = mailTransport(server, timeouts, authorities);
  const secrets = [login?.password ?? ''];
  const takenBy = new LRUCache<string, readonly string[]>({ max: MAX_PARTIAL });
  return async (mail, signal) => {
    const { references, ...rest } = mail;
    const before = takenBy.get(mail.messageId) ?? [];
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(totalMs)]);
    try {
      const info = await transport.sendMail({
        ...rest,
        ...(references === undefined ? {} : { references: [...references] }),
        headers: { ...mail.headers },
        from: { name: from.name, address: from.address },
        envelope: { from: from.address, to: mail.to.filter((address) => !before.includes(address)) },
        signal: bounded,
      });
      const accepted = [...before, ...info.accepted];
      const refused = (info.rejectedErrors ?? []).map(statusOf);
      const result = takenMail({ response: info.response, accepted: accepted.length, refused }, secrets);
      if (result.outcome === 'retry') takenBy.set(mail.messageId, accepted);
      return result;
    } catch (error) {
      const failed = failedMail(error, secrets);
      if (failed.outcome !== 'refused' || before.length === 0) return failed;
      return { outcome: 'sent', answer: `taken for ${before.length} of ${mail.to.length} addresses; ${failed.answer}` };
    }
  };
}
