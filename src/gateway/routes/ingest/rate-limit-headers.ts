import type Koa from 'koa';
import type { RateLimit } from '../../../domain/ports/intake.ts';

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
 * Sets both headers that SDKs know, in the form that all of them read. That is whole seconds, exactly three parts, no
 * blanks, commas between entries. Sets `Retry-After` only when the whole request is refused: several SDKs apply it to
 * every category and on any status.
 */
export function setRateLimits(ctx: Koa.Context, limits: readonly RateLimit[], refused: boolean): void {
  const entries = limits.map(
    ({ scope, categories, retryAfterSeconds }) => `${bounded(retryAfterSeconds)}:${categories.join(';')}:${scope}`,
  );
  ctx.set('X-Sentry-Rate-Limits', entries.join(','));
  if (refused) {
    ctx.set('Retry-After', String(Math.max(...limits.map((limit) => bounded(limit.retryAfterSeconds)))));
  }
}

/** Announces never-stored categories to SDKs. Must run after `setRateLimits`, whose entries stay. */
export function announceNeverKept(ctx: Koa.Context): void {
  const others = ctx.res.getHeader('X-Sentry-Rate-Limits');
  ctx.set('X-Sentry-Rate-Limits', typeof others === 'string' ? `${others},${NEVER_KEPT_ENTRY}` : NEVER_KEPT_ENTRY);
}

function bounded(seconds: number): number {
  return Math.min(MAX_SECONDS, Math.max(1, Math.ceil(seconds)));
}
