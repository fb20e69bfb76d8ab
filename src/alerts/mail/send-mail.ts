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

function statusOf(error: unknown): number | null {
  const status: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'responseCode') : null;
  return typeof status === 'number' ? status : null;
}

/**
 * Creates the client of the mail server. Connections are not kept: mails are rare, and a server that hangs holds up only
 * its own mail.
 */
export function createSendMail(
  server: MailServer,
  { timeouts = MAIL_TIMEOUTS, authorities }: MailClientOptions = {},
): SendMail {
  const { login, from } = server;
  const { totalMs } = timeouts;
  const transport = mailTransport(server, timeouts, authorities);
  const secrets = [login?.password ?? ''];
  return async (mail, signal) => {
    const { references, ...rest } = mail;
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(totalMs)]);
    try {
      const info = await transport.sendMail({
        ...rest,
        ...(references === undefined ? {} : { references: [...references] }),
        headers: { ...mail.headers },
        from: { name: from.name, address: from.address },
        signal: bounded,
      });
      return takenMail(
        {
          response: info.response,
          accepted: info.accepted.length,
          refused: (info.rejectedErrors ?? []).map(statusOf),
        },
        secrets,
      );
    } catch (error) {
      return failedMail(error, secrets);
    }
  };
}
