import { LRUCache } from 'lru-cache';
import { logFields } from '../../../domain/app-error.ts';
import type { OutcomeCount } from '../../../domain/ingest/digest.ts';
import type { Clock } from '../../../domain/ports/clock.ts';
import type { ErrorStore } from '../../../domain/ports/stores/error-store.ts';
import type { Logger } from '../../../observability/logger.ts';
import type { SpikeGuardSettings } from './limit-rules.ts';
import type { Allowance } from '../../../lib/token-bucket.ts';
import { HOUR_MS } from '../../../domain/durations.ts';

/** Hours of history that are read: one week. */
const LEARN_HOURS = 7 * 24;
/** Minimum hours of history; with less, nothing is limited. */
const MIN_HOURS = 24;
/** Milliseconds a learned value is valid. */
const LEARNED_MS = 15 * 60_000;
/** Milliseconds until the next read after a failed one. */
const RETRY_MS = 60_000;
/** Quantile of the hourly counts that is taken as usual. Spikes of the last week lie above it. */
const QUANTILE = 0.9;
/** Burst, in minutes of the allowance. */
const BURST_MINUTES = 10;
/** Maximum number of remembered projects. Evicts the least recently used. */
const MAX_PROJECTS = 10_000;

interface Learned {
  /** Events in a usual hour; null: too little history. */
  readonly perHour: number | null;
  readonly learnedAt: number;
}

/** Learns the usual traffic of projects from their outcomes. Requests never wait for it. */
export class SpikeGuard {
  readonly #store: Pick<ErrorStore, 'listOutcomes'>;
  readonly #clock: Clock;
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #learned = new LRUCache<number, Learned>({ max: MAX_PROJECTS });
  readonly #learning = new Map<number, Promise<void>>();
  #failing = false;

  constructor(deps: {
    readonly store: Pick<ErrorStore, 'listOutcomes'>;
    readonly clock: Clock;
    readonly logger: Pick<Logger, 'warn'>;
  }) {
    this.#store = deps.store;
    this.#clock = deps.clock;
    this.#logger = deps.logger;
  }

  /** Returns the allowance of the project; null while it has too little history. */
  allowance(projectId: number, { factor, minimumPerMinute }: SpikeGuardSettings): Allowance | null {
    const known = this.#learned.get(projectId);
    if (known === undefined || Math.abs(this.#clock.now() - known.learnedAt) >= LEARNED_MS) {
      void this.learn(projectId);
    }
    if (known === undefined || known.perHour === null) {
      return null;
    }
    const perMinute = Math.max(minimumPerMinute, Math.ceil((factor * known.perHour) / 60));
    return { perMinute, burst: perMinute * BURST_MINUTES };
  }

  /** Reads the history again, or joins the running read; never throws. */
  learn(projectId: number): Promise<void> {
    let learning = this.#learning.get(projectId);
    if (learning === undefined) {
      learning = this.#learn(projectId).finally(() => this.#learning.delete(projectId));
      this.#learning.set(projectId, learning);
    }
    return learning;
  }

  async #learn(projectId: number): Promise<void> {
    const now = this.#clock.now();
    try {
      const until = Math.floor(now / HOUR_MS) * HOUR_MS;
      const counts = await this.#store.listOutcomes(projectId, until - LEARN_HOURS * HOUR_MS, until);
      this.#learned.set(projectId, { perHour: usualPerHour(counts, until), learnedAt: now });
      this.#failing = false;
    } catch (error) {
      // Logs once, not for every project: the store is unavailable for all of them.
      if (!this.#failing) {
        this.#logger.warn(
          { ...logFields(error), projectId },
          'the spike guard cannot read the usual event rates; it keeps the last known ones',
        );
      }
      this.#failing = true;
      const perHour = this.#learned.get(projectId)?.perHour ?? null;
      this.#learned.set(projectId, { perHour, learnedAt: now - LEARNED_MS + RETRY_MS });
    }
  }
}

/**
 * Computes the events in a usual hour before `until`, a whole hour. Null when the counts reach back less than a day.
 * Hours without events count with 0; limited events do not count.
 */
export function usualPerHour(counts: readonly OutcomeCount[], until: number): number | null {
  const byHour = new Map<number, number>();
  let first = until;
  for (const { at, category, outcome, quantity } of counts) {
    first = Math.min(first, at);
    if (category === 'error' && outcome === 'accepted') {
      byHour.set(at, (byHour.get(at) ?? 0) + quantity);
    }
  }
  const hours = Math.round((until - first) / HOUR_MS);
  if (hours < MIN_HOURS) {
    return null;
  }
  const sums = [...byHour.values(), ...new Array<number>(Math.max(0, hours - byHour.size)).fill(0)];
  sums.sort((a, b) => a - b);
  return sums[Math.ceil(QUANTILE * sums.length) - 1] ?? 0;
}
