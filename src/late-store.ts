import { AppError } from './domain/app-error.ts';
import type { Store } from './domain/ports/store.ts';
import { openPatiently } from './open-patiently.ts';

export interface LateStoreOptions {
  open(): Promise<Store>;
  /** Looks at a store that was opened before anybody else may use it; throws to refuse it. */
  admit(store: Store): Promise<void>;
  /** Whether a store that is away is waited for the first time; otherwise `open` throws its error. */
  readonly mayWait: boolean;
  /** Told after every attempt that found the store away. */
  readonly onAway: (error: AppError) => void;
}

const RETRY_AFTER_SECONDS = 5;

type AnyMethod = (...args: readonly unknown[]) => Promise<unknown>;

/**
 * A store that may come later than those who use it. Until it is there every call fails with
 * `store_unavailable` and the reason; a store opened again takes the place of the former one.
 */
export class LateStore {
  /** For everybody else: the store, whether it is there or not. */
  readonly store: Store;
  readonly #options: LateStoreOptions;
  readonly #stopping = new AbortController();
  #current: Store | null = null;
  #reason = 'the store is not open yet';

  constructor(options: LateStoreOptions) {
    this.#options = options;
    const methods = new Map<string, AnyMethod>();
    this.store = new Proxy({} as Store, {
      get: (_, name) => {
        // A promise that resolves with the store must not take it for another promise.
        if (typeof name === 'symbol' || name === 'then') return undefined;
        const method = methods.get(name) ?? this.#method(name);
        methods.set(name, method);
        return method;
      },
    });
  }

  get isOpen(): boolean {
    return this.#current !== null;
  }

  /** What those are told who ask while there is no store. */
  explain(reason: string): void {
    this.#reason = reason;
  }

  /** Opens the store, waiting for it where that is allowed. Throws when it will never do. */
  async open(): Promise<void> {
    const opened = await openPatiently({
      open: () => this.#openAdmitted(),
      mayWait: this.#options.mayWait || this.isOpen,
      onAway: (error) => this.#options.onAway(error),
      signal: this.#stopping.signal,
    });
    if (opened === null) return;
    if (this.#stopping.signal.aborted) {
      await opened.close();
      return;
    }
    const former = this.#current;
    this.#current = opened;
    await former?.close();
  }

  /** Also ends the waiting. */
  async close(): Promise<void> {
    this.#stopping.abort();
    this.#reason = 'the store is closed';
    const current = this.#current;
    this.#current = null;
    await current?.close();
  }

  async #openAdmitted(): Promise<Store> {
    const store = await this.#options.open();
    try {
      await this.#options.admit(store);
      return store;
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  #method(name: string): AnyMethod {
    return async (...args) => {
      if (name === 'close') return this.close();
      if (this.#current === null) {
        throw new AppError('store_unavailable', this.#reason, { retryAfterSeconds: RETRY_AFTER_SECONDS });
      }
      // Every member of the port is a method; a private field inside needs the store itself as `this`.
      const store = this.#current as unknown as Record<string, AnyMethod>;
      return store[name]?.(...args);
    };
  }
}
