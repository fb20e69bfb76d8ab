import type { ErrorStatus, TrackedError } from '../../api/errors-api.ts';

interface Hidden {
  readonly status: ErrorStatus;
  /** Answers that were asked for from this one on know of the change. */
  readonly knownFrom: number;
}

/**
 * Rows that left the list because they were settled here. A late answer must not bring them back, but what comes back
 * by itself, because it happened again or somebody reopened it, must be seen.
 */
export class HiddenRows {
  readonly #rows = new Map<string, Hidden>();
  #asked = 0;

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

  clear(): void {
    this.#rows.clear();
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
