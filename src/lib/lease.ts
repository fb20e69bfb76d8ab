/** Store of leases; throws when it does not answer. */
export interface LeaseStore {
  acquireLease(name: string, owner: string, ttlMs: number): Promise<boolean>;
  releaseLease(name: string, owner: string): Promise<void>;
}

export interface LeaseOptions {
  readonly store: LeaseStore;
  readonly name: string;
  /** Name of this process. */
  readonly owner: string;
  /** Milliseconds of the lease: another process takes over this long after the last extension. Default a minute. */
  readonly ttlMs?: number;
  /** Milliseconds after which the owner extends it; default a third of `ttlMs`. 0: with each `hold`. */
  readonly extendMs?: number;
  /** Minimum milliseconds between two attempts to take the lease; default 5000. */
  readonly tryMs?: number;
  /** Milliseconds since any time; never set. Default: of the process. */
  readonly steady?: () => number;
}

/** Right to do work that one process does at a time, with as few writes as possible. */
export class Lease {
  readonly #options: LeaseOptions;
  readonly #ttlMs: number;
  readonly #extendMs: number;
  readonly #steady: () => number;
  #heldUntil = -Infinity;
  #nextTry = -Infinity;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#ttlMs = options.ttlMs ?? 60_000;
    this.#extendMs = options.extendMs ?? this.#ttlMs / 3;
    this.#steady = options.steady ?? (() => performance.now());
  }

  /** True: no other process has it. */
  get isHeld(): boolean {
    return this.#steady() < this.#heldUntil;
  }

  /**
   * Takes the lease, or extends it when that is due. `taken`: held, and another process may have held it before.
   * `held`: without interruption.
   */
  async hold(): Promise<'taken' | 'held' | 'not_held'> {
    const { store, name, owner, tryMs = 5000 } = this.#options;
    const now = this.#steady();
    const held = now < this.#heldUntil;
    if (held && this.#heldUntil - now > this.#ttlMs - this.#extendMs) return 'held';
    if (!held && now < this.#nextTry) return 'not_held';
    this.#nextTry = now + tryMs;
    if (!(await store.acquireLease(name, owner, this.#ttlMs))) {
      this.#heldUntil = -Infinity;
      return 'not_held';
    }
    this.#heldUntil = now + this.#ttlMs;
    return held ? 'held' : 'taken';
  }

  /** Gives it up, so that another process need not wait for its end. */
  async release(): Promise<void> {
    if (this.#heldUntil === -Infinity) return;
    this.#heldUntil = -Infinity;
    await this.#options.store.releaseLease(this.#options.name, this.#options.owner);
  }
}
