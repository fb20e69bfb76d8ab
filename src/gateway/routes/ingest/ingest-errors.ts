import type Koa from 'koa';
import { AppError, type ErrorCode } from '../../../domain/app-error.ts';
import type { RateLimit } from '../../../domain/ports/intake.ts';
import { setRateLimits } from './rate-limit-headers.ts';

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

export interface RefusedIngest {
  readonly reason: string;
  /** True for an unexpected error, which must be logged. */
  readonly unexpected: boolean;
}

/**
 * Writes the answer to a failed ingestion request: `{"detail"}`, on 4xx also as `X-Sentry-Error`. Sends `Retry-After`
 * only with 429 and 503, because several SDKs obey it on any status.
 */
export function answerIngestError(ctx: Koa.Context, error: unknown): RefusedIngest {
  const rule = error instanceof AppError ? RULES[error.code] : undefined;
  if (!(error instanceof AppError) || rule === undefined) {
    answer(ctx, UNEXPECTED.status, 'The event could not be accepted. Send it again later.');
    return { reason: UNEXPECTED.reason, unexpected: true };
  }
  answer(ctx, rule.status, error.message, error.retryAfterSeconds);
  setHeaders(ctx, error);
  return { reason: error.details?.reason ?? rule.reason, unexpected: false };
}

function answer(ctx: Koa.Context, status: number, detail: string, retryAfterSeconds = RETRY_SECONDS): void {
  ctx.status = status;
  ctx.body = { detail };
  if (status < 500) ctx.set('X-Sentry-Error', detail.replaceAll(/[^\x20-\x7e]+/g, ' '));
  if (status === 503) ctx.set('Retry-After', String(retryAfterSeconds));
}

/** Sets headers that only some errors have. */
function setHeaders(ctx: Koa.Context, error: AppError): void {
  switch (error.code) {
    case 'rate_limited':
      setRateLimits(ctx, error.details?.limits ?? [UNKNOWN_LIMIT], true);
      return;
    case 'ingest_unsupported_encoding':
      if (error.details !== undefined) ctx.set('Accept-Encoding', error.details.acceptEncoding);
      return;
    case 'method_not_allowed':
      if (error.details !== undefined) ctx.set('Allow', error.details.allow);
      return;
    case 'ingest_invalid':
      if (error.details?.close === true) ctx.set('Connection', 'close');
      return;
    default:
  }
}
