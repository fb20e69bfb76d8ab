import { BackOff, sleep, type Sleep } from '../../lib/back-off.ts';

/** Ids of one call. */
const MAX_IDS = 500;
/** Milliseconds in which ids gather, so that a busy project costs a few writes per second. */
const GATHER_MS = 100;
const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 30_000;

export interface MarkQueueOptions {
  /** Records durably that the target has the events. May be called with the same ids again. */
  readonly mark: (eventIds: readonly string[]) => Promise<void>;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
  readonly sleep?: Sleep;
  readonly random?: () => number;
}

/** Records events that a target took, several at once, until the store has them. */
export class MarkQueue {
  readonly #options: MarkQueueOptions;
  readonly #sleep: Sleep;
  readonly #backOff: BackOff;
  #waiting: { readonly eventId: string; readonly done: () => void }[] = [];
  #running: Promise<void> | null = null;

  constructor(options: MarkQueueOptions) {
    this.#options = options;
    this.#sleep = options.sleep ?? sleep;
    const random = options.random ?? Math.random;
    this.#backOff = new BackOff({ firstMs: FIRST_RETRY_MS, maxMs: MAX_RETRY_MS, random });
  }

  /** Number of events that are not recorded yet. */
  get size(): number {
    return this.#waiting.length;
  }

  /** Calls `done` when the store has the event; never after the signal aborted. */
  add(eventId: string, done: () => void): void {
    this.#waiting.push({ eventId, done });
    this.#running ??= this.#run().finally(() => (this.#running = null));
  }

  /** Resolves when all events are recorded, or the signal aborted. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    const { mark, signal, onError } = this.#options;
    const stopped = (): boolean => signal.aborted;
    await this.#sleep(GATHER_MS, signal);
    while (this.#waiting.length > 0) {
      const taken = this.#waiting.slice(0, MAX_IDS);
      try {
        await mark([...new Set(taken.map(({ eventId }) => eventId))]);
        this.#backOff.reset();
      } catch (error) {
        if (stopped()) return;
        onError(error);
        await this.#sleep(this.#backOff.next(), signal);
        if (stopped()) return;
        continue;
      }
      this.#waiting.splice(0, taken.length);
      for (const { done } of taken) done();
    }
  }
}
