import { AppError, type ErrorCode } from '../../domain/app-error.ts';
import type { RateLimit } from '../../domain/ports/intake.ts';
import { rateLimitsHeader, retryAfterLimits } from './rate-limit-headers.ts';

interface Rule {
  readonly status: number;
  /** Label in metrics, unless the error has a more specific one. */
  readonly reason: string;
}

/** Answers of ingestion by error code. Other errors are unexpected and answered with 503. */
const RULES: Partial<Readonly<Record<ErrorCode, Rule>>> = {
  ingest_unauthorized: { status: 401, reason: 'unauthorized' },
  ingest_forbidden: { status: 403, reason: 'forbidden' },
  project_not_found: { status: 404, reason: 'unknown_project' },
  ingest_invalid: { status: 400, reason: 'invalid' },
  ingest_too_large: { status: 413, reason: 'too_large' },
  ingest_unsupported_encoding: { status: 415, reason: 'unsupported_encoding' },
  ingest_unavailable: { status: 503, reason: 'unavailable' },
  store_unavailable: { status: 503, reason: 'unavailable' },
  method_not_allowed: { status: 405, reason: 'method' },
  rate_limited: { status: 429, reason: 'rate_limited' },
};

const UNEXPECTED: Rule = { status: 503, reason: 'unexpected' };

/** Default seconds to wait. SDKs limit their wait themselves. */
const RETRY_SECONDS = 10;
const UNKNOWN_LIMIT: RateLimit = { scope: 'key', categories: ['error', 'default'], retryAfterSeconds: 60 };

export interface IngestRefusal {
  readonly status: number;
  /** Flat list: name, value, name, value … */
  readonly headers: readonly string[];
  readonly body: string;
  readonly reason: string;
  /** True for an unexpected error, which must be logged. */
  readonly unexpected: boolean;
}

/**
 * Returns the answer to a failed ingestion request: `{"detail"}`, on 4xx also as `X-Sentry-Error`. It has `Retry-After`
 * only with 429 and 503, because several SDKs obey it on any status.
 */
export function refusalFor(error: unknown, announceNeverKept: boolean): IngestRefusal {
  const rule = error instanceof AppError ? RULES[error.code] : undefined;
  if (!(error instanceof AppError) || rule === undefined) {
    const { status, reason } = UNEXPECTED;
    const detail = 'The event could not be accepted. Send it again later.';
    return { status, reason, ...detailed(status, detail), unexpected: true };
  }
  const { headers, body } = detailed(rule.status, error.message, error.retryAfterSeconds);
  return {
    status: rule.status,
    headers: [...headers, ...headersOf(error, announceNeverKept)],
    body,
    reason: error.details?.reason ?? rule.reason,
    unexpected: false,
  };
}

function detailed(status: number, detail: string, retryAfterSeconds = RETRY_SECONDS) {
  const headers = ['Content-Type', 'application/json; charset=utf-8'];
  if (status < 500) headers.push('X-Sentry-Error', detail.replaceAll(/[^\x20-\x7e]+/g, ' '));
  if (status === 503) headers.push('Retry-After', String(retryAfterSeconds));
  return { headers, body: JSON.stringify({ detail }) };
}

/** Headers that only some errors have. */
function headersOf(error: AppError, announceNeverKept: boolean): readonly string[] {
  switch (error.code) {
    case 'rate_limited': {
      const limits = error.details?.limits ?? [UNKNOWN_LIMIT];
      return [...rateLimitsHeader(limits, announceNeverKept), ...retryAfterLimits(limits)];
    }
    case 'ingest_unsupported_encoding':
      return error.details === undefined ? [] : ['Accept-Encoding', error.details.acceptEncoding];
    case 'method_not_allowed':
      return error.details === undefined ? [] : ['Allow', error.details.allow];
    case 'ingest_invalid':
      return error.details?.close === true ? ['Connection', 'close'] : [];
    default:
      return [];
  }
}
