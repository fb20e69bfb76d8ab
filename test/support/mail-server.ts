import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { MailServer } from '../../src/alerts/mail/mail-server.ts';

const pem = (name: string): string => readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url), 'utf8');

/** Authority of the test server's certificate. */
export const AUTHORITY = pem('ca');

export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  /** Name in EHLO. */
  readonly name: string;
  readonly tls: boolean;
  readonly user: unknown;
}

/** Error with an SMTP status, as `smtp-server` answers it. */
export function smtpError(status: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode: status });
}

/** Starts a mail server on this machine that keeps what it took. */
export async function startMailServer(options: SMTPServerOptions = {}) {
  const mails: TakenMail[] = [];
  const server = new SMTPServer({
    key: pem('server-key'),
    cert: pem('server'),
    authOptional: true,
    logger: false,
    disableReverseLookup: true,
    closeTimeout: 100,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString('utf8'),
          name: session.hostNameAppearsAs,
          tls: session.secure,
          user: session.user,
        });
        done(null, 'OK: queued');
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  if (!listening.listening) await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  return {
    port,
    mails,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Settings for a server on this machine. */
export function serverAt(port: number, patch: Partial<MailServer> = {}): MailServer {
  return {
    host: 'localhost',
    port,
    secure: false,
    requireTls: false,
    login: null,
    from: { name: 'errgate', address: 'errgate@errors.example.com' },
    name: 'errors.example.com',
    domain: 'errors.example.com',
    ...patch,
  };
}
