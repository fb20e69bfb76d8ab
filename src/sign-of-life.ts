import { randomBytes } from 'node:crypto';
import type { MaintenanceStore } from './domain/ports/maintenance-store.ts';
import { Periodic } from './lib/periodic.ts';
import { within } from './lib/within.ts';

export interface SignOfLifeOptions {
  readonly store: Pick<MaintenanceStore, 'announceGateway' | 'retireGateway'>;
  /** Of this program. */
  readonly version: string;
  /** Milliseconds between two signs; default 6000, a tenth of the time after which others take this one for gone. */
  readonly intervalMs?: number;
}

const INTERVAL_MS = 6000;
/** Milliseconds that a stop waits for the last word to be heard; time tells the same a minute later. */
const LAST_WORD_MS = 1000;

/** Tells the other gateways on the store that this one lives, under a random name of this process. */
export class SignOfLife {
  readonly gatewayId = randomBytes(16).toString('hex');
  readonly #options: SignOfLifeOptions;
  readonly #job: Periodic;
  #state: 'new' | 'live' | 'stopped' = 'new';

  constructor(options: SignOfLifeOptions) {
    this.#options = options;
    const run = (): Promise<void> => options.store.announceGateway(this.gatewayId, options.version);
    this.#job = new Periodic({ intervalMs: options.intervalMs ?? INTERVAL_MS, run });
  }

  /** Call it when the store is there. A sign that is not heard is made good by the next one. */
  start(): void {
    if (this.#state === 'stopped') return;
    this.#state = 'live';
    this.#job.start();
    void this.#job.run();
  }

  /** Says goodbye, but does not wait long for that. */
  async stop(): Promise<void> {
    const wasLive = this.#state === 'live';
    this.#state = 'stopped';
    if (!wasLive) return;
    await within(
      LAST_WORD_MS,
      () => this.#retire(),
      () => undefined,
    );
  }

  /** After a sign that is under way: it would make the gateway live again. */
  async #retire(): Promise<void> {
    await this.#job.stop();
    await this.#options.store.retireGateway(this.gatewayId).catch(() => undefined);
  }
}
