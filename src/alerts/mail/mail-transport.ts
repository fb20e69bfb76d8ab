import { createTransport } from 'nodemailer';
import type { MailServer } from './mail-server.ts';

/** Milliseconds. */
export interface MailTimeouts {
  /** DNS, connection, greeting and TLS, each. */
  readonly setUpMs: number;
  /** Silence of the server after a command, or in the middle of DATA. */
  readonly idleMs: number;
  /** The whole mail. */
  readonly totalMs: number;
}

export const MAIL_TIMEOUTS: MailTimeouts = { setUpMs: 15_000, idleMs: 30_000, totalMs: 60_000 };

/**
 * Creates the connection to the mail server, which opens with each use. `authorities`: certificates in PEM, instead of
 * those that Node.js knows.
 */
export function mailTransport(server: MailServer, { setUpMs, idleMs }: MailTimeouts, authorities?: string) {
  const { host, port, secure, requireTls, login, name } = server;
  return createTransport({
    host,
    port,
    secure,
    requireTLS: requireTls,
    ...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
    ...(name === null ? {} : { name }),
    dnsTimeout: setUpMs,
    connectionTimeout: setUpMs,
    greetingTimeout: setUpMs,
    socketTimeout: idleMs,
    tls: { minVersion: 'TLSv1.2', ...(authorities === undefined ? {} : { ca: authorities }) },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
