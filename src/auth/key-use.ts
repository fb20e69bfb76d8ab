import type { Clock } from '../domain/ports/clock.ts';
import type { TrackingStore } from '../domain/ports/stores/tracking-store.ts';
import { Periodic } from '../lib/periodic.ts';

/** Milliseconds between two writes of the last uses. */
const FLUSH_MS = 10_000;

export interface KeyUsesDeps {
  readonly store: Pick<TrackingStore, 'touchKeys'>;
  readonly clock: Clock;
}

/** Collects the last use of client keys and writes it to the store every ten seconds. */
export class KeyUses {
  readonly #deps: KeyUsesDeps;
  /** Time of the last use by key id. Bounded by the number of keys. */
  #uses = new Map<number, number>();
  readonly #job = new Periodic({ intervalMs: FLUSH_MS, run: () => this.flush() });

  constructor(deps: KeyUsesDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#job.start();
  }

  note(keyId: number): void {
    this.#uses.set(keyId, this.#deps.clock.now());
  }

  /** Writes all collected uses. Never throws: a failed write is repeated with the next flush. */
  async flush(): Promise<void> {
    const uses = this.#uses;
    if (uses.size === 0) return;
    this.#uses = new Map();
    try {
      await this.#deps.store.touchKeys([...uses].map(([keyId, usedAt]) => ({ keyId, usedAt })));
    } catch {
      for (const [keyId, usedAt] of uses) if (!this.#uses.has(keyId)) this.#uses.set(keyId, usedAt);
    }
  }

  /** Waits for the running flush, then flushes the rest. */
  async stop(): Promise<void> {
    await this.#job.stop();
    await this.flush();
  }
}
