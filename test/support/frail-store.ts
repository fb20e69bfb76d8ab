import { AppError } from '../../src/domain/app-error.ts';
import type { RunningStore } from '../../src/import/import-run.ts';

/** Part of a store that fails on request, as seen by one gateway. */
export class FrailStore<S extends object = RunningStore> {
  readonly store: S;
  /** While true, calls never return: the gateway was killed. */
  isKilled = false;
  /** While true, calls throw `store_unavailable`. */
  isAway = false;
  /** Delays the answer of a call; default: not at all. */
  delay: (method: string, args: readonly unknown[]) => Promise<void> = () => Promise.resolve();
  /** Calls so far, by method. */
  readonly calls = new Map<string, number>();

  constructor(store: S) {
    this.store = new Proxy<S>(store, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== 'function') return method;
        return (...args: unknown[]) =>
          this.#call(String(name), args, () => Reflect.apply(method, target, args) as unknown);
      },
    });
  }

  async #call(method: string, args: readonly unknown[], call: () => unknown): Promise<unknown> {
    if (this.isKilled) return new Promise(() => undefined);
    if (this.isAway) throw new AppError('store_unavailable', 'the store is away');
    this.calls.set(method, (this.calls.get(method) ?? 0) + 1);
    const answer = await call();
    await this.delay(method, args);
    return answer;
  }
}
