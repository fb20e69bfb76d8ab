import assert from 'node:assert/strict';
import { AppError } from '../../../../../src/domain/app-error.ts';
import type { DigestLoopOptions } from '../../../../../src/integrated/digest/loop/digest-loop-options.ts';
import { digest, digestAll, eventId, openJournal, record, turns } from '../../../../support/journal-world.ts';
import { MemoryBatchStore } from '../../../../support/memory-batch-store.ts';
import { SimulatedDisk } from '../../../../support/simulated-disk.ts';

const POISON = { body: Buffer.from('"poison"') };
/** More than it takes to read a batch of these tests. */
const LONG = 50;

/** A journal of 30 records, digested in batches of 10, with a look at what was digested when. */
class World {
  readonly store = new MemoryBatchStore();
  readonly disk = new SimulatedDisk();
  /** Ids in the order in which they were digested. */
  readonly digested: (string | null)[] = [];
  /** How many were digested when the store was given a batch, and when it was done with it. */
  readonly seen: [before: number, after: number][] = [];
  quarantined = 0;

  constructor(storeTurns: number) {
    this.store.before = async () => {
      const before = this.digested.length;
      await turns(storeTurns);
      this.seen.push([before, this.digested.length]);
    };
  }

  async run(over: Partial<DigestLoopOptions> = {}, poison = -1): Promise<void> {
    const journal = await openJournal(this.disk);
    for (let i = 0; i < 30; i += 1) {
      await journal.append([record(i, i === poison ? POISON : {})]);
    }
    await journal.close();
    await digestAll(this.disk, this.store, {
      maxRecords: 10,
      onQuarantine: () => (this.quarantined += 1),
      digest: (taken) => {
        this.digested.push(taken.eventId);
        return digest(taken);
      },
      ...over,
    });
  }

  assertAllOnce(except: readonly number[] = []): void {
    const expected = Array.from({ length: 30 }, (_, i) => i).filter((i) => !except.includes(i));
    assert.deepEqual(
      [...this.store.counted.keys()],
      expected.map((i) => `1|${eventId(i)}`),
    );
    assert.equal(this.store.duplicates, 0);
  }
}

describe('reading ahead', () => {
  it('digests the next batch while the store applies the current one, and each record once', async () => {
    const world = new World(LONG);
    await world.run();
    assert.deepEqual(world.seen, [
      [10, 20],
      [20, 30],
      [30, 30],
    ]);
    assert.deepEqual(
      world.store.batches.map(({ batchId, events }) => [batchId.n, events]),
      [
        [1, 10],
        [2, 10],
        [3, 10],
      ],
    );
    world.assertAllOnce();
  });

  it('makes the same batches as without reading ahead', async () => {
    const marks = [];
    for (const aheadBytes of [0, Infinity]) {
      const world = new World(LONG);
      await world.run({ aheadBytes });
      const [{ batchId: { journalId } } = { batchId: { journalId: '' } }] = world.store.batches;
      assert.equal(journalId.length, 32);
      marks.push([world.digested, world.store.batches.map(({ batchId, events }) => [batchId.n, events])]);
    }
    assert.deepEqual(marks[0], marks[1]);
  });

  it('does not happen when the store answers at once', async () => {
    const world = new World(0);
    await world.run();
    assert.deepEqual(world.seen, [
      [10, 10],
      [20, 20],
      [30, 30],
    ]);
  });

  it('waits until enough records have arrived', async () => {
    const world = new World(LONG);
    await world.run({ aheadBytes: 1024 * 1024 });
    assert.deepEqual(world.seen[0], [10, 10]);
    world.assertAllOnce();
  });

  for (const [name, fail] of [
    ['is away', () => new AppError('store_unavailable', 'The store is away.')],
    ['refuses a batch once', () => new Error('refused')],
  ] as const) {
    it(`is discarded when the store ${name}`, async () => {
      const world = new World(LONG);
      const slow = world.store.before;
      world.store.before = async (batchId, batch) => {
        await slow(batchId, batch);
        world.store.before = slow;
        throw fail();
      };
      await world.run();
      world.assertAllOnce();
      const times = world.digested.filter((id) => id === eventId(15)).length;
      assert.equal(times, 2, 'what was read ahead is read again in its turn');
    });
  }

  it('is discarded when the store has another state of the journal', async () => {
    const world = new World(LONG);
    const slow = world.store.before;
    world.store.before = async (batchId, batch) => {
      await slow(batchId, batch);
      world.store.before = slow;
      world.store.journals.set(batchId.journalId, { n: 7, hash: 'another' });
    };
    await world.run();
    assert.equal(new Set(world.store.batches.map(({ batchId }) => batchId.journalId)).size, 1);
    assert.deepEqual(
      world.store.batches.map(({ batchId }) => batchId.n),
      [1, 2, 3],
    );
    world.assertAllOnce();
  });

  it('sets nothing aside: an indigestible record is handled when its batch is applied', async () => {
    const world = new World(LONG);
    await world.run({}, 15);
    assert.equal(world.quarantined, 1);
    assert.equal(world.seen[0]?.[1], 16);
    world.assertAllOnce([15]);
  });
});
