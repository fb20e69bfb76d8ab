import type { ErrorDetails } from './error-details.ts';

/**
 * Every way a request or command can fail, as a closed set. The gateway maps each code to one HTTP
 * answer (`gateway/http-errors.ts`); the command line maps all of them to exit code 1.
 */
export const ERROR_CODES = [
  'unauthorized',
  'token_expired',
  'token_revoked',
  'invalid_credentials',
  'csrf_token_invalid',
  'cross_site_request',
  'password_change_required',
  'insufficient_scope',
  'forbidden',
  'not_found',
  'events_removed',
  'project_not_found',
  'project_moved',
  'settings_not_found',
  'integrated_not_offered',
  'route_not_found',
  'method_not_allowed',
  'api_version_gone',
  'tracker_route_absent',
  'invalid_parameter',
  'bad_request',
  'malformed_body',
  'unsupported_media_type',
  'not_acceptable',
  'payload_too_large',
  'tracking_disabled',
  'unsupported_by_tracker',
  'not_ready',
  'tracker_blocked',
  'tracker_unreachable',
  'tracker_refused',
  'tracker_limited',
  'tracker_invalid_answer',
  'conflict',
  'rate_limited',
  'store_unavailable',
  'store_outdated',
  'store_too_new',
  'data_dir_in_use',
  'ingest_unauthorized',
  'ingest_forbidden',
  'ingest_invalid',
  'ingest_too_large',
  'ingest_unsupported_encoding',
  'ingest_unavailable',
  'invalid_configuration',
  'internal',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** Details of the codes that have none. */
interface NoDetails {
  readonly reason?: never;
}

type DetailsOf<Code extends ErrorCode> = Code extends keyof ErrorDetails ? ErrorDetails[Code] : NoDetails;

interface AppErrorOptions<Code extends ErrorCode> {
  readonly cause?: unknown;
  /** Whole seconds after which the same request may work; becomes `Retry-After`. */
  readonly retryAfterSeconds?: number | undefined;
  readonly details?: DetailsOf<Code> | undefined;
}

class CodedError<Code extends ErrorCode> extends Error {
  readonly code: Code;
  readonly retryAfterSeconds: number | undefined;
  readonly details: DetailsOf<Code> | undefined;

  constructor(code: Code, message: string, options: AppErrorOptions<Code> = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.details = options.details;
  }
}

/**
 * The only error type that crosses module borders on purpose. `message` is shown to people: it says
 * what is wrong and how to fix it, and never holds a token, a key or event content. A look at `code`
 * narrows `details` to those of the code.
 */
export type AppError<Code extends ErrorCode = ErrorCode> = { [C in Code]: CodedError<C> }[Code];

interface AppErrorConstructor {
  new <Code extends ErrorCode>(code: Code, message: string, options?: AppErrorOptions<Code>): AppError<Code>;
  [Symbol.hasInstance](value: unknown): value is AppError;
}

// The class knows its instances by one type argument each; callers see the union of all codes.
export const AppError = CodedError as unknown as AppErrorConstructor;

const NO_FAULT: ReadonlySet<ErrorCode> = new Set(['store_unavailable', 'ingest_unavailable']);

/**
 * An error as members of a log line. A store that is away and a journal that is full are no fault of the program:
 * the sentence says all, and a stack would hide it. Everything else comes with its stack.
 */
export function logFields(error: unknown): { readonly reason: string } | { readonly err: unknown } {
  return error instanceof AppError && NO_FAULT.has(error.code) ? { reason: error.message } : { err: error };
}
