import type { IntakeOutcome } from '../../domain/ingest/digest.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { IngestGrant } from '../../domain/ports/intake.ts';
import { Periodic } from '../../lib/periodic.ts';
import { FailureLog } from '../../observability/failure-log.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { RecordSink } from './record-sink.ts';
import type { JournalRecord } from './journal-record.ts';
import { OutcomeTally } from './outcome-tally.ts';

/** Milliseconds between two records of refused items. A crash loses at most the counts of this time. */
const INTERVAL_MS = 5000;

/** Maximum number of keys with counted refusals; further keys are counted in metrics only. */
const MAX_KEYS = 10_000;

interface Entry {
  readonly grant: IngestGrant;
  readonly tally: OutcomeTally;
  /** Time of the newest refusal, milliseconds since the epoch. */
  at: number;
}

export interface RefusalLedgerDeps {
  readonly sink: RecordSink;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly metrics: Pick<Metrics, 'dropped'>;
  readonly intervalMs?: number;
}

/**
 * Sums up items of refused requests in memory and writes them to the journal, one record per client key. A flood of
 * refusals costs neither disk nor digest.
 */
export class RefusalLedger {
  readonly #deps: RefusalLedgerDeps;
  #entries = new Map<number, Entry>();
  #flushing: Promise<void> = Promise.resolve();
  readonly #job: Periodic;
  readonly #failures: FailureLog;

  constructor(deps: RefusalLedgerDeps) {
    this.#deps = deps;
    this.#failures = new FailureLog(
      deps.logger,
      'counts of refused items cannot be written now; they are kept in memory',
    );
    this.#job = new Periodic({ intervalMs: deps.intervalMs ?? INTERVAL_MS, run: () => this.flush() });
  }

  start(): void {
    this.#job.start();
  }

  /** Writes the remaining counts. The journal must still be open. */
  async stop(): Promise<void> {
    await this.#job.stop();
    await this.flush();
  }

  add(grant: IngestGrant, { category, outcome, reason, quantity }: IntakeOutcome): void {
    // Items that the client discarded never arrived, so they are not counted as dropped here.
    if (outcome !== 'client_discard') {
      this.#deps.metrics.dropped.inc({ category, reason }, quantity);
    }
    this.#entryOf(grant, this.#deps.clock.now())?.tally.add(category, outcome, reason, quantity);
  }

  /** Writes the counts. Never throws: counts of a failed write are kept for the next one. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write());
    return this.#flushing;
  }

  #entryOf(grant: IngestGrant, at: number): Entry | null {
    let entry = this.#entries.get(grant.keyId);
    if (entry === undefined) {
      if (this.#entries.size >= MAX_KEYS) {
        return null;
      }
      entry = { grant, tally: new OutcomeTally(), at };
      this.#entries.set(grant.keyId, entry);
    }
    entry.at = Math.max(entry.at, at);
    return entry;
  }

  async #write(): Promise<void> {
    if (this.#entries.size === 0) {
      return;
    }
    const entries = this.#entries;
    this.#entries = new Map();
    try {
      await this.#deps.sink.append([...entries.values()].map(recordOf));
      this.#failures.succeeded();
    } catch (error) {
      this.#failures.failed(error);
      for (const { grant, tally, at } of entries.values()) {
        const entry = this.#entryOf(grant, at);
        for (const { category, outcome, reason, quantity } of tally.list()) {
          entry?.tally.add(category, outcome, reason, quantity);
        }
      }
    }
  }
}

function recordOf({ grant, tally, at }: Entry): JournalRecord {
  return {
    projectId: grant.projectId,
    keyId: grant.keyId,
    receivedAt: at,
    eventId: null,
    sentAt: null,
    clientIp: null,
    client: null,
    outcomes: tally.list(),
    body: NO_BODY,
  };
}

const NO_BODY = new Uint8Array(0);
