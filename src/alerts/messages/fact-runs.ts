import { MAX_RUNS, type PendingMessage } from '../../domain/alerts/alert-delivery.ts';

type Runs = PendingMessage['facts'];

/** Collects places of the fact log, ascending, as runs. */
export class FactRuns {
  readonly #runs: [number, number][] = [];
  #broken = true;

  /** Adds a place. Beyond MAX_RUNS the last run is extended. */
  add(seq: number): void {
    const last = this.#runs.at(-1);
    if (last !== undefined && (!this.#broken || this.#runs.length >= MAX_RUNS)) last[1] = seq;
    else this.#runs.push([seq, seq]);
    this.#broken = false;
  }

  /** Ends the run: a fact that could have been reported is not. */
  break(): void {
    this.#broken = true;
  }

  get all(): Runs {
    return this.#runs;
  }
}

/** Returns true when a place is in one of the runs. */
export function hasPlace(runs: Runs, seq: number): boolean {
  return runs.some(([first, last]) => first <= seq && seq <= last);
}
