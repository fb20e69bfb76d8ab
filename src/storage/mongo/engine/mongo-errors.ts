import { mongo } from 'mongoose';
import { AppError } from '../../../domain/app-error.ts';
import { STORE_RETRY_AFTER_SECONDS } from '../../limits.ts';

/** Server code: a unique index, or an `_id`, refused the write. */
export const DUPLICATE_KEY = 11_000;

/** Server codes for refused credentials: AuthenticationFailed, and the code of Atlas. */
const NOT_AUTHENTICATED = new Set([18, 8000]);
/** Server code of Unauthorized. */
const NOT_ALLOWED = 13;
/** Server code of InvalidNamespace; at the first contact it means that the name of the database is wrong. */
const BAD_NAMESPACE = 73;
/** Node's codes for an invalid certificate: unknown authority, wrong name, expired. */
const CERTIFICATE_CODE = /CERT|^UNABLE_TO_|^INVALID_CA$|^HOSTNAME_MISMATCH$/;
/**
 * Returns the number of a PostgreSQL error in engines based on it (DocumentDB, FerretDB). It has the five characters of
 * the SQLSTATE, six bits each (`MAKE_SQLSTATE` in PostgreSQL's `elog.h`).
 */
const sqlState = (state: string): number =>
  Array.from(state).reduce((code, sign, index) => code + ((sign.charCodeAt(0) - 48) & 0x3f) * 64 ** index, 0);

/** Codes of a write aborted completely for another one: WriteConflict, and PostgreSQL's names for it. */
const WRITE_CONFLICT: ReadonlySet<number> = new Set([112, sqlState('40001'), sqlState('40P01'), sqlState('55P03')]);
/** Codes of an unavailable server; the driver labels most of them, not all. */
const UNAVAILABLE = new Map<number, string>([
  [50, 'took longer than allowed'],
  [64, 'could not make a write durable on a majority of its members in time'],
  [89, 'did not answer in time'],
  [91, 'is shutting down'],
  [100, 'has too few members for a majority'],
  ...[...WRITE_CONFLICT].map((code) => [code, 'had two writes in conflict'] as const),
  [189, 'is electing a new primary'],
  [262, 'took longer than allowed'],
  [10_107, 'is no longer the primary'],
  [11_600, 'is shutting down'],
  [11_602, 'interrupted the operation'],
  [13_388, 'has out-of-date routing information'],
  [13_435, 'is no longer the primary'],
  [13_436, 'is recovering'],
  [sqlState('57014'), 'took longer than allowed'],
  [sqlState('57P01'), 'is shutting down'],
  [sqlState('57P02'), 'is shutting down'],
  [sqlState('57P03'), 'is starting or shutting down'],
]);

/**
 * Returns true when a unique index, or an `_id`, refused the write. A bulk's error is about its first refused
 * operation.
 */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof mongo.MongoServerError && error.code === DUPLICATE_KEY;
}

/** Returns true when the server aborted a write for another one; a retry may succeed. */
export function isWriteConflict(error: unknown): boolean {
  return error instanceof mongo.MongoServerError && typeof error.code === 'number' && WRITE_CONFLICT.has(error.code);
}

/**
 * Converts a driver error to an AppError. Keeps only the kind of the raw error, which may contain documents or parts of
 * the address. `hosts` comes from `mongoHosts`. AppErrors pass unchanged.
 */
export function toAppError(error: unknown, hosts: string): AppError {
  if (error instanceof AppError) return error;
  const cause = kindOf(error);
  const unavailable = (what: string) =>
    new AppError('store_unavailable', `the store at ${hosts} ${what}`, {
      cause,
      retryAfterSeconds: STORE_RETRY_AFTER_SECONDS,
    });
  const access = accessProblem(error);
  if (access !== null) return unavailable(access);
  if (isDuplicateKey(error)) {
    return new AppError('conflict', 'something with this name or id already exists', { cause });
  }
  const code = codeOf(error);
  const sentence = code === undefined ? undefined : UNAVAILABLE.get(code);
  if (sentence !== undefined) return unavailable(`${sentence}; errgate tries again`);
  if (error instanceof mongo.MongoServerError && !(error instanceof mongo.MongoWriteConcernError)) {
    if (isTransient(error)) return unavailable('cannot serve at the moment; errgate tries again');
    return new AppError('internal', 'the store failed', { cause });
  }
  if (isClosed(error)) return new AppError('store_unavailable', 'the store is closed', { cause });
  if (isOutOfReach(error))
    return unavailable('cannot be reached; check that it runs and that this machine may connect');
  return new AppError('internal', 'the store failed unexpectedly', { cause });
}

