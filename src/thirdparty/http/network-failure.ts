import type { AppError } from '../../domain/app-error.ts';
import { trackerError } from './tracker-errors.ts';
import { blockCure, BlockedError } from '../guard/blocked-error.ts';

const TIMED_OUT: ReadonlySet<string> = new Set(['ETIMEDOUT', 'ESOCKETTIMEDOUT', 'ERR_SOCKET_CONNECTION_TIMEOUT']);
const SOCKET: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'ERR_STREAM_PREMATURE_CLOSE',
  'EPIPE',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EMFILE',
]);
/** Codes of failed handshakes and of certificates that are untrusted, expired or of another host. */
const TLS = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/;
/** The port speaks plain HTTP. Older Node.js reports it in the message only. */
const NO_TLS = /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|UNKNOWN_PROTOCOL|HTTP_REQUEST)$/;
const NO_TLS_MESSAGE = /wrong version number|packet length too long|unknown protocol|http request/i;
/** Self-signed certificates, or of an authority unknown to Node.js. */
const UNKNOWN_AUTHORITY = /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(VERIFY|GET_ISSUER)_\w+)$/;
/** Invalid HTTP, invalid compression, or a truncated response. */
const BROKEN_ANSWER = /^(HPE_|Z_|ERR_HTTP_|ERR__ERROR_FORMAT|ERR_PADDING|ERR_.*BROTLI|ERR_BUFFER)/;

function member(error: unknown, name: 'code' | 'name' | 'message'): string {
  if (typeof error !== 'object' || error === null) return '';
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? value : '';
}

/** Copies an error without its members, which may contain request headers. */
function safeCause(error: unknown): Error {
  return new Error([member(error, 'name'), member(error, 'code')].filter((part) => part !== '').join(' '));
}

export function timedOut(host: string, cause?: Error): AppError {
  return trackerError(
    'tracker_unreachable',
    `the third-party tracker at ${host} did not answer in time; try again later, or check that it is working`,
    'Connection to third-party timed out',
    { reason: 'timeout', ...(cause === undefined ? {} : { cause }) },
  );
}

/** Marks the cause of a failure at a port that answers in plain HTTP. */
class NoTls extends Error {}

/** Returns true for the failure of https at a port that speaks plain HTTP; false for a refused certificate. */
export function speaksNoTls(error: AppError): boolean {
  return error.cause instanceof NoTls;
}

const isNoTls = (code: string, message: string): boolean =>
  NO_TLS.test(code) || (code === 'EPROTO' && NO_TLS_MESSAGE.test(message));

function tlsFailure(host: string, code: string, message: string): string {
  if (isNoTls(code, message)) {
    return `the server at ${host} does not speak TLS at this port (${code}): enter the address with http:// instead of https://, or the port of its https`;
  }
  if (UNKNOWN_AUTHORITY.test(code)) {
    return `the certificate of ${host} is signed by itself or by an authority that errgate does not know (${code}): an operator starts errgate with NODE_EXTRA_CA_CERTS=<file with the certificate of the authority, in PEM>`;
  }
  return `the certificate of ${host} was not accepted (${code}): give the tracker a valid one for this name, or correct the address`;
}

/** Maps a transport error to an AppError; `host` appears in the message. */
export function networkFailure(error: unknown, host: string): AppError {
  const code = member(error, 'code');
  const safe = safeCause(error);
  const cause = isNoTls(code, member(error, 'message')) ? new NoTls(safe.message) : safe;
  const unreachable = (message: string, webMessage: string, reason: string): AppError =>
    trackerError('tracker_unreachable', message, webMessage, { reason, cause });

  if (error instanceof BlockedError) {
    return error.kind === 'unresolvable' ? unresolvable(host, error.message) : blocked(host, error);
  }
  if (member(error, 'name') === 'TimeoutError' || TIMED_OUT.has(code)) return timedOut(host, cause);
  if (code === 'ECONNREFUSED') {
    return unreachable(
      `nothing listens at ${host}: check the address and port of the third-party tracker, and that it runs`,
      'Connection refused',
      'refused',
    );
  }
  if (TLS.test(code)) {
    return unreachable(
      tlsFailure(host, code, member(error, 'message')),
      'Third-party returned invalid SSL data',
      'tls',
    );
  }
  if (SOCKET.has(code)) {
    return unreachable(
      `the connection to ${host} broke (${code}); try again later`,
      'Received SocketError when trying to connect to third-party',
      'socket',
    );
  }
  if (BROKEN_ANSWER.test(code)) {
    return trackerError(
      'tracker_invalid_answer',
      `the answer from ${host} is not valid HTTP (${code}): check the address of the tracker`,
      'Error when connecting to third-party',
      { reason: 'http', cause },
    );
  }
  const name = member(error, 'name') || 'Error';
  return unreachable(
    `the request to ${host} failed (${code || name})`,
    `Third-party request failed due to ${name}`,
    'other',
  );
}

/** Creates the error for a blocked address. `details.reason` is the kind of the refusal. */
export function blocked(host: string, { message, kind }: BlockedError): AppError {
  const sentence = `${message} (${host}); ${blockCure(kind, host)}`;
  return trackerError('tracker_blocked', sentence, message, { reason: kind });
}

function unresolvable(host: string, sentence: string): AppError {
  return trackerError(
    'tracker_unreachable',
    `the name ${host} cannot be resolved: check the address of the third-party tracker`,
    sentence,
    { reason: 'unresolvable' },
  );
}

/** Error for a 5xx, for the log only: the caller gets the response. */
export function serverTrouble(host: string, status: number): AppError {
  return trackerError(
    'tracker_refused',
    `${host} answers with status ${status}`,
    `Third-party response status code: ${status}`,
    { status },
  );
}

/** Error for a response above the limit; `limit` and `bytes` count after decompression. */
export function tooBig(host: string, limit: number, bytes: number): AppError {
  const size = `Limit is ${Math.round((limit / 1024 / 1024) * 100) / 100} MB. Got ${bytes} bytes.`;
  return trackerError(
    'tracker_invalid_answer',
    `the answer of ${host} is too big. ${size}`,
    `Third-party API response is too big. ${size}`,
    { reason: 'too_big' },
  );
}
