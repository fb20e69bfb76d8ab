import { LRUCache } from 'lru-cache';

/** Answers kept at once. Beyond, the least recently used go. Some hundred bytes each. */
const MAX_ANSWERS = 5000;

export interface RecentReadsOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds that an answer is good for; 0: none is kept. */
  readonly maxAgeMs: number;
}

interface Answer {
  readonly at: number;
  readonly value: Promise<unknown>;
}

/**
 * Answers to what every request asks (the project, the role in it, its settings), so that a page of requests
 * costs the server one look and not one each. What is not there is asked for again every time.
 */
export class RecentReads {
  readonly #options: RecentReadsOptions;
  readonly #answers = new LRUCache<string, Answer>({ max: MAX_ANSWERS });

  constructor(options: RecentReadsOptions) {
    this.#options = options;
  }

  /** The answer under this name, from `load` where there is none that is young enough. */
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

  /** The write, after which everything is asked for again: also what was asked while it was under way. */
  async after<T>(write: Promise<T>): Promise<T> {
    try {
      return await write;
    } finally {
      this.#answers.clear();
    }
  }
}

/** A view whose answers are kept for a while, by this name and its arguments. */
export function remembering<C, A extends readonly (string | number)[], T>(
  name: string,
  view: (context: C, ...args: A) => Promise<T>,
): (context: C & { readonly recent: RecentReads }, ...args: A) => Promise<T> {
  return (context, ...args) => context.recent.read([name, ...args].join(' '), () => view(context, ...args));
}

/** A command after which no answer from before it is used. */
export function forgetting<C, A extends readonly unknown[], T>(
  command: (context: C, ...args: A) => Promise<T>,
): (context: C & { readonly recent: RecentReads }, ...args: A) => Promise<T> {
  return (context, ...args) => context.recent.after(command(context, ...args));
}
