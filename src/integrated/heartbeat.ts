import { randomBytes } from 'node:crypto';
import type { MaintenanceStore } from '../domain/ports/maintenance-store.ts';
import { Periodic } from '../lib/periodic.ts';
import { within } from '../lib/within.ts';

export interface HeartbeatOptions {
  readonly store: Pick<MaintenanceStore, 'announceGateway' | 'retireGateway'>;
  /** Of this program. */
  readonly version: string;
  /** Milliseconds between two announcements; default 6000, a tenth of the time after which others take this one for gone. */
  readonly intervalMs?: number;
}

const INTERVAL_MS = 6000;
/** Milliseconds that a stop waits for its announcement; without it the others know a minute later. */
const RETIRE_MS = 1000;

/** Announces to the other gateways on the store that this one runs, under a random name of this process. */
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

  /** Call it when the store is there. After an announcement that fails the next one makes up for it. */
  start(): void {
    if (this.#state === 'stopped') return;
    this.#state = 'live';
    this.#job.start();
    void this.#job.run();
  }

  /** Announces the end; waits for that at most a second. */
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

  /** Waits for an announcement under way first: it would bring the gateway back. */
  async #retire(): Promise<void> {
    await this.#job.stop();
    await this.#options.store.retireGateway(this.gatewayId).catch(() => undefined);
  }
}
