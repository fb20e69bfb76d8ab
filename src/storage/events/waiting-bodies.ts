import { BLOCK_WINDOW_MS, blockWindow, MAX_BLOCK_BODIES, MIN_BLOCK_BODIES } from '../../lib/bodies/body-block.ts';

/** Maximum ids that wait, about 5 MB: seven of each of 14,000 projects. Above it the windows met first are given up. */
const MAX_WAITING = 100_000;

/** Ids of bodies of one project and day. */
export interface WaitingWindow<Id> {
  readonly projectId: number;
  readonly ids: readonly Id[];
}

interface OpenWindow<Id> {
  readonly projectId: number;
  readonly end: number;
  readonly ids: Id[];
}

/**
 * Ids of bodies that wait for others of their project and day. A walk over the events of all projects in pages meets
 * too few of each project in one page.
 */
export class WaitingBodies<Id> {
  readonly #most: number;
  readonly #open = new Map<string, OpenWindow<Id>>();
  #ready: WaitingWindow<Id>[] = [];
  #size = 0;

  constructor(most = MAX_WAITING) {
    this.#most = most;
  }

  /** Number of ids that wait, without those that are ready. */
  get size(): number {
    return this.#size;
  }

  /** True while `next` returns windows. */
  get isReady(): boolean {
    return this.#ready.length > 0;
  }

  /** Adds the id of a body that was received at `receivedAt`, milliseconds since the epoch. */
  add(projectId: number, receivedAt: number, id: Id): void {
    const name = blockWindow(projectId, receivedAt);
    let window = this.#open.get(name);
    if (window === undefined) {
      window = { projectId, end: (Math.floor(receivedAt / BLOCK_WINDOW_MS) + 1) * BLOCK_WINDOW_MS, ids: [] };
      this.#open.set(name, window);
    }
    window.ids.push(id);
    this.#size += 1;
    if (window.ids.length === MAX_BLOCK_BODIES) this.#close(name, window);
    for (const [first, oldest] of this.#open) {
      if (this.#size <= this.#most) break;
      this.#close(first, oldest);
    }
  }

  /**
   * Makes windows ready that have enough bodies for a block, and those that ended before `before`, to which no more
   * will come.
   */
  finish(before: number): void {
    for (const [name, window] of this.#open) {
      if (window.ids.length >= MIN_BLOCK_BODIES || window.end < before) this.#close(name, window);
    }
  }

  /** Takes a window that is ready: with enough bodies for a block, or given up with fewer. Null: none is. */
  next(): WaitingWindow<Id> | null {
    return this.#ready.pop() ?? null;
  }

  #close(name: string, window: OpenWindow<Id>): void {
    this.#open.delete(name);
    this.#size -= window.ids.length;
    this.#ready.push(window);
  }
}
