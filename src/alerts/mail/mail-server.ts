import { isIP } from 'node:net';

/** Settings of mail, as the configuration has them. */
export interface MailConfig {
  readonly url: string | null;
  readonly from: string | null;
  readonly name: string | null;
}

/** Mail server and sender. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** True: TLS from the start; false: STARTTLS where the server offers it. */
  readonly secure: boolean;
  /** True: without STARTTLS nothing is sent. */
  readonly requireTls: boolean;
  /** Null: no login. */
  readonly login: { readonly user: string; readonly password: string } | null;
  readonly from: { readonly name: string; readonly address: string };
  /** Name in EHLO; null: that of the machine. */
  readonly name: string | null;
  /** Domain of `Message-ID` and `List-Id`: host of the external URL. */
  readonly domain: string;
}

const DEFAULT_NAME = 'errgate';
const SMTPS_PORT = 465;
const SUBMISSION_PORT = 587;
const SMTP_PORT = 25;

/** Returns true for names and addresses that only this machine can reach. */
export function isLoopback(host: string): boolean {
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '::1' ||
    (isIP(host) === 4 && host.startsWith('127.'))
  );
}

function senderOf(from: string | null, domain: string): MailServer['from'] {
  const [, name, address] = /^([^<>]*)<([^<>]+)>$/.exec(from ?? '') ?? [];
  if (address !== undefined) return { name: (name ?? '').trim().replace(/^"(.*)"$/, '$1') || DEFAULT_NAME, address };
  return { name: DEFAULT_NAME, address: from ?? `errgate@${domain}` };
}

/** Returns a name that mail servers accept in EHLO: a full host name, or an address in brackets. */
function greetingName(domain: string): string | null {
  switch (isIP(domain)) {
    case 4:
      return `[${domain}]`;
    case 6:
      return `[IPv6:${domain}]`;
    default:
      return domain.includes('.') ? domain : null;
  }
}

/** Returns the server of a valid configuration; null when mail is not configured. */
export function mailServer({ url: text, from, name }: MailConfig, externalUrl: string): MailServer | null {
  if (text === null) return null;
  const url = new URL(text);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const secure = url.protocol === 'smtps:';
  const user = decodeURIComponent(url.username);
  const password = decodeURIComponent(url.password);
  const login = user === '' && password === '' ? null : { user, password };
  const plainPort = login === null ? SMTP_PORT : SUBMISSION_PORT;
  const domain = new URL(externalUrl).hostname.replace(/^\[|\]$/g, '');
  return {
    host,
    port: url.port === '' ? (secure ? SMTPS_PORT : plainPort) : Number(url.port),
    secure,
    requireTls: !secure && password !== '' && !isLoopback(host),
    login,
    from: senderOf(from, domain),
    name: name ?? greetingName(domain),
    domain,
  };
}
