import assert from 'node:assert/strict';
import { AppError } from '../../../../../src/domain/app-error.ts';
import type { DigestLoopOptions } from '../../../../../src/integrated/digest/loop/digest-loop-options.ts';
import { listQuarantine } from '../../../../../src/integrated/quarantine/quarantine-file.ts';
import { QUARANTINE_DIR, digestAll, eventId, openJournal, record } from '../../../../support/journal-world.ts';
import { MemoryBatchStore } from '../../../../support/memory-batch-store.ts';
import { SimulatedDisk } from '../../../../support/simulated-disk.ts';

const COUNT = 12;
const POISON = { body: Buffer.from('{"poison":"secret of a person"}') };

async function diskWith(poison: readonly number[]): Promise<SimulatedDisk> {
  const disk = new SimulatedDisk();
  const journal = await openJournal(disk);
  for (let i = 0; i < COUNT; i += 1) {
    await journal.append([record(i, poison.includes(i) ? POISON : {})]);
  }
  return disk.restart('none');
}

function idsBut(left: readonly number[]): string[] {
  return Array.from({ length: COUNT }, (_, i) => i)
    .filter((i) => !left.includes(i))
    .map((i) => `1|${eventId(i)}`);
}

async function asideIn(disk: SimulatedDisk): Promise<string[]> {
  return (await listQuarantine(disk, QUARANTINE_DIR)).map((entry) => entry.eventId ?? '?').sort();
}

/** A store that refuses, for no stated reason, every batch with one of these events. */
function refusing(refused: readonly number[]): { store: MemoryBatchStore; attempts: string[] } {
  const store = new MemoryBatchStore();
  const ids = new Set(refused.map(eventId));
  const attempts: string[] = [];
  store.refuse = (batchId, { events }) => {
    attempts.push(`${batchId.n}:${events.length}`);
    if (events.some((event) => ids.has(event.eventId))) {
      throw new Error('something went wrong');
    }
  };
  return { store, attempts };
}

/** The machine's end takes the store's work or its answer, too. */
function onMachine(store: MemoryBatchStore, disk: SimulatedDisk): MemoryBatchStore {
  store.before = store.after = () => disk.step();
  return store;
}

const sets = [
  ...Array.from({ length: COUNT }, (_, i) => [i]),
  [0, 11],
  [3, 4, 5],
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
];

describe('a record that cannot be digested', () => {
  it('is set aside at every position in a batch, and the other records are stored', async () => {
    for (const poison of sets) {
      for (const limits of [{ maxRecords: 100 }, { maxRecords: 5 }, { maxRecords: 1 }]) {
        const disk = await diskWith(poison);
        const store = new MemoryBatchStore();
        await digestAll(disk, store, limits);
        assert.deepEqual([...store.counted.keys()], idsBut(poison));
        assert.deepEqual(await asideIn(disk), poison.map(eventId));
      }
    }
  });

  it('is described without any of its content', async () => {
    const disk = await diskWith([2]);
    await digestAll(disk, new MemoryBatchStore());
    const [entry] = await listQuarantine(disk, QUARANTINE_DIR);
    assert.equal(entry?.reason, 'digest_failed');
    assert.match(entry.error, /^TypeError at .*journal-world/);
    assert.ok(!JSON.stringify(entry).includes('secret'));
    assert.equal(entry.projectId, 1);
    assert.equal(entry.receivedAt, record(2).receivedAt);
  });

  it('stays out of a replayed batch, even if it can be digested by then', async () => {
    const disk = await diskWith([2, 7]);
    const store = new MemoryBatchStore();
    store.before = () => Promise.reject(new AppError('store_unavailable', 'The store is away.'));
    await assert.rejects(digestAll(disk, store, { maxAttempts: 2 }), { code: 'store_unavailable' });
    store.before = () => undefined;
    await digestAll(disk, store, { digest: cured });
    assert.deepEqual([...store.counted.keys()].sort(), idsBut([2, 7]));
    assert.deepEqual(await asideIn(disk), [2, 7].map(eventId));
  });
});

