import { Slots } from './slots.ts';

/** Lets only so many requests run at once per host; the others wait in turn. */
export class HostSlots {
  readonly #max: number;
  readonly #hosts = new Map<string, Slots>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Resolves with the function that gives the slot back; rejects with the signal's reason when that is aborted first. */
  async take(host: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const slots = this.#hosts.get(host) ?? new Slots(this.#max);
    this.#hosts.set(host, slots);
    const giveBack = await slots.take(signal);
    return () => {
      giveBack();
      if (slots.running === 0 && this.#hosts.get(host) === slots) this.#hosts.delete(host);
    };
  }

  /** Running and waiting requests of the host. */
  load(host: string): { running: number; waiting: number } {
    const { running, waiting } = this.#hosts.get(host) ?? { running: 0, waiting: 0 };
    return { running, waiting };
  }
}
