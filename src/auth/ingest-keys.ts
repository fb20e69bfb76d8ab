import { LRUCache } from 'lru-cache';
import { AppError } from '../domain/app-error.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { IngestGrant } from '../domain/ports/intake.ts';
import { TokenBucket } from '../lib/token-bucket.ts';
import { within } from '../lib/within.ts';
import type { KeyCache } from './key-cache.ts';
import type { KeyUses } from './key-use.ts';
import { forbidden, type IngestKeyStore, isRefused, type KeyVerdict, refused, verdictOfStore } from './key-verdict.ts';

export interface IngestKeyBounds {
  /** Cache lifetime in milliseconds of an answer about a key outside the snapshot. */
  readonly ttlMs: number;
  /** Maximum number of such cached answers. Evicts the least recently used. */
  readonly maxEntries: number;
  /** Maximum single-key queries per second, and at once; above 0. Beyond it, all unknown keys share one query. */
  readonly lookUpsPerSecond: number;
  /** Maximum time in milliseconds a request waits for the store. */
  readonly patienceMs: number;
}

/** Limits so that a flood of invalid keys does not cause a flood of queries. */
export const INGEST_KEY_BOUNDS: IngestKeyBounds = {
  ttlMs: 1000,
  maxEntries: 10_000,
  lookUpsPerSecond: 200,
  patienceMs: 2000,
};

export interface IngestKeysDeps {
  readonly store: IngestKeyStore;
  /** Grants of known keys, also while the store is unavailable. */
  readonly keyCache: KeyCache;
  /** True when this installation offers the integrated backend. */
  readonly integratedEnabled: boolean;
  readonly clock: Clock;
  readonly bounds: IngestKeyBounds;
  /** Records every accepted key. */
  readonly uses: Pick<KeyUses, 'note'>;
}

/** Verdict of the store, with the time of its query. */
interface Answer {
  readonly verdict: KeyVerdict;
  readonly checkedAt: number;
}

/** Seconds after which an SDK may try again while keys cannot be checked. */
const RETRY_SECONDS = 10;

/** Checks the client keys of SDKs' requests. */
export class IngestKeys {
  readonly #deps: IngestKeysDeps;
  /** Caches answers about wrong keys, and about keys newer than the snapshot. */
  readonly #answers: LRUCache<string, Answer>;
  readonly #pending = new Map<string, Promise<KeyVerdict>>();
  readonly #budget: TokenBucket;

  constructor(deps: IngestKeysDeps) {
    this.#deps = deps;
    this.#answers = new LRUCache({ max: deps.bounds.maxEntries });
    const { lookUpsPerSecond } = deps.bounds;
    this.#budget = new TokenBucket({ perMinute: 60 * lookUpsPerSecond, burst: lookUpsPerSecond }, deps.clock.now());
  }

  /**
   * Checks that the key may send to the address: `dsnId` is its project's own id or an alias of it. Accepts keys of the
   * snapshot at once, even while the store is unavailable; only an available store refuses a key.
   *
   * Rejects with `ingest_forbidden`, which says what to do, or with `ingest_unavailable` for keys that cannot be
   * checked now.
   */
  check(publicKey: string, dsnId: string): IngestGrant | Promise<IngestGrant> {
    const { integratedEnabled, keyCache, uses } = this.#deps;
    const grant = integratedEnabled ? keyCache.snapshot.find(publicKey, dsnId) : null;
    if (grant === null) return this.#checkInStore(publicKey, dsnId);
    uses.note(grant.keyId);
    return grant;
  }

  /** Checks a key that is not in the snapshot. */
  async #checkInStore(publicKey: string, dsnId: string): Promise<IngestGrant> {
    if (!this.#deps.integratedEnabled) {
      throw forbidden(refused('not_offered'));
    }
    const verdict = await this.#verdictOn(publicKey, dsnId);
    if (isRefused(verdict)) {
      throw forbidden(verdict);
    }
    this.#deps.uses.note(verdict.keyId);
    return verdict;
  }

  #verdictOn(publicKey: string, dsnId: string): KeyVerdict | Promise<KeyVerdict> {
    const { keyCache, clock, bounds } = this.#deps;
    const cacheKey = `${dsnId}:${publicKey}`;
    const known = this.#answers.get(cacheKey);
    // While the store is unavailable, neither uses cached refusals nor queries it.
    if (keyCache.storeAway) {
      return this.#stillGranted(known, unavailable(new Error('the store does not answer')));
    }
    if (known !== undefined && clock.now() - known.checkedAt < bounds.ttlMs) {
      return known.verdict;
    }
    let answer = this.#pending.get(cacheKey);
    if (answer === undefined && !this.#budget.tryTake(clock.now())) {
      // Valid keys are in the snapshot; for another key only the refusal reason can be outdated.
      return known?.verdict ?? inTime(this.#askForAll(publicKey, dsnId), bounds.patienceMs);
    }
    if (answer === undefined) {
      answer = this.#ask(cacheKey, publicKey, dsnId);
      this.#pending.set(cacheKey, answer);
    }
    return inTime(answer, bounds.patienceMs).catch((trouble: unknown) => this.#stillGranted(known, trouble));
  }

  async #ask(cacheKey: string, publicKey: string, dsnId: string): Promise<KeyVerdict> {
    const { store, keyCache, clock } = this.#deps;
    try {
      const verdict = await verdictOfStore(store, publicKey, dsnId);
      keyCache.storeAnswered();
      this.#answers.set(cacheKey, { verdict, checkedAt: clock.now() });
      if (!isRefused(verdict)) {
        void keyCache.refresh(true);
      }
      return verdict;
    } catch (cause) {
      keyCache.storeFailed(cause);
      throw unavailable(cause);
    } finally {
      this.#pending.delete(cacheKey);
    }
  }

  /** Queries all keys at once; unknown keys share the query. Never refuses a key with an old answer. */
  async #askForAll(publicKey: string, dsnId: string): Promise<KeyVerdict> {
    const { keyCache } = this.#deps;
    await keyCache.refreshFromNow();
    if (keyCache.storeAway) {
      throw unavailable(new Error('the store does not answer'));
    }
    return keyCache.snapshot.find(publicKey, dsnId) ?? refused('unknown_key');
  }

  /**
   * Returns a cached grant that is newer than the snapshot, which stays valid while the store is unavailable. Else
   * throws `trouble`.
   */
  #stillGranted(known: Answer | undefined, trouble: unknown): KeyVerdict {
    if (known !== undefined && !isRefused(known.verdict) && known.checkedAt >= this.#deps.keyCache.snapshotAt) {
      return known.verdict;
    }
    throw trouble;
  }
}

/** Returns the answer; throws `ingest_unavailable` when it takes longer than `ms`. */
function inTime<T>(answer: Promise<T>, ms: number): Promise<T> {
  return within(
    ms,
    () => answer,
    () => {
      throw unavailable(new Error('the store takes too long to answer'));
    },
  );
}

function unavailable(cause: unknown): AppError {
  return new AppError('ingest_unavailable', 'The client key cannot be checked at the moment. Send it again later.', {
    cause,
    retryAfterSeconds: RETRY_SECONDS,
  });
}
