import { randomBytes } from 'node:crypto';
import type { MaintenanceStore } from '../domain/ports/stores/maintenance-store.ts';
import { Periodic } from '../lib/periodic.ts';
import { within } from '../lib/within.ts';

export interface HeartbeatOptions {
  readonly store: Pick<MaintenanceStore, 'announceGateway' | 'retireGateway'>;
  /** Version of this program. */
  readonly version: string;
  /** Milliseconds between two announcements; default 6000, a tenth of the time after which a gateway counts as gone. */
  readonly intervalMs?: number;
}

const INTERVAL_MS = 6000;
/** Maximum milliseconds that `stop` waits for its announcement; without it the others notice the end a minute later. */
const RETIRE_MS = 1000;

/** Announces this gateway to the others on the store, under a random name of this process. */
export class Heartbeat {
  readonly gatewayId = randomBytes(16).toString('hex');
  readonly #options: HeartbeatOptions;
  readonly #job: Periodic;
  #state: 'new' | 'live' | 'stopped' = 'new';

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    const run = (): Promise<void> => options.store.announceGateway(this.gatewayId, options.version);
    this.#job = new Periodic({ intervalMs: options.intervalMs ?? INTERVAL_MS, run });
  }

  /** Starts announcing. Call it when the store is available. The next announcement makes up for a failed one. */
  start(): void {
    if (this.#state === 'stopped') return;
    this.#state = 'live';
    this.#job.start();
    void this.#job.run();
  }

  /** Announces the end; waits for it at most a second. */
  async stop(): Promise<void> {
    const wasLive = this.#state === 'live';
    this.#state = 'stopped';
    if (!wasLive) return;
    await within(
      RETIRE_MS,
      () => this.#retire(),
      () => undefined,
    );
  }

  /** Waits for a running announcement first, which would bring the gateway back. */
  async #retire(): Promise<void> {
    await this.#job.stop();
    await this.#options.store.retireGateway(this.gatewayId).catch(() => undefined);
  }
}
