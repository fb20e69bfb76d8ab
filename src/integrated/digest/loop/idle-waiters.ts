interface Waiter {
  resolve(done: boolean): void;
  reject(error: unknown): void;
}

/** Promises that resolve when the digest has no work left. */
export class IdleWaiters {
  #waiters: Waiter[] = [];

  get none(): boolean {
    return this.#waiters.length === 0;
  }

  wait(): Promise<boolean> {
    return new Promise((resolve, reject) => this.#waiters.push({ resolve, reject }));
  }

  resolve(done: boolean): void {
    for (const waiter of this.#take()) {
      waiter.resolve(done);
    }
  }

  reject(error: unknown): void {
    for (const waiter of this.#take()) {
      waiter.reject(error);
    }
  }

  #take(): Waiter[] {
    const waiters = this.#waiters;
    this.#waiters = [];
    return waiters;
  }
}
