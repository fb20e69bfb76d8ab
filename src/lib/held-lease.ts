import { Lease, type LeaseOptions } from './lease.ts';
import { Periodic } from './periodic.ts';

interface HeldLeaseOptions extends Pick<LeaseOptions, 'store' | 'name' | 'owner'> {
  /** Milliseconds after which another process takes over from one that was killed. */
  readonly ttlMs: number;
  /** Milliseconds between two renewals; default a third of `ttlMs`. */
  readonly renewMs?: number;
  /** Called after each renewal; false: another process has the lease. */
  readonly onRenewed?: (isHeld: boolean) => Promise<void> | void;
}

/** Lease that is extended until it is released, for work of unknown length. */
export class HeldLease {
  readonly #lease: Lease;
  readonly #renewal: Periodic;

  private constructor(lease: Lease, { ttlMs, renewMs = ttlMs / 3, onRenewed }: HeldLeaseOptions) {
    this.#lease = lease;
    const run = async () => onRenewed?.((await lease.hold()) !== 'not_held');
    // A store that does not answer for a moment is no reason to end; the lease lasts several renewals.
    this.#renewal = new Periodic({ intervalMs: renewMs, run });
    this.#renewal.start();
  }

  /** Takes the lease; null while another process has it. Throws when the store does not answer. */
  static async take(options: HeldLeaseOptions): Promise<HeldLease | null> {
    const { store, name, owner, ttlMs } = options;
    const lease = new Lease({ store, name, owner, ttlMs, extendMs: 0, tryMs: 0 });
    return (await lease.hold()) === 'not_held' ? null : new HeldLease(lease, options);
  }

  /** Gives it up. Throws when the store does not answer; it then ends by itself. */
  async release(): Promise<void> {
    await this.#renewal.stop();
    await this.#lease.release();
  }
}
