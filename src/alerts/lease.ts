import { randomUUID } from 'node:crypto';
import type { MaintenanceStore } from '../domain/ports/stores/maintenance-store.ts';

export interface LeaseOptions {
  readonly store: Pick<MaintenanceStore, 'acquireLease' | 'releaseLease'>;
  readonly name: string;
  /** Name of this process. */
  readonly owner: string;
  /** Milliseconds since any time; never set. */
  readonly steady: () => number;
}

/** Milliseconds of the lease: another gateway takes over this long after the last extension. */
const TTL_MS = 60_000;
/** Milliseconds after which the owner extends it, and between attempts of the others. */
const EXTEND_MS = 20_000;
const TRY_MS = 5000;

/**
 * Returns the name of this process as owner of leases. A store that only one service uses (`shared` false) is its own
 * at once after a crash: each start has the same name.
 */
export function leaseOwner(shared: boolean): string {
  return shared ? randomUUID() : 'this service';
}

/** Lease of a periodic job, with as few writes as possible. */
export class JobLease {
  readonly #options: LeaseOptions;
  #heldUntil = -Infinity;
  #nextTry = -Infinity;

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  /** True: no other process has it. */
  get isHeld(): boolean {
    return this.#options.steady() < this.#heldUntil;
  }

  /** `taken`: held, and another process may have held it before. `held`: without interruption. */
  async hold(): Promise<'taken' | 'held' | 'not_held'> {
    const { store, name, owner, steady } = this.#options;
    const now = steady();
    const held = now < this.#heldUntil;
    if (held && this.#heldUntil - now > TTL_MS - EXTEND_MS) return 'held';
    if (!held && now < this.#nextTry) return 'not_held';
    this.#nextTry = now + TRY_MS;
    if (!(await store.acquireLease(name, owner, TTL_MS))) {
      this.#heldUntil = -Infinity;
      return 'not_held';
    }
    this.#heldUntil = now + TTL_MS;
    return held ? 'held' : 'taken';
  }

  /** Gives it up, so that another process need not wait for its end. */
  async release(): Promise<void> {
    if (this.#heldUntil === -Infinity) return;
    this.#heldUntil = -Infinity;
    await this.#options.store.releaseLease(this.#options.name, this.#options.owner);
  }
}
