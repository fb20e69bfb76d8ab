import type { IntakeOutcome } from '../../domain/ingest/digest.ts';

/** Sums up the outcomes of one request's items: one entry per category, outcome and reason. */
export class OutcomeTally {
  readonly #counts = new Map<string, IntakeOutcome>();

  add(category: string, outcome: IntakeOutcome['outcome'], reason: string, quantity = 1): void {
    const key = `${category} ${outcome} ${reason}`;
    const before = this.#counts.get(key)?.quantity ?? 0;
    this.#counts.set(key, { category, outcome, reason, quantity: before + quantity });
  }

  list(): readonly IntakeOutcome[] {
    return this.#counts.size === 0 ? NONE : [...this.#counts.values()];
  }
}

const NONE: readonly IntakeOutcome[] = [];
