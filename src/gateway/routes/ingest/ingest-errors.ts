import type Koa from 'koa';
import { AppError, type ErrorCode } from '../../../domain/app-error.ts';
import type { RateLimit } from '../../../domain/ports/intake.ts';
import { setRateLimits } from './rate-limit-headers.ts';

interface Rule {
  readonly status: number;
  /** Label in metrics, unless the error names a finer one. */
  readonly reason: string;
}

/** Every failure that ingestion has an answer for. What is not listed is unexpected and answered 503. */
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

/** Seconds to wait when the error does not say. SDKs bound their wait themselves. */
const RETRY_SECONDS = 10;
const UNKNOWN_LIMIT: RateLimit = { scope: 'key', categories: ['error', 'default'], retryAfterSeconds: 60 };

export interface RefusedIngest {
  readonly reason: string;
  /** True: nobody foresaw this error; it is to be logged. */
  readonly unexpected: boolean;
}

/**
 * Writes the answer to a failed ingestion request: `{"detail", "causes"?}`, on 4xx also as
 * `X-Sentry-Error`. `Retry-After` only stands beside 429 and 503: several SDKs obey it on any status.
 */
export function answerIngestError(ctx: Koa.Context, error: unknown): RefusedIngest {
  const known = error instanceof AppError ? RULES[error.code] : undefined;
  const { status, reason } = known ?? UNEXPECTED;
  const appError = known !== undefined && error instanceof AppError ? error : undefined;
  const detail = appError?.message ?? 'The event could not be accepted. Send it again later.';
  const causes = appError?.details?.['causes'];

  ctx.status = status;
  if (status < 500) {
    ctx.set('X-Sentry-Error', detail.replaceAll(/[^\x20-\x7e]+/g, ' '));
  }
  if (status === 429) {
    const limits = appError?.details?.['limits'];
    setRateLimits(ctx, Array.isArray(limits) ? (limits as readonly RateLimit[]) : [UNKNOWN_LIMIT], true);
  } else if (status === 503) {
    ctx.set('Retry-After', String(appError?.retryAfterSeconds ?? RETRY_SECONDS));
  }
  setFromDetail(ctx, 'Accept-Encoding', appError?.details?.['acceptEncoding']);
  setFromDetail(ctx, 'Allow', appError?.details?.['allow']);
  if (appError?.details?.['close'] === true) {
    ctx.set('Connection', 'close');
  }
  ctx.body = Array.isArray(causes) ? { detail, causes } : { detail };
  const finer = appError?.details?.['reason'];
  return { reason: typeof finer === 'string' ? finer : reason, unexpected: known === undefined };
}

function setFromDetail(ctx: Koa.Context, header: string, value: unknown): void {
  if (typeof value === 'string') {
    ctx.set(header, value);
  }
}
