import { LRUCache } from 'lru-cache';
import type { AccessToken } from '../domain/projects/account.ts';
import type { AccountStore } from '../domain/ports/stores/account-store.ts';
import type { Clock } from '../domain/ports/clock.ts';

/** Milliseconds in which all uses of a token cause one write, as in the host. */
const QUIET_MS = 10 * 60_000;

/** Milliseconds until the next attempt after a failed write. */
const RETRY_MS = 60_000;

/** Maximum number of cached tokens. The store still has the last use of an evicted one. */
const MAX_NOTED = 5000;

export interface TokenUsesDeps {
  readonly store: Pick<AccountStore, 'touchToken'>;
  readonly clock: Clock;
}

/** Writes the last use of access tokens to the store, at most every ten minutes each. Requests do not wait for it. */
export class TokenUses {
  readonly #deps: TokenUsesDeps;
  /** Time until which uses of a token need no write. */
  readonly #quiet = new LRUCache<number, number>({ max: MAX_NOTED });
  readonly #writes = new Set<Promise<void>>();

  constructor(deps: TokenUsesDeps) {
    this.#deps = deps;
  }

  note({ id, lastUsedAt }: Pick<AccessToken, 'id' | 'lastUsedAt'>): void {
    const now = this.#deps.clock.now();
    if (now < (this.#quiet.get(id) ?? 0) || (lastUsedAt !== null && now < lastUsedAt + QUIET_MS)) return;
    this.#quiet.set(id, now + QUIET_MS);
    const write = this.#write(id, now);
    this.#writes.add(write);
    void write.then(() => this.#writes.delete(write));
  }

  /** Records one use. Never throws: a failed write does not block the request. */
  async #write(id: number, usedAt: number): Promise<void> {
    try {
      await this.#deps.store.touchToken(id, usedAt);
    } catch {
      this.#quiet.set(id, usedAt + RETRY_MS);
    }
  }

  /** Waits for running writes. */
  async flushed(): Promise<void> {
    await Promise.all(this.#writes);
  }
}
