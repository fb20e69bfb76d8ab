import type { FactLog } from '../../src/storage/mongo/alerts/fact-log.ts';
import type { FactDocument } from '../../src/storage/mongo/documents/alert-documents.ts';
import type { ErrorDocument } from '../../src/storage/mongo/documents/error-documents.ts';
import { groupHashOf } from '../../src/storage/mongo/documents/document-keys.ts';
import assert from 'node:assert/strict';
import { requireFactsOnce } from './fact-rules.ts';
import type { SimDatabase, SimOptions } from './mongo-sim.ts';

/** Code of the log of facts that a world runs. */
export interface FactCode {
  readonly FactLog: typeof FactLog;
}

/**
 * Gateways that collect facts at any time, also two at once whose leases have ended. One reader follows the log: it
 * remembers every place up to which it has read, and the facts that it saw.
 */
export class SimFacts {
  readonly #db: SimDatabase;
  readonly #code: FactCode;
  #cursor = 0;
  readonly #seen: string[] = [];

  constructor(db: SimDatabase, code: FactCode) {
    this.#db = db;
    this.#code = code;
  }

  /** Begins to collect; any step may fail, or never end. */
  collect(options: SimOptions, now: () => number): void {
    const log = new this.#code.FactLog(
      this.#db.connect(options, () => undefined),
      now,
    );
    void log.collect().catch(() => undefined);
  }

  /** Reads on from the last place, as a conversation does: up to the head of the log. */
  read(): void {
    const { last = 0 } = (this.#db.majority('control').get('facts') ?? {}) as { last?: number };
    const facts = [...this.#db.majority('alertFacts').values()] as unknown as FactDocument[];
    const found = facts
      .filter(({ seq = 0 }) => seq > this.#cursor && seq <= last)
      .sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0));
    this.#seen.push(...found.map(({ fact }) => fact.id));
    this.#cursor = Math.max(this.#cursor, last);
  }

  /** Collects without faults until nothing is left, and checks the log. */
  async finish(): Promise<void> {
    const calm: SimOptions = {
      drawResult: () => 'ok',
      turn: async () => undefined,
      random: () => 0,
      poison: new Set(),
    };
    const log = new this.#code.FactLog(
      this.#db.connect(calm, () => undefined),
      () => 0,
    );
    while ((await log.collect()) > 0);
    this.#check();
  }

  /** Number of facts about statuses that ended. */
  ends(): number {
    const facts = [...this.#db.of('alertFacts').values()] as unknown as FactDocument[];
    return facts.filter(({ fact }) => fact.kind === 'regressed' || fact.kind === 'unmuted').length;
  }

  /** Requires that each fact is in the log once, and was read once, at a place of its own. */
  #check(): void {
    this.read();
    const errors = [...this.#db.of('errors').values()] as unknown as ErrorDocument[];
    const left = errors.filter(({ pf, pn }) => pf !== undefined || pn !== undefined);
    assert.equal(left.length, 0, 'facts are left in errors');
    const facts = [...this.#db.of('alertFacts').values()] as unknown as FactDocument[];
    assert.ok(
      facts.every(({ w, seq }) => w === undefined && seq !== undefined),
      'a fact without a place',
    );
    const places = facts.map(({ seq }) => seq);
    assert.equal(new Set(places).size, places.length, 'two facts at one place');
    assert.deepEqual([...this.#seen].sort(), facts.map(({ fact }) => fact.id).sort(), 'facts that a conversation read');
    requireFactsOnce(
      facts.map(({ fact }) => fact),
      errors.map(({ _id, v, log = [] }) => ({
        groupHash: groupHashOf(_id),
        log: log.map(({ k, at }) => ({ kind: k, at })),
        imported: v === 0,
      })),
    );
  }
}
