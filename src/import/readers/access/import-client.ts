import type { Clock } from '../../../domain/ports/clock.ts';
import { type ClientSettings, TrackerClient, type TrackerClientDeps } from '../../../thirdparty/http/client.ts';
import type { UrlGuard } from '../../../thirdparty/guard/url-guard.ts';

/** Maximum bytes of an answer for imports: pages of events are larger than the pages' 5 MB. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** Time limits in milliseconds: slow trackers take 20 s and more for a page. */
const LIMITS = { responseTimeoutMs: 120_000, totalTimeoutMs: 300_000 } as const;

export interface ImportClientDeps extends Pick<TrackerClientDeps, 'wait' | 'observe' | 'finished'> {
  readonly guard: UrlGuard;
  readonly clock: Clock;
  /** Requests per host at one time; default 5. */
  readonly maxInFlight?: number;
  /** Replaced in tests. */
  readonly limits?: Pick<ClientSettings, keyof typeof LIMITS>;
}

/**
 * Creates the client for imports: long timeouts, a larger bound for answers, and waits of up to a minute for limits.
 * Each connection counts for memory with its whole answer. Close it after use.
 */
export function createImportClient({ maxInFlight = 5, limits = LIMITS, ...deps }: ImportClientDeps): TrackerClient {
  return new TrackerClient({
    ...deps,
    settings: {
      maxResponseBytes: MAX_ANSWER_BYTES,
      ...limits,
      maxLimitWaitMs: 60_000,
      maxInFlightPerHost: maxInFlight,
    },
  });
}
