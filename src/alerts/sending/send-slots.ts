/** Maximum messages that are sent at once, of them to one host, and to destinations that fail at present. */
const MAX_AT_ONCE = 8;
const MAX_PER_HOST = 2;
const MAX_FAILING = 4;

/** Bounds of what is sent at once. A receiver that is slow or dead leaves room for the others. */
export class SendSlots {
  readonly #hosts = new Map<string, number>();
  #taken = 0;
  #failing = 0;

  /** Takes a slot; false: there is none now. */
  take(host: string, failing: boolean): boolean {
    const atHost = this.#hosts.get(host) ?? 0;
    if (this.#taken >= MAX_AT_ONCE || atHost >= MAX_PER_HOST || (failing && this.#failing >= MAX_FAILING)) return false;
    this.#taken += 1;
    if (failing) this.#failing += 1;
    this.#hosts.set(host, atHost + 1);
    return true;
  }

  release(host: string, failing: boolean): void {
    this.#taken -= 1;
    if (failing) this.#failing -= 1;
    const atHost = (this.#hosts.get(host) ?? 1) - 1;
    if (atHost === 0) this.#hosts.delete(host);
    else this.#hosts.set(host, atHost);
  }
}