/**
 * Converts an error as `toAppError`, for the first contact. Then a wrong address, credentials or rights are a fault of
 * the configuration: `invalid_configuration`. Later they may be temporary changes by an operator.
 */
export function toOpeningError(error: unknown, hosts: string): AppError {
  if (error instanceof AppError) return error;
  const access = accessProblem(error);
  if (access !== null) {
    return new AppError('invalid_configuration', `store.url: the store at ${hosts} ${access}`, {
      cause: kindOf(error),
    });
  }
  if (codeOf(error) === BAD_NAMESPACE) {
    return new AppError(
      'invalid_configuration',
      'store.url names a database that MongoDB does not allow: use a shorter name of letters, digits, _ and -',
      { cause: kindOf(error) },
    );
  }
  if (isUnreadableFile(error)) {
    return new AppError(
      'invalid_configuration',
      `store.url names a TLS file that cannot be read (${error.code ?? 'unknown'}): check its path and permissions`,
      { cause: kindOf(error) },
    );
  }
  if (isBadAddress(error)) {
    // Leaves out the cause: the driver quotes parts of the address.
    return new AppError(
      'invalid_configuration',
      'store.url is not a valid MongoDB address: use mongodb://user:password@host:port/database, with special characters in user and password percent-encoded, and options that MongoDB knows',
    );
  }
  return toAppError(error, hosts);
}

function accessProblem(error: unknown): string | null {
  const code = codeOf(error);
  if (code !== undefined && NOT_AUTHENTICATED.has(code)) {
    return 'does not accept the credentials: check user, password and authSource';
  }
  if (code === NOT_ALLOWED) {
    return 'does not allow what errgate needs: give its user the role readWrite on the database';
  }
  const certificate = certificateCode(error);
  if (certificate !== null) {
    return `shows a certificate that is not trusted (${certificate}): check tlsCAFile, the name in the address and the certificate's dates`;
  }
  return null;
}

function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  if (typeof code === 'number') return code;
  // A failed handshake has the server's answer one level below.
  return error.cause === undefined ? undefined : codeOf(error.cause);
}

/** Finds a certificate error. A failed selection has the answer of each server in its description. */
function certificateCode(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  const { code, cause, servers } = error as { code?: unknown; cause?: unknown; servers?: unknown };
  if (typeof code === 'string' && CERTIFICATE_CODE.test(code)) return code;
  const below =
    servers instanceof Map ? [...servers.values()].map((server: { error?: unknown }) => server.error) : [cause];
  return below.map(certificateCode).find((found) => found !== null) ?? null;
}

function isTransient(error: mongo.MongoServerError): boolean {
  return ['RetryableWriteError', 'TransientTransactionError', 'RetryableError'].some((label) =>
    error.hasErrorLabel(label),
  );
}

function isBadAddress(error: unknown): boolean {
  return (
    // The address parser has its own class with this name.
    (error instanceof Error && error.name === 'MongoParseError') ||
    error instanceof mongo.MongoInvalidArgumentError ||
    error instanceof mongo.MongoMissingCredentialsError ||
    (error instanceof mongo.MongoRuntimeError && error.cause instanceof TypeError)
  );
}

function isUnreadableFile(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && (error as NodeJS.ErrnoException).syscall === 'open';
}

function isClosed(error: unknown): boolean {
  return (
    error instanceof mongo.MongoNotConnectedError ||
    error instanceof mongo.MongoTopologyClosedError ||
    error instanceof mongo.MongoClientClosedError
  );
}

function isOutOfReach(error: unknown): boolean {
  return (
    error instanceof mongo.MongoNetworkError ||
    error instanceof mongo.MongoServerSelectionError ||
    error instanceof mongo.MongoWriteConcernError ||
    // Other errors of the driver are about connections, pools and time limits.
    error instanceof mongo.MongoDriverError ||
    // The time limit of an operation aborted it.
    (error instanceof DOMException && error.name === 'TimeoutError') ||
    // Names of an SRV address are resolved before the driver creates errors.
    (error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === 'string') ||
    (error instanceof Error && /^Mongo(ose)?ServerSelectionError$/.test(error.name))
  );
}

/** Returns an error with name and code only, and the stack of its origin. */
function kindOf(error: unknown): Error {
  const kind = new Error('MongoDB driver error');
  if (error instanceof Error) {
    const code = (error as { code?: unknown }).code;
    kind.message = typeof code === 'number' || typeof code === 'string' ? `${error.name} (${code})` : error.name;
    if (error.stack !== undefined) {
      const frames = error.stack.split('\n').filter((line) => /^\s+at /.test(line));
      kind.stack = [`Error: ${kind.message}`, ...frames].join('\n');
    }
  }
  return kind;
}
