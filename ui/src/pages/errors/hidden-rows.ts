import type { ErrorStatus, TrackedError } from '../../api/errors-api.ts';

interface Hidden {
  /** Status that it has now; null: the same as before. */
  readonly status: ErrorStatus | null;
  /** Number of the first request whose answer includes the change. */
  readonly knownFrom: number;
}

/**
 * Rows removed from the list by a status change on this page. A delayed response must not restore them. A row that
 * reoccurred or was reopened must appear again, like rows restored by hand.
 */
export class HiddenRows {
  readonly #rows = new Map<string, Hidden>();
  #asked = 0;
  /** Pending undos. Answers of requests sent meanwhile may lack them. */
  #undoing = new Set<symbol>();
  /** Number of the first request whose answer includes every finished undo. */
  #undoneFrom = 0;

  /** Numbers a request; call it before sending. `shown` takes the number. */
  ask(): number {
    this.#asked += 1;
    return this.#asked;
  }

  hide(id: string, status: ErrorStatus | null): void {
    this.#rows.set(id, { status, knownFrom: Infinity });
  }

  /** Marks a change as stored by the service. */
  taken(id: string): void {
    const row = this.#rows.get(id);
    if (row !== undefined) this.#rows.set(id, { ...row, knownFrom: this.#asked + 1 });
  }

  /** Stops hiding a row, after it was restored. */
  forget(id: string): void {
    this.#rows.delete(id);
  }

  /**
   * Starts an undo: answers without it are outdated until the returned function is called.
   * Call `undo` before sending the change, and its result after success or failure.
   */
  undo(): () => void {
    const undo = Symbol('undo');
    this.#undoing.add(undo);
    return () => {
      if (this.#undoing.delete(undo)) this.#undoneFrom = this.#asked + 1;
    };
  }

  /** Whether an answer may lack an undo that the page shows. */
  outdated(asked: number): boolean {
    return this.#undoing.size > 0 || asked < this.#undoneFrom;
  }

  clear(): void {
    this.#rows.clear();
    this.#undoing.clear();
    this.#undoneFrom = 0;
  }

  has(id: string): boolean {
    return this.#rows.has(id);
  }

  /** Filters the rows of an answer. Searches in trackers lag behind, but return the current status of each row. */
  shown(rows: readonly TrackedError[], asked: number): TrackedError[] {
    return rows.filter(({ id, status }) => {
      const row = this.#rows.get(id);
      if (row === undefined) return true;
      if (asked < row.knownFrom || status === row.status) return false;
      this.#rows.delete(id);
      return true;
    });
  }
}
