import { Lease, type LeaseOptions } from './lease.ts';
import { Periodic } from './periodic.ts';

interface HeldLeaseOptions extends Pick<LeaseOptions, 'store' | 'name' | 'owner'> {
  /** Milliseconds after which another process takes over from one that was killed. */
  readonly ttlMs: number;
}

/** Lease that is extended until it is released, for work of unknown length. */
export class HeldLease {
  readonly #lease: Lease;
  readonly #renewal: Periodic;

  private constructor(lease: Lease, intervalMs: number) {
    this.#lease = lease;
    // A store that does not answer for a moment is no reason to end; the lease lasts several renewals.
    this.#renewal = new Periodic({ intervalMs, run: () => lease.hold() });
    this.#renewal.start();
  }

  /** Takes the lease; null while another process has it. Throws when the store does not answer. */
  static async take({ ttlMs, ...options }: HeldLeaseOptions): Promise<HeldLease | null> {
    const lease = new Lease({ ...options, ttlMs, extendMs: 0, tryMs: 0 });
    return (await lease.hold()) === 'not_held' ? null : new HeldLease(lease, ttlMs / 3);
  }

  /** Gives it up. Where the store does not answer, it ends by itself. */
  async release(): Promise<void> {
    await this.#renewal.stop();
    await this.#lease.release().catch(() => undefined);
  }
}
