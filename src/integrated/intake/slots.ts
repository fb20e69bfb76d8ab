/** Lets a fixed number of tasks run at a time, in the order they came. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free === 0) {
      // Whoever leaves hands its slot over.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#free -= 1;
    }
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) {
        this.#free += 1;
      } else {
        next();
      }
    }
  }
}
