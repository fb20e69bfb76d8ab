import { randomBytes } from 'node:crypto';
import type { Clock } from '../../src/domain/ports/clock.ts';
import type { TrackerSetup } from '../../src/domain/ports/tracker-setup.ts';
import { TrackerCache, type CacheSettings } from '../../src/thirdparty/cache.ts';
import { TrackerClient } from '../../src/thirdparty/http/client.ts';
import { parseSecretKey } from '../../src/thirdparty/secrets/key-ring.ts';
import { createTokenCipher, type TokenCipher } from '../../src/thirdparty/secrets/encrypted-token.ts';
import { TrackerBackends } from '../../src/thirdparty/tracker-backends.ts';
import { createTrackerSetup } from '../../src/thirdparty/tracker-setup.ts';
import { createUrlGuard } from '../../src/thirdparty/guard/url-guard.ts';

/** Tracker parts as assembled by the service; only trackers on this machine are allowed. */
export interface TestTrackers {
  readonly setup: TrackerSetup;
  readonly backends: TrackerBackends;
  readonly client: TrackerClient;
  readonly cache: TrackerCache;
  readonly cipher: TokenCipher;
}

export const CACHE_SETTINGS: CacheSettings = {
  maxBytes: 1024 * 1024,
  freshMs: 60_000,
  revalidateMs: 240_000,
  maxStaleMs: 3_600_000,
  // Longer than a request may take: a copy is then returned for a failure alone, and nothing is asked after the answer.
  patienceMs: 60_000,
  retryMs: 5000,
};

export function createTestTrackers(clock: Clock, allow = '127.0.0.1', answerNotReady = false): TestTrackers {
  const guard = createUrlGuard({ allow });
  const client = new TrackerClient({ guard, clock });
  const key = parseSecretKey(randomBytes(32).toString('hex'));
  const cipher = createTokenCipher(() => (key === null ? [] : [key]));
  const cache = new TrackerCache({ settings: CACHE_SETTINGS, clock });
  const backends = new TrackerBackends({ client, cipher, cache, clock, answerNotReady });
  return { setup: createTrackerSetup({ client, guard, cipher, cache }), backends, client, cache, cipher };
}