describe('a record whose digest waits for the store', () => {
  it('is digested once the store answers, in its place, and never set aside', async () => {
    const disk = await diskWith([]);
    const store = new MemoryBatchStore();
    let refusals = 2;
    const waiting: DigestLoopOptions['digest'] = async (taken) => {
      await new Promise(setImmediate);
      if (taken.eventId === eventId(5) && refusals > 0) {
        refusals -= 1;
        throw new AppError('store_unavailable', 'The store is away.');
      }
      return cured(taken);
    };
    await digestAll(disk, store, { digest: waiting });
    assert.equal(refusals, 0);
    assert.deepEqual([...store.counted.keys()], idsBut([]));
    assert.deepEqual(await asideIn(disk), []);
  });
});

const cured: DigestLoopOptions['digest'] = (taken) => ({
  event: { ...minimal, eventId: taken.eventId ?? '', receivedAt: taken.receivedAt },
  outcomes: [],
});

const minimal = {
  projectId: 1,
  keyId: 7,
  groupHash: 'a'.repeat(32),
  groupingVersion: 1,
  at: 0,
  type: null,
  message: null,
  title: '',
  culprit: null,
  level: 'error' as const,
  platform: 'other',
  release: null,
  environment: null,
  userHash: null,
  tags: [],
  payload: '{}',
};

describe('a record that the store refuses', () => {
  it('is found and set aside at every position in a batch, and the other records are stored once', async () => {
    for (const refused of sets) {
      const disk = await diskWith([]);
      const { store } = refusing(refused);
      await digestAll(disk, store);
      assert.deepEqual([...store.counted.keys()], idsBut(refused));
      assert.deepEqual(await asideIn(disk), refused.map(eventId));
      assert.equal(store.duplicates, 0);
    }
  });

  it('is tried alone several times first: one unknown error proves nothing', async () => {
    const disk = await diskWith([]);
    const store = new MemoryBatchStore();
    let left = 5;
    store.before = () => {
      if (left-- > 0) {
        throw new Error('something passing');
      }
    };
    await digestAll(disk, store);
    assert.deepEqual([...store.counted.keys()], idsBut([]));
    assert.deepEqual(await asideIn(disk), []);
  });

  it('keeps number and id of the batch while the batch is cut smaller', async () => {
    const disk = await diskWith([]);
    const { store, attempts } = refusing([0]);
    await digestAll(disk, store);
    assert.deepEqual(attempts.slice(0, 8), ['1:12', '1:6', '1:3', '1:2', '1:1', '1:1', '1:1', '1:0']);
    assert.deepEqual(
      store.batches.map((batch) => batch.batchId.n),
      store.batches.map((_, i) => i + 1),
    );
  });

  it('does not empty the journal into the quarantine when the store refuses everything', async () => {
    const disk = await diskWith([]);
    const store = new MemoryBatchStore();
    store.before = () => {
      throw new Error('broken');
    };
    await assert.rejects(digestAll(disk, store, { maxAttempts: 40 }), /broken/);
    assert.ok((await asideIn(disk)).length <= 1);
    store.before = () => undefined;
    await digestAll(disk, store);
    assert.ok(store.counted.size >= COUNT - 1);
  });

  it('loses no other record when the power is cut during the search for it', async () => {
    const whole = (await diskWith([5])).restart('none');
    const { store: first } = refusing([2, 9]);
    await digestAll(whole, onMachine(first, whole));
    for (let cut = 0; cut <= whole.operations; cut += 1) {
      const disk = (await diskWith([5])).restart('none', { cutAt: cut });
      const { store } = refusing([2, 9]);
      await Promise.race([digestAll(disk, onMachine(store, disk)), disk.dead]);
      store.before = store.after = () => undefined;
      const after = disk.restart('none');
      await digestAll(after, store);
      assert.deepEqual([...store.counted.keys()], idsBut([2, 5, 9]), `cut ${cut}`);
      assert.deepEqual(await asideIn(after), [2, 5, 9].map(eventId));
      assert.equal(store.duplicates, 0);
    }
  });

  it('is counted correctly when the store had applied the batch although it refused', async () => {
    const disk = await diskWith([]);
    const store = new MemoryBatchStore();
    let left = 3;
    store.after = () => {
      if (left-- > 0) {
        throw new Error('said no, did it');
      }
    };
    await digestAll(disk, store);
    assert.deepEqual([...store.counted.keys()], idsBut([]));
    assert.equal(store.counts.get('a'.repeat(32)), COUNT);
  });
});
