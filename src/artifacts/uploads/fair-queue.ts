import { LRUCache } from 'lru-cache';
import PQueue, { type Queue, type QueueAddOptions } from 'p-queue';
import { grownTo } from '../../lib/grown-to.ts';

/** Owners whose last turn is remembered. That of any other is longer ago. */
const MAX_OWNERS = 1000;

type Run = () => Promise<unknown>;

interface FairOptions extends QueueAddOptions {
  /** Whose work it is. */
  readonly owner?: number;
}

interface Waiting {
  readonly run: Run;
  readonly id: string | undefined;
  readonly owner: number;
  priority: number;
}

class FairOrder implements Queue<Run, FairOptions> {
  #waiting: Waiting[] = [];
  /** Number of the last turn of each owner. */
  readonly #turns = new LRUCache<number, number>(grownTo(MAX_OWNERS));
  #turn = 0;

  get size(): number {
    return this.#waiting.length;
  }

  enqueue(run: Run, { id, owner = 0, priority = 0 }: Partial<FairOptions> = {}): void {
    this.#waiting.push({ id, owner, priority, run });
  }

  dequeue(): Run | undefined {
    const next = this.#waiting.reduce<Waiting | undefined>(
      (first, each) => (first === undefined || this.#isBefore(each, first) ? each : first),
      undefined,
    );
    if (next === undefined) return undefined;
    this.#waiting = this.#waiting.filter((each) => each !== next);
    this.#turn += 1;
    this.#turns.set(next.owner, this.#turn);
    return next.run;
  }

  /** Returns the work of an owner. */
  filter({ owner = 0 }: Partial<FairOptions>): Run[] {
    return this.#waiting.filter((each) => each.owner === owner).map(({ run }) => run);
  }

  /** Throws ReferenceError when nothing that waits has the id. */
  setPriority(id: string, priority: number): void {
    const found = this.#waiting.find((each) => each.id === id);
    if (found === undefined) throw new ReferenceError(`nothing with the id "${id}" waits`);
    found.priority = priority;
  }

  #isBefore(a: Waiting, b: Waiting): boolean {
    if (a.priority !== b.priority) return a.priority > b.priority;
    return this.#lastTurn(a) < this.#lastTurn(b);
  }

  #lastTurn({ owner }: Waiting): number {
    return this.#turns.peek(owner) ?? 0;
  }
}

/**
 * Queue in which owners take turns. Of the work of the highest priority, that of the owner whose last turn is the
 * longest ago is next; that of one owner is done in its order.
 */
export type FairQueue = PQueue<FairOrder, FairOptions>;

/** Makes a queue in which owners take turns. `autoStart` false: nothing is done before `start`. */
export function fairQueue(options: { readonly concurrency: number; readonly autoStart?: boolean }): FairQueue {
  return new PQueue<FairOrder, FairOptions>({ ...options, queueClass: FairOrder });
}
