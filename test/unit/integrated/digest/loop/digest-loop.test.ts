import assert from 'node:assert/strict';
import type { DigestProgress } from '../../../../../src/integrated/digest/loop/digest-loop-options.ts';
import {
  JOURNAL_DIR,
  away,
  digestAll,
  diskWith,
  makeLoop,
  numbers,
  openJournal,
  record,
  upTo,
} from '../../../../support/journal-world.ts';
import { MemoryBatchStore } from '../../../../support/memory-batch-store.ts';
import { SimulatedDisk } from '../../../../support/simulated-disk.ts';

const SEGMENTS = `${JOURNAL_DIR}/segments`;

describe('digest loop', () => {
  it('applies everything in order, in batches bounded by records, bytes and segments', async () => {
    for (const [limits, most] of [
      [{ maxRecords: 7 }, 7],
      [{ maxBytes: 1000 }, 8],
      [{ maxBytes: 1 }, 1],
    ] as const) {
      const store = new MemoryBatchStore();
      await digestAll(await diskWith(30, { segmentBytes: 2500 }), store, limits);
      assert.deepEqual(numbers(store), upTo(30));
      const sizes = store.batches.map((batch) => batch.events);
      assert.equal(Math.max(...sizes), most);
      assert.deepEqual(
        store.batches.map((batch) => batch.batchId.n),
        sizes.map((_, i) => i + 1),
      );
    }
  });

  it('reads only synced data, and continues when more is announced', async () => {
    const disk = new SimulatedDisk();
    const journal = await openJournal(disk);
    const store = new MemoryBatchStore();
    const loop = makeLoop(disk, store);
    loop.start();
    await journal.append([record(0)]);
    const first = journal.position();
    await journal.append([record(1)]);
    loop.advance(first);
    assert.equal(await loop.idle(), true);
    assert.deepEqual(numbers(store), [0]);
    loop.advance(journal.position());
    loop.advance(first);
    assert.equal(await loop.idle(), true);
    assert.deepEqual(numbers(store), [0, 1]);
    await loop.stop();
  });

  it('reports its progress and removes finished segments', async () => {
    const disk = await diskWith(20, { segmentBytes: 1000 });
    const seen: DigestProgress[] = [];
    const before = await disk.list(SEGMENTS);
    await digestAll(disk, new MemoryBatchStore(), { onProgress: (progress) => seen.push(progress) });
    const stored = seen.reduce((sum, { batch }) => sum + (batch?.stored ?? 0), 0);
    const removed = seen.flatMap(({ removedSegments }) => removedSegments);
    assert.equal(stored, 20);
    assert.deepEqual(
      removed,
      before.map((_, i) => i + 1),
    );
    assert.deepEqual(await disk.list(SEGMENTS), []);
    assert.deepEqual(seen.at(-1)?.position, { segment: before.length + 1, offset: 0 });
  });

  it('repeats the same batch with growing pauses while the store is unavailable', async () => {
    const disk = await diskWith(5);
    const store = new MemoryBatchStore();
    const hashes = new Set<string>();
    const delays: number[] = [];
    let left = 12;
    store.before = (batchId) => {
      hashes.add(`${batchId.n} ${batchId.hash}`);
      if (left-- > 0) {
        away();
      }
    };
    const sleep = (ms: number) => {
      delays.push(ms);
      return new Promise<void>((resolve) => setImmediate(resolve));
    };
    await digestAll(disk, store, { sleep });
    assert.equal(hashes.size, 1);
    assert.deepEqual(numbers(store), upTo(5));
    assert.deepEqual(delays.slice(0, 4), [75, 150, 300, 600]);
    assert.equal(Math.max(...delays), 22_500);
  });

  it('waits for a store that is unavailable at the start', async () => {
    const disk = await diskWith(3);
    const store = new MemoryBatchStore();
    let left = 3;
    store.beforeLastBatch = () => {
      if (left-- > 0) {
        away();
      }
    };
    await digestAll(disk, store);
    assert.deepEqual(numbers(store), upTo(3));
  });

  it('stops while the store is unavailable, and the next start continues', async () => {
    const disk = await diskWith(3);
    const store = new MemoryBatchStore();
    store.before = away;
    let asleep: () => void;
    const sleeping = new Promise<void>((resolve) => (asleep = resolve));
    const loop = makeLoop(disk, store, {
      sleep: (_ms, signal) => {
        asleep();
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
      },
    });
    loop.start();
    loop.advance({ segment: 2, offset: 0 });
    const idle = loop.idle();
    await sleeping;
    await loop.stop();
    assert.equal(await idle, false);
    store.before = () => undefined;
    await digestAll(disk, store);
    assert.deepEqual(numbers(store), upTo(3));
  });

  it('digests each batch once over a clean restart, without asking the store again', async () => {
    const disk = await diskWith(9);
    const store = new MemoryBatchStore();
    await digestAll(disk, store);
    let asked = 0;
    store.before = () => void (asked += 1);
    await digestAll(disk.restart('none'), store);
    assert.equal(asked, 0);
  });
});

