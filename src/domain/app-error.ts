import type { ErrorDetails } from './error-details.ts';

/**
 * Closed set of failure codes. `gateway/http-errors.ts` maps each code to one HTTP response; the command line exits
 * with 1 for all of them.
 */
export const ERROR_CODES = [
  'unauthorized',
  'token_expired',
  'token_revoked',
  'invalid_credentials',
  'csrf_token_invalid',
  'cross_site_request',
  'sign_on_failed',
  'sign_on_refused',
  'sign_on_unavailable',
  'password_change_required',
  'second_factor_required',
  'second_factor_locked',
  'insufficient_scope',
  'forbidden',
  'not_found',
  'events_removed',
  'project_not_found',
  'project_moved',
  'group_not_found',
  'settings_not_found',
  'integrated_not_offered',
  'route_not_found',
  'method_not_allowed',
  'api_version_gone',
  'tracker_route_absent',
  'invalid_parameter',
  'invalid_search',
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
  'issue_host_failed',
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

/** Details of codes without any. */
interface NoDetails {
  readonly reason?: never;
}

type DetailsOf<Code extends ErrorCode> = Code extends keyof ErrorDetails ? ErrorDetails[Code] : NoDetails;

interface AppErrorOptions<Code extends ErrorCode> {
  readonly cause?: unknown;
  /** Whole seconds after which a retry may succeed; becomes `Retry-After`. */
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
 * The only error type that crosses module boundaries. `message` is shown to users: it names cause and remedy, and never
 * contains a token, a key or event content. Checking `code` narrows `details`.
 */
export type AppError<Code extends ErrorCode = ErrorCode> = { [C in Code]: CodedError<C> }[Code];

interface AppErrorConstructor {
  new <Code extends ErrorCode>(code: Code, message: string, options?: AppErrorOptions<Code>): AppError<Code>;
  [Symbol.hasInstance](value: unknown): value is AppError;
}

// Each instance has one code as type argument; callers see the union of all codes.
export const AppError = CodedError as unknown as AppErrorConstructor;

const NO_FAULT: ReadonlySet<ErrorCode> = new Set(['store_unavailable', 'ingest_unavailable']);

/**
 * Formats an error as members of a log line. An unavailable store and a full journal are logged without stack, because
 * their message is complete. Other errors include the stack.
 */
export function logFields(error: unknown): { readonly reason: string } | { readonly err: unknown } {
  return error instanceof AppError && NO_FAULT.has(error.code) ? { reason: error.message } : { err: error };
}
