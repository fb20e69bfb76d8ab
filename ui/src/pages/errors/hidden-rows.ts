import type { ErrorStatus, TrackedError } from '../../api/errors-api.ts';

interface Hidden {
  readonly status: ErrorStatus;
  /** Answers that were asked for from this one on know of the change. */
  readonly knownFrom: number;
}

/**
 * Rows removed from the list by a status change on this page. A delayed response must not restore them. A row that
 * reoccurred or was reopened must appear again, like rows restored by hand.
 */
export class HiddenRows {
  readonly #rows = new Map<string, Hidden>();
  #asked = 0;
  /** Undos on their way: what is asked for meanwhile may not know of them. */
  #undoing = new Set<symbol>();
  /** Answers asked for before this one may not know of an undo that has arrived. */
  #undoneFrom = 0;

  /** To be called before each answer is asked for; the number that `shown` wants. */
  ask(): number {
    this.#asked += 1;
    return this.#asked;
  }

  hide(id: string, status: ErrorStatus): void {
    this.#rows.set(id, { status, knownFrom: Infinity });
  }

  /** The service has taken the change. */
  taken(id: string): void {
    const row = this.#rows.get(id);
    if (row !== undefined) this.#rows.set(id, { ...row, knownFrom: this.#asked + 1 });
  }

  /** It is back in the list, by hand. */
  forget(id: string): void {
    this.#rows.delete(id);
  }

  /**
   * A row was put back by hand, and the service does not know of it yet: answers would take it away again, and the
   * focus with it. To be called before the change is sent; the function it answers, when it has arrived or failed.
   */
  undo(): () => void {
    const undo = Symbol('undo');
    this.#undoing.add(undo);
    return () => {
      if (this.#undoing.delete(undo)) this.#undoneFrom = this.#asked + 1;
    };
  }

  /** Whether an answer is older than what stands on the page. */
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

  /** What of an answer is to be shown; searches of trackers lag behind, and name rows with the status they have by now. */
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
