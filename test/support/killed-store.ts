import type { Store } from '../../src/domain/ports/stores/store.ts';

/** The process is killed at a call of the store. */
export class Killed extends Error {}

/** Store whose process is killed at the given call: this one and later ones fail. */
export function killedAt(store: Store, at: number): { readonly store: Store; readonly calls: () => number } {
  let calls = 0;
  const killed = new Proxy(store, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name, target);
      if (typeof found !== 'function') return found;
      return (...args: unknown[]): unknown => {
        // A killed process releases no lease; another run waits until it has ended.
        if (name === 'acquireLease' || name === 'releaseLease') return Promise.resolve(true);
        calls += 1;
        if (calls >= at) return Promise.reject(new Killed());
        return Reflect.apply(found, target, args) as unknown;
      };
    },
  });
  return { store: killed, calls: () => calls };
}

/** Store that calls `before` and `after` with the arguments of each call of one of its methods, and waits for them. */
export function watched(
  store: Store,
  name: keyof Store,
  before: (...args: readonly unknown[]) => Promise<void>,
  after: (...args: readonly unknown[]) => void = () => undefined,
): Store {
  return new Proxy(store, {
    get(target, member) {
      const found: unknown = Reflect.get(target, member, target);
      if (typeof found !== 'function') return found;
      const call = (args: unknown[]): unknown => Reflect.apply(found, target, args);
      if (member !== name) return (...args: unknown[]): unknown => call(args);
      return async (...args: unknown[]): Promise<unknown> => {
        await before(...args);
        const result = await call(args);
        after(...args);
        return result;
      };
    },
  });
}
