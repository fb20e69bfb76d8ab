import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../domain/ports/clock.ts';
import { PerSecondBudget } from '../../../lib/per-second-budget.ts';

/** What is wrong with the key or the address, whatever was sent. */
const BRAKED = new Set([401, 403, 404, 405]);

/** Such answers that one client address is given at once, per second: more than one mistaken machine needs. */
const PROMPT_PER_SECOND = 100;

/**
 * By how much the others are put off, milliseconds: the more of this address wait already, the longer. So 8 connections
 * that never rest are answered some 60 times a second, 64 some 150 times, and any number of them once a second each.
 * SDKs give a request seconds.
 */
const HELD_MS = 100;
const HELD_MS_PER_WAITING = 5;
const MAX_HELD_MS = 1000;

/** Answers that are put off at a time, of all addresses. Beyond, they are given at once: requests must not pile up. */
const MAX_HELD = 1000;

/** Addresses that are told apart. Beyond, the one that was refused longest ago begins anew. */
const MAX_SENDERS = 10_000;

export interface RefusalThrottleDeps {
  readonly clock: Clock;
  /** Resolves after so many milliseconds. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

interface Sender {
  readonly prompt: PerSecondBudget;
  waiting: number;
}

/**
 * Makes who floods the service with requests that are refused wait for the answers, so that he does not outrun those
 * that are let in. Nobody else waits for it. Senders that do not wait for answers are not slowed down.
 */
export class RefusalThrottle {
  readonly #deps: Required<RefusalThrottleDeps>;
  /** By address; '' for all unknown ones. Beyond the bound, the one that was refused longest ago goes. */
  readonly #senders = new LRUCache<string, Sender>({ max: MAX_SENDERS });
  #waiting = 0;

  constructor(deps: RefusalThrottleDeps) {
    this.#deps = { pause, ...deps };
  }

  /**
   * Null: a refusal with this status may be answered at once. Else resolves when it may. `address`: of the client,
   * only asked for where it matters; all unknown ones (null) are one.
   */
  hold(status: number, address: () => string | null): Promise<void> | null {
    if (!BRAKED.has(status)) return null;
    const sender = this.#senderAt(address());
    if (sender.prompt.take(this.#deps.clock.now()) || this.#waiting >= MAX_HELD) return null;
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

  /** The sender, which is thereby the one that was refused last. */
  #senderAt(address: string | null): Sender {
    const key = address ?? '';
    const known = this.#senders.get(key);
    if (known !== undefined) return known;
    const sender: Sender = { prompt: new PerSecondBudget(PROMPT_PER_SECOND), waiting: 0 };
    this.#senders.set(key, sender);
    return sender;
  }
}
