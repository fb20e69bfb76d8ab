import { AppError } from '../../domain/app-error.ts';
import type { Store } from '../../domain/ports/stores/store.ts';
import { openWithRetry, type WaitableCode } from './open-with-retry.ts';
import { isDamage } from '../sqlite/engine/sqlite-errors.ts';

export interface ReconnectingStoreOptions {
  open(): Promise<Store>;
  /** Checks an opened store before it is used; throws to refuse it. */
  admit(store: Store): Promise<void>;
  /** Errors after which the first `open` tries again; it throws others. */
  readonly waitsFor: readonly WaitableCode[];
  /** Called after every attempt that failed with one of them. */
  readonly onAway: (error: AppError) => void;
}

/** Seconds after which clients are asked to retry while disconnected. */
const RETRY_AFTER_SECONDS = 5;

type AnyMethod = (...args: readonly unknown[]) => Promise<unknown>;

/**
 * Store that opens after its callers are created, and can be opened again. While disconnected every call fails with
 * `store_unavailable` and the reason. A reopened store replaces and closes the previous one.
 */
export class ReconnectingStore {
  /** The store as its users see it, connected or not. */
  readonly store: Store;
  readonly #options: ReconnectingStoreOptions;
  readonly #stopping = new AbortController();
  #current: Store | null = null;
  #damage: string | null = null;
  #reason = 'the store is not open yet';

  constructor(options: ReconnectingStoreOptions) {
    this.#options = options;
    const methods = new Map<string, AnyMethod>();
    this.store = new Proxy({} as Store, {
      get: (_, name) => {
        // With a `then` method the store would be a thenable, and a promise that resolves with it would call the
        // method.
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

  /** Message of the last call that met a damaged file; null: none has. Damage does not heal, so it stays. */
  get damage(): string | null {
    return this.#damage;
  }

  /** Sets the reason that calls fail with while disconnected. */
  explain(reason: string): void {
    this.#reason = reason;
  }

  /** Opens the store, with retries where allowed. Throws errors that a retry cannot cure. */
  async open(): Promise<void> {
    const opened = await openWithRetry({
      open: () => this.#openAdmitted(),
      waitsFor: this.isOpen ? ['store_unavailable', ...this.#options.waitsFor] : this.#options.waitsFor,
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

  /** Closes the store and ends the attempts to open it. */
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
      // Every member of the port is a method; private fields need the store itself as `this`.
      const store = this.#current as unknown as Record<string, AnyMethod>;
      return store[name]?.(...args).catch((error: unknown) => this.#failed(error));
    };
  }

  #failed(error: unknown): never {
    if (error instanceof AppError && error.code === 'store_unavailable' && isDamage(error))
      this.#damage = error.message;
    throw error;
  }
}