describe('a copied or restored journal', () => {
  it('is recorded under a new id; both sides count correctly', async () => {
    for (const done of [0, 3, 6]) {
      const disk = new SimulatedDisk();
      const store = new MemoryBatchStore();
      const journal = await openJournal(disk);
      for (let i = 0; i < done; i += 1) {
        await journal.append([record(i)]);
      }
      await journal.close();
      await digestAll(disk, store, { maxRecords: 2 });
      disk.copyTree(JOURNAL_DIR, '/copy');
      for (const [dir, base] of [
        [JOURNAL_DIR, 100],
        ['/copy', 200],
        [JOURNAL_DIR, 300],
        ['/copy', 400],
      ] as const) {
        const side = await openJournal(disk, { dir });
        await Promise.all(upTo(5).map((i) => side.append([record(base + i)])));
        await side.close();
        await digestAll(disk, store, { dir, maxRecords: 2 });
      }
      assert.equal(store.counted.size, done + 20);
      assert.equal(store.counts.get('a'.repeat(32)), done + 20);
      assert.equal(store.duplicates, 0);
    }
  });

  it('is noticed while original and copy run at the same time', async () => {
    const disk = await diskWith(0);
    await (await openJournal(disk)).close();
    const store = new MemoryBatchStore();
    await digestAll(disk, store);
    disk.copyTree(JOURNAL_DIR, '/copy');
    const sides = await Promise.all(
      [JOURNAL_DIR, '/copy'].map(async (dir) => {
        const journal = await openJournal(disk, { dir });
        const loop = makeLoop(disk, store, { dir });
        loop.start();
        await loop.idle();
        return { journal, loop };
      }),
    );
    let i = 0;
    for (let round = 0; round < 5; round += 1) {
      for (const { journal, loop } of sides) {
        await journal.append([record(i++), record(i++)]);
        loop.advance(journal.position());
      }
      await Promise.all(sides.map(({ loop }) => loop.idle()));
    }
    await Promise.all(sides.map(({ loop }) => loop.stop()));
    assert.equal(store.counted.size, i);
    assert.equal(store.duplicates, 0);
    assert.equal(store.journals.size, 2);
  });

  it('counts events once that were in both journals', async () => {
    const disk = await diskWith(10);
    disk.copyTree(JOURNAL_DIR, '/copy');
    const store = new MemoryBatchStore();
    await digestAll(disk, store, { maxRecords: 4 });
    await digestAll(disk, store, { dir: '/copy', maxRecords: 3 });
    assert.deepEqual(numbers(store), upTo(10));
    assert.equal(store.counts.get('a'.repeat(32)), 10);
  });

  it('continues when the store was restored from an older backup', async () => {
    const disk = await diskWith(4);
    await digestAll(disk, new MemoryBatchStore(), { maxRecords: 2 });
    const journal = await openJournal(disk);
    await journal.append([record(50)]);
    const older = new MemoryBatchStore();
    await digestAll(disk.restart('none'), older);
    assert.deepEqual(numbers(older), [50]);
  });
});
