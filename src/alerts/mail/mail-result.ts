import { MAX_ANSWER_LENGTH } from '../../domain/alerts/alert-delivery.ts';
import type { SendResult } from '../../domain/ports/alert-sender.ts';
import { plainText } from '../event-text.ts';

/** What nodemailer reports beside the message of an error. */
interface SmtpFailure {
  readonly code: string;
  /** Command that failed, `RCPT TO`; empty: none was reached. */
  readonly command: string;
  /** Status of the server, 250 to 599; null: none. */
  readonly status: number | null;
  /** Answer of the server, else the message of the error. */
  readonly answer: string;
}

function textOf(error: object, name: string): string {
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? value : '';
}

function failureOf(error: unknown): SmtpFailure {
  if (typeof error !== 'object' || error === null) return { code: '', command: '', status: null, answer: '' };
  const status: unknown = Reflect.get(error, 'responseCode');
  return {
    code: textOf(error, 'code'),
    command: textOf(error, 'command'),
    status: typeof status === 'number' ? status : null,
    answer: textOf(error, 'response') || textOf(error, 'message'),
  };
}

/** Removes mail addresses and other secrets from an answer, and makes it one line. */
function withoutAddresses(answer: string, secrets: readonly string[]): string {
  const hidden = secrets.reduce((text, secret) => (secret === '' ? text : text.replaceAll(secret, '[hidden]')), answer);
  return plainText(hidden.replace(/[^\s<>"'(,;:]+@[^\s<>"'),;:]+/g, '[address]'), MAX_ANSWER_LENGTH);
}

/** Problems of the connection, which an operator or time ends, as sentences. */
const CONNECTION: Readonly<Record<string, string>> = {
  EDNS: 'the name of the mail server cannot be resolved; check ERRGATE_MAIL_URL',
  ETLS: 'the mail server offers no valid TLS; check ERRGATE_MAIL_URL and its certificate, or name your authority with NODE_EXTRA_CA_CERTS',
  EAUTH: 'the mail server refused the login; check user and password in ERRGATE_MAIL_URL',
  ENOAUTH: 'the mail server offers no login; check ERRGATE_MAIL_URL',
  ETIMEDOUT: 'the mail server did not answer in time',
  EABORT: 'the mail server did not answer in time',
};

/** Messages of Node.js about a certificate that is not accepted. */
const CERTIFICATE = /certificate|self-signed|altnames/i;

/** Returns what a failed mail means. Refusals of this mail by the server (5xx) are `refused`, all else is `retry`. */
export function failedMail(error: unknown, secrets: readonly string[]): SendResult {
  const failure = failureOf(error);
  const said = failure.answer === '' ? failure.code : failure.answer;
  const isCertificate = failure.code === 'ESOCKET' && CERTIFICATE.test(failure.answer);
  const about = CONNECTION[isCertificate ? 'ETLS' : failure.code] ?? 'the mail server did not take the message';
  const answer = withoutAddresses(said === '' ? about : `${about}: ${said}`, secrets);
  const isAboutMail = /^(MAIL FROM|RCPT TO|DATA)/.test(failure.command) && failure.code !== 'EAUTH';
  if (isAboutMail && failure.status !== null && failure.status >= 500) return { outcome: 'refused', answer };
  return { outcome: 'retry', answer, afterMs: null };
}

/** What nodemailer reports of a mail that the server took for some recipients. */
export interface TakenMail {
  readonly response: string;
  readonly accepted: number;
  /** Status of the server for each refused recipient; null: none. */
  readonly refused: readonly (number | null)[];
}

/** Returns what a mail means that was taken for at least one recipient. Temporary refusals of others ask for a retry. */
export function takenMail({ response, accepted, refused }: TakenMail, secrets: readonly string[]): SendResult {
  const said = withoutAddresses(response, secrets);
  if (refused.length === 0) return { outcome: 'sent', answer: said };
  const answer = withoutAddresses(
    `taken for ${accepted} of ${accepted + refused.length} addresses: ${response}`,
    secrets,
  );
  const isTemporary = refused.some((status) => status !== null && status < 500);
  return isTemporary ? { outcome: 'retry', answer, afterMs: null } : { outcome: 'sent', answer };
}
