import type { Config } from '../../config/schema.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { TrackingStore } from '../domain/ports/stores/tracking-store.ts';
import type { TrackerSetup } from '../domain/ports/tracker-setup.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { createTrackerMetrics } from '../observability/tracker-metrics.ts';
import { TrackerCache } from '../thirdparty/cache.ts';
import { TrackerClient } from '../thirdparty/http/client.ts';
import { FailureLog } from '../thirdparty/failure-log.ts';
import { readKeyRing } from '../thirdparty/secrets/key-ring.ts';
import { createTokenCipher, type TokenCipher } from '../thirdparty/secrets/encrypted-token.ts';
import type { ListedThing } from '../thirdparty/session.ts';
import { TrackerBackends } from '../thirdparty/tracker-backends.ts';
import { TrackerFinder } from '../thirdparty/tracker-finder.ts';
import { createTrackerSetup } from '../thirdparty/tracker-setup.ts';
import { createUrlGuard, type UrlGuard } from '../thirdparty/guard/url-guard.ts';

export interface TrackerSide {
  readonly backends: TrackerBackends;
  readonly setup: TrackerSetup;
  readonly guard: UrlGuard;
  readonly cipher: TokenCipher;
  close(): void;
}

/** Milliseconds in which a copy that is no longer fresh is still served at once, while a newer one is fetched. */
const REVALIDATE_MS = 240_000;
/** Milliseconds a reader waits for a newer copy when there is an old one. */
const PATIENCE_MS = 3000;
/** Milliseconds after a failure before a tracker gets the same request again. */
const RETRY_MS = 5000;

export interface TrackerSideParts {
  /** Absolute; the key file is there. */
  readonly dataDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'registry'>;
  /** Stores the detected kinds of trackers; without it they are detected at every start. */
  readonly store?: Pick<TrackingStore, 'saveSettings'>;
}

/** Builds all parts for external trackers. */
export function createTrackerSide(config: Config, parts: TrackerSideParts): TrackerSide {
  const { dataDir, clock, logger, metrics, store } = parts;
  const guard = createUrlGuard(config.outbound);
  const { requests, requestSeconds, cacheReads, rowsLeftOut, watchCache } = createTrackerMetrics(metrics.registry);
  const failures = new FailureLog(logger, clock);
  const client = new TrackerClient({
    guard,
    clock,
    observe: ({ kind, outcome, seconds }) => {
      requests.inc({ kind, outcome });
      requestSeconds.observe({ kind }, seconds);
    },
    finished: (host, failure) => failures.finished(host, failure),
  });
  const cipher = createTokenCipher(() => readKeyRing({ ...config, dataDir }));
  const { cacheMaxBytes, freshSeconds, maxStaleSeconds } = config.thirdparty;
  const cache = new TrackerCache({
    settings: {
      maxBytes: cacheMaxBytes,
      freshMs: freshSeconds * 1000,
      revalidateMs: REVALIDATE_MS,
      maxStaleMs: maxStaleSeconds * 1000,
      patienceMs: PATIENCE_MS,
      retryMs: RETRY_MS,
    },
    clock,
    count: (outcome) => cacheReads.inc({ outcome }),
  });
  watchCache(() => cache.bytes);
  const { answerNotReady } = config.thirdparty;
  const leftOut = (thing: ListedThing, count: number): void => rowsLeftOut.inc({ thing }, count);
  const finder = new TrackerFinder({
    client,
    clock,
    save: async (projectId, tracker) => store?.saveSettings(projectId, { tracker }),
  });
  return {
    backends: new TrackerBackends({ client, cipher, cache, clock, answerNotReady, leftOut, finder }),
    guard,
    cipher,
    setup: createTrackerSetup({ client, guard, cipher, cache, leftOut, finder }),
    close: () => client.close(),
  };
}
