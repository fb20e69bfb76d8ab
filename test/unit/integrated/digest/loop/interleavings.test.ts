import assert from 'node:assert/strict';
import fc from 'fast-check';
import { listQuarantine } from '../../../../../src/integrated/quarantine/quarantine-file.ts';
import type { Journal, JournalOptions } from '../../../../../src/integrated/intake/journal/journal.ts';
import { AppError } from '../../../../../src/domain/app-error.ts';
import {
  QUARANTINE_DIR,
  digestAll,
  eventId,
  makeLoop,
  openJournal,
  randomFrom,
  record,
  turns,
} from '../../../../support/journal-world.ts';
import { MemoryBatchStore } from '../../../../support/memory-batch-store.ts';
import { SimulatedDisk } from '../../../../support/simulated-disk.ts';

const OUTCOME = { category: 'session', outcome: 'filtered', reason: 'test', quantity: 1 } as const;

/** One life of a process: what is sent, how the store behaves, when and how it ends. */
interface Life {
  readonly sends: number;
  readonly batch: number;
  readonly segmentBytes: number;
  /** Of each answer of the store: fine, away before, away after it was done. */
  readonly answers: readonly ('fine' | 'before' | 'after')[];
  /** Turns of the event loop that the store takes for a batch; meanwhile the next one is read ahead. */
  readonly storeTurns: number;
  /** Operations until the end. */
  readonly cutAt: number;
  readonly end: 'power' | 'kill' | 'mixed';
  readonly failSyncAt: number;
  /** Without syncs of the journal an end of the power may take what was acknowledged; it may double nothing. */
  readonly durability: JournalOptions['durability'];
}

const life: fc.Arbitrary<Life> = fc.record({
  sends: fc.integer({ min: 0, max: 25 }),
  batch: fc.integer({ min: 1, max: 8 }),
  segmentBytes: fc.integer({ min: 200, max: 3000 }),
  answers: fc.array(fc.constantFrom('fine' as const, 'before' as const, 'after' as const), { maxLength: 8 }),
  storeTurns: fc.integer({ min: 0, max: 8 }),
  cutAt: fc.integer({ min: 0, max: 160 }),
  end: fc.constantFrom('power' as const, 'kill' as const, 'mixed' as const),
  failSyncAt: fc.integer({ min: 0, max: 40 }),
  durability: fc.oneof(
    { weight: 3, arbitrary: fc.constant('power-loss' as const) },
    { weight: 1, arbitrary: fc.constant('process-crash' as const) },
  ),
});

const QUIET: Life = {
  sends: 0,
  batch: 1,
  segmentBytes: 200,
  answers: [],
  storeTurns: 0,
  cutAt: 1000,
  end: 'power',
  failSyncAt: 0,
  durability: 'power-loss',
};

/**
 * As chance found it: a sync fails, and before the next segment can say so the process is killed. What the next one syncs
 * never reaches the disk, though the disk says yes; the power goes when the store has a batch of it.
 */
const KILLED_AFTER_A_FAILED_SYNC: readonly Life[] = [
  { ...QUIET, sends: 10, segmentBytes: 1462, cutAt: 27, end: 'kill', failSyncAt: 5 },
  { ...QUIET, sends: 4, batch: 5, answers: ['before'], cutAt: 55 },
  QUIET,
];

class World {
  disk = new SimulatedDisk();
  readonly store = new MemoryBatchStore();
  /** By event id what the journal promised of it. */
  readonly acknowledged = new Map<string, Life['durability']>();
  readonly refused = new Set<string>();
  #sent = 0;

  async live(spec: Life, seed: number): Promise<void> {
    const disk = this.disk.restart('all', { cutAt: spec.cutAt });
    let syncs = 0;
    disk.fail = (operation, path) => {
      if (operation === 'sync' && ++syncs === spec.failSyncAt) {
        throw Object.assign(new Error(`EIO ${path}`), { code: 'EIO' });
      }
    };
    const answers = [...spec.answers];
    const away = (when: string) => async () => {
      await disk.step();
      await turns(spec.storeTurns);
      if (answers[0] === when) {
        answers.shift();
        throw new AppError('store_unavailable', 'The store is away.');
      }
      if (when === 'after') {
        answers.shift();
      }
    };
    this.store.before = away('before');
    this.store.after = away('after');
    await Promise.race([this.#run(disk, spec), disk.dead]);
    const survival = spec.end === 'power' ? 'none' : spec.end === 'kill' ? 'all' : randomFrom(seed);
    this.disk = disk.restart(survival);
    if (spec.end !== 'kill') {
      for (const [id, durability] of this.acknowledged) {
        if (durability === 'process-crash') {
          this.acknowledged.delete(id);
        }
      }
    }
  }

  async #run(disk: SimulatedDisk, spec: Life): Promise<void> {
    const { segmentBytes, durability } = spec;
    const journal = await openJournal(disk, { segmentBytes, durability });
    const loop = makeLoop(disk, this.store, { maxRecords: spec.batch });
    loop.start();
    loop.advance(journal.position());
    for (let i = 0; i < spec.sends;) {
      const together = Math.min(spec.sends - i, 3);
      await Promise.all(Array.from({ length: together }, () => this.#send(journal, durability)));
      i += together;
      loop.advance(journal.position());
    }
    await loop.idle();
    await journal.close();
    loop.advance(journal.position());
    await loop.stop();
  }

  async #send(journal: Journal, durability: Life['durability']): Promise<void> {
    const i = this.#sent++;
    const body = i % 11 === 3 ? { body: Buffer.from('"poison"') } : {};
    try {
      await journal.append([record(i, { outcomes: [OUTCOME], ...body })]);
      this.acknowledged.set(eventId(i), durability);
    } catch {
      this.refused.add(eventId(i));
    }
  }

  async check(): Promise<void> {
    this.store.before = this.store.after = () => undefined;
    await digestAll(this.disk, this.store);
    const aside = (await listQuarantine(this.disk, QUARANTINE_DIR)).map((entry) => entry.eventId);
    const stored = [...this.store.counted.keys()].map((key) => key.slice(2));
    const found = new Set([...stored, ...aside]);
    assert.deepEqual(
      [...this.acknowledged.keys()].filter((id) => !found.has(id)),
      [],
      'lost',
    );
    assert.equal(this.store.counts.get('a'.repeat(32)) ?? 0, stored.length);
    // Outcomes have no key of their own: a batch that was applied twice would show here.
    assert.equal(this.store.outcomes.get('1|session|filtered|test') ?? 0, stored.length, 'outcomes');
    assert.equal(this.store.duplicates, 0);
  }
}

describe('a journal under random crashes', function () {
  this.timeout(120_000);

  it('loses nothing and counts nothing twice in any order of crashes, faults and replays', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 5 }), fc.nat(), async (lives, seed) => {
        const world = new World();
        for (const [index, spec] of lives.entries()) {
          await world.live(spec, seed + index);
        }
        await world.check();
      }),
      { numRuns: 150, examples: [[[...KILLED_AFTER_A_FAILED_SYNC], 0]] },
    );
  });
});
