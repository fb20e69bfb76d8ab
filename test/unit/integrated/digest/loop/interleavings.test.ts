import assert from 'node:assert/strict';
import fc from 'fast-check';
import { listQuarantine } from '../../../../../src/integrated/quarantine/quarantine-file.ts';
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
});

class World {
  disk = new SimulatedDisk();
  readonly store = new MemoryBatchStore();
  readonly acknowledged = new Set<string>();
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
  }

  async #run(disk: SimulatedDisk, spec: Life): Promise<void> {
    const journal = await openJournal(disk, { segmentBytes: spec.segmentBytes });
    const loop = makeLoop(disk, this.store, { maxRecords: spec.batch });
    loop.start();
    loop.advance(journal.position());
    for (let i = 0; i < spec.sends;) {
      const together = Math.min(spec.sends - i, 3);
      await Promise.all(Array.from({ length: together }, () => this.#send(journal)));
      i += together;
      loop.advance(journal.position());
    }
    await loop.idle();
    await journal.close();
    loop.advance(journal.position());
    await loop.stop();
  }

  async #send(journal: Awaited<ReturnType<typeof openJournal>>): Promise<void> {
    const i = this.#sent++;
    const body = i % 11 === 3 ? { body: Buffer.from('"poison"') } : {};
    try {
      await journal.append([record(i, { outcomes: [OUTCOME], ...body })]);
      this.acknowledged.add(eventId(i));
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
      [...this.acknowledged].filter((id) => !found.has(id)),
      [],
      'lost',
    );
    assert.equal(this.store.counts.get('a'.repeat(32)) ?? 0, stored.length);
    // Outcomes have no key of their own: a batch that was applied twice would show here.
    assert.equal(this.store.outcomes.get('1|session|filtered|test') ?? 0, stored.length, 'outcomes');
    assert.equal(this.store.duplicates, 0);
  }
}

describe('random lives of a journal', function () {
  this.timeout(120_000);

  it('never lose and never double, however crashes, faults and replays follow each other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 5 }), fc.nat(), async (lives, seed) => {
        const world = new World();
        for (const [index, spec] of lives.entries()) {
          await world.live(spec, seed + index);
        }
        await world.check();
      }),
      { numRuns: 150 },
    );
  });
});
