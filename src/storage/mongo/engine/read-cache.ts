import { LRUCache } from 'lru-cache';

/** Maximum cached answers, some hundred bytes each. Evicts the least recently used. */
const MAX_ANSWERS = 5000;

export interface ReadCacheOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Maximum age of an answer in milliseconds; 0: no cache. */
  readonly maxAgeMs: number;
}

interface Answer {
  readonly at: number;
  readonly value: Promise<unknown>;
}

/**
 * Caches the project, the role in it and its settings, which every request needs. So a page of many requests costs one
 * query each. Does not cache missing rows.
 */
export class ReadCache {
  readonly #options: ReadCacheOptions;
  readonly #answers = new LRUCache<string, Answer>({ max: MAX_ANSWERS });

  constructor(options: ReadCacheOptions) {
    this.#options = options;
  }

  /** Returns the cached answer of this name, or calls `load` when there is none young enough. */
  async read<T>(name: string, load: () => Promise<T>): Promise<T> {
    const { now, maxAgeMs } = this.#options;
    const at = now();
    const known = this.#answers.get(name);
    const age = known === undefined ? -1 : at - known.at;
    if (known !== undefined && age >= 0 && age < maxAgeMs) return known.value as Promise<T>;
    const value = load();
    if (maxAgeMs === 0) return value;
    const answer = { at, value };
    this.#answers.set(name, answer);
    const drop = (): void => {
      if (this.#answers.peek(name) === answer) this.#answers.delete(name);
    };
    value.then((found) => {
      if (found === null) drop();
    }, drop);
    return value;
  }

  /** Waits for a write, then drops all answers, including those read during it. */
  async after<T>(write: Promise<T>): Promise<T> {
    try {
      return await write;
    } finally {
      this.#answers.clear();
    }
  }
}

/** Wraps a view so that its answers are cached by this name and its arguments. */
export function cachedRead<C, A extends readonly (string | number)[], T>(
  name: string,
  view: (context: C, ...args: A) => Promise<T>,
): (context: C & { readonly recent: ReadCache }, ...args: A) => Promise<T> {
  return (context, ...args) => context.recent.read([name, ...args].join(' '), () => view(context, ...args));
}

/** Wraps a command so that it drops all cached answers. */
export function clearsReadCache<C, A extends readonly unknown[], T>(
  command: (context: C, ...args: A) => Promise<T>,
): (context: C & { readonly recent: ReadCache }, ...args: A) => Promise<T> {
  return (context, ...args) => context.recent.after(command(context, ...args));
}
