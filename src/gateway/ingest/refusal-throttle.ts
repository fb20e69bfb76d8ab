import { LRUCache } from 'lru-cache';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../domain/ports/clock.ts';
import { type Allowance, TokenBucket } from '../../lib/token-bucket.ts';

/** Status codes of refusals caused by the key or the address. */
const THROTTLED = new Set([401, 403, 404, 405]);

/** Undelayed refusals per client address: 100 per second, with a burst of 100. */
const PROMPT: Allowance = { perMinute: 6000, burst: 100 };

/**
 * Delay of further refusals in milliseconds: 100, and 5 for each waiting request of this address, at most 1000. With
 * it, 8 busy connections get about 60 answers a second, 64 about 150. SDKs time out after several seconds.
 */
const HELD_MS = 100;
const HELD_MS_PER_WAITING = 5;
const MAX_HELD_MS = 1000;

/** Maximum number of delayed answers over all addresses. Beyond it, answers are not delayed. */
const MAX_HELD = 1000;

/** Maximum number of tracked addresses. Evicts the least recently refused. */
const MAX_SENDERS = 10_000;

export interface RefusalThrottleDeps {
  readonly clock: Clock;
  /** Resolves after `ms` milliseconds. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

interface Sender {
  readonly prompt: TokenBucket;
  waiting: number;
}

/**
 * Delays answers to clients that flood the service with refused requests, so that accepted requests are not starved.
 * Other clients are not delayed. Has no effect on clients that do not wait for answers.
 */
export class RefusalThrottle {
  readonly #deps: Required<RefusalThrottleDeps>;
  /** Senders by address; '' for all unknown addresses. */
  readonly #senders = new LRUCache<string, Sender>({ max: MAX_SENDERS });
  #waiting = 0;

  constructor(deps: RefusalThrottleDeps) {
    this.#deps = { pause, ...deps };
  }

  /**
   * Returns null when the refusal can be answered at once; else a promise that resolves after the delay. `address`
   * is called only when needed; all unknown addresses (null) count as one.
   */
  hold(status: number, address: () => string | null): Promise<void> | null {
    if (!THROTTLED.has(status)) return null;
    const now = this.#deps.clock.now();
    const sender = this.#senderAt(address(), now);
    if (sender.prompt.tryTake(now) || this.#waiting >= MAX_HELD) return null;
    return this.#wait(sender);
  }

  async #wait(sender: Sender): Promise<void> {
    const ms = Math.min(MAX_HELD_MS, HELD_MS + HELD_MS_PER_WAITING * sender.waiting);
    sender.waiting += 1;
    this.#waiting += 1;
    try {
      await this.#deps.pause(ms);
    } finally {
      sender.waiting -= 1;
      this.#waiting -= 1;
    }
  }

  /** Returns the sender of the address and marks it as most recently refused. */
  #senderAt(address: string | null, now: number): Sender {
    const key = address ?? '';
    const known = this.#senders.get(key);
    if (known !== undefined) return known;
    const sender: Sender = { prompt: new TokenBucket(PROMPT, now), waiting: 0 };
    this.#senders.set(key, sender);
    return sender;
  }
}
