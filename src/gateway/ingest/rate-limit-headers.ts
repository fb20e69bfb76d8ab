import type { RateLimit } from '../../domain/ports/intake.ts';

/** Maximum announced wait in seconds, the same as on the protocol's own servers. */
const MAX_SECONDS = 300;

/** Seconds announced to SDKs for categories that are never stored. */
const NEVER_KEPT_SECONDS = 3600;

/**
 * Categories that are never stored. Excludes events, sessions, client reports and items beside an event: an SDK that
 * withholds these would lose stored data.
 */
const NEVER_KEPT = [
  'transaction',
  'span',
  'profile',
  'profile_chunk',
  'replay',
  'log_item',
  'trace_metric',
  'monitor',
] as const;

const NEVER_KEPT_ENTRY = `${NEVER_KEPT_SECONDS}:${NEVER_KEPT.join(';')}:project`;

/**
 * Returns `X-Sentry-Rate-Limits` in the form that all SDKs read: whole seconds, exactly three parts, no blanks, commas
 * between entries. With `announceNeverKept` also the never-stored categories, last. Empty when there is none.
 */
export function rateLimitsHeader(limits: readonly RateLimit[], announceNeverKept: boolean): readonly string[] {
  if (limits.length === 0 && !announceNeverKept) return [];
  const entries = limits.map(
    ({ scope, categories, retryAfterSeconds }) => `${bounded(retryAfterSeconds)}:${categories.join(';')}:${scope}`,
  );
  if (announceNeverKept) entries.push(NEVER_KEPT_ENTRY);
  return ['X-Sentry-Rate-Limits', entries.join(',')];
}

/**
 * Returns `Retry-After` for a request that is refused as a whole. Only for such a one: several SDKs apply it to every
 * category and on any status.
 */
export function retryAfterLimits(limits: readonly RateLimit[]): readonly string[] {
  return ['Retry-After', String(Math.max(...limits.map((limit) => bounded(limit.retryAfterSeconds))))];
}

function bounded(seconds: number): number {
  return Math.min(MAX_SECONDS, Math.max(1, Math.ceil(seconds)));
}
