import assert from 'node:assert/strict';
import { AppError } from '../../../../../src/domain/app-error.ts';
import type { DigestProgress } from '../../../../../src/integrated/digest/loop/digest-progress.ts';
import { listQuarantine } from '../../../../../src/integrated/quarantine/quarantine-file.ts';
import {
  JOURNAL_DIR,
  QUARANTINE_DIR,
  digestAll,
  makeLoop,
  openJournal,
  record,
} from '../../../../support/journal-world.ts';
import { MemoryBatchStore } from '../../../../support/memory-batch-store.ts';
import { SimulatedDisk } from '../../../../support/simulated-disk.ts';

const SEGMENTS = `${JOURNAL_DIR}/segments`;
const FIRST = `${SEGMENTS}/000000000001.seg`;

async function diskWith(count: number, over: Parameters<typeof openJournal>[1] = {}): Promise<SimulatedDisk> {
  const disk = new SimulatedDisk();
  const journal = await openJournal(disk, over);
  for (let i = 0; i < count; i += 1) {
    await journal.append([record(i)]);
  }
  return disk.restart('none');
}

function away(): never {
  throw new AppError('store_unavailable', 'The store is away.');
}

function numbers(store: MemoryBatchStore): number[] {
  return [...store.counted.keys()].map((key) => Number.parseInt(key.slice(2), 16));
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

describe('digest loop', () => {
  it('gives the store everything in order, in batches bounded by records, bytes and segments', async () => {
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
        store.batches.map((batch) => batch.mark.n),
        sizes.map((_, i) => i + 1),
      );
    }
  });

  it('reads only what is synced, and goes on when it is told more', async () => {
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

  it('reports what it did and removes finished segments', async () => {
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

  it('tries the same batch again for as long as the store is away, ever more slowly', async () => {
    const disk = await diskWith(5);
    const store = new MemoryBatchStore();
    const hashes = new Set<string>();
    const delays: number[] = [];
    let left = 12;
    store.before = (mark) => {
      hashes.add(`${mark.n} ${mark.hash}`);
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

  it('waits for a store that is away when it starts', async () => {
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

  it('stops while the store is away, and the next start goes on', async () => {
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

describe('damage in the journal', () => {
  it('ends a segment of an earlier process at a record that was torn at any byte', async () => {
    const disk = await diskWith(4);
    const whole = await disk.size(FIRST);
    const journal = await openJournal(disk);
    await journal.append([record(50)]);
    const frame = (await disk.size(`${SEGMENTS}/000000000002.seg`)) - (await headerBytes(disk));
    for (let length = whole - 1; length > whole - frame; length -= 1) {
      const torn = disk.restart('none');
      torn.truncate(FIRST, length);
      const store = new MemoryBatchStore();
      await digestAll(torn, store);
      assert.deepEqual(numbers(store), [0, 1, 2, 50], `length ${length}`);
      assert.deepEqual(await listQuarantine(torn, QUARANTINE_DIR), []);
    }
  });

  it('sets changed bytes aside and takes the records around them, wherever they are', async () => {
    const disk = await diskWith(3);
    const header = await headerBytes(disk);
    const size = await disk.size(FIRST);
    const frame = Math.floor((size - header) / 3);
    for (let at = header; at < header + 2 * frame - 5; at += 7) {
      const worn = disk.restart('none');
      const old = await worn.read(FIRST, at, 1);
      worn.damage(FIRST, at, Buffer.from([old[0]! ^ 0x10]));
      const store = new MemoryBatchStore();
      const aside: string[] = [];
      await digestAll(worn, store, { onQuarantine: (entry) => aside.push(entry.reason) });
      assert.equal(store.counted.size, 2, `byte ${at}`);
      assert.deepEqual(aside, ['damaged']);
      assert.equal((await listQuarantine(worn, QUARANTINE_DIR)).length, 1);
    }
  });

  it('sets a whole segment aside whose header is damaged, and reads the next', async () => {
    const disk = await diskWith(8, { segmentBytes: 500 });
    disk.damage(FIRST, 3, Buffer.from('X'));
    const store = new MemoryBatchStore();
    await digestAll(disk, store);
    const [entry] = await listQuarantine(disk, QUARANTINE_DIR);
    assert.equal(entry?.reason, 'damaged');
    assert.deepEqual(numbers(store), upTo(8).slice(8 - store.counted.size));
    assert.ok(store.counted.size >= 4);
  });

  it('passes over a segment whose creation was cut short', async () => {
    const disk = await diskWith(3);
    const file = await disk.create(`${SEGMENTS}/000000000002.seg`);
    await file.append([Buffer.from('ERGJ')]);
    const store = new MemoryBatchStore();
    await digestAll(disk, store);
    assert.deepEqual(numbers(store), upTo(3));
    assert.deepEqual(await listQuarantine(disk, QUARANTINE_DIR), []);
  });

  it('takes what can be read of a sealed batch under a new id when some of it is gone', async () => {
    const disk = await diskWith(6);
    const store = new MemoryBatchStore();
    store.before = away;
    await assert.rejects(digestAll(disk, store, { maxAttempts: 2 }), { code: 'store_unavailable' });
    disk.truncate(FIRST, (await disk.size(FIRST)) - 3);
    store.before = () => undefined;
    await digestAll(disk, store);
    assert.deepEqual(numbers(store), upTo(5));
  });
});

describe('a copied or restored journal', () => {
  it('is sealed anew under another id; both sides count right', async () => {
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

  it('is noticed while both run at the same time', async () => {
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

  it('counts events once that both sides still held', async () => {
    const disk = await diskWith(10);
    disk.copyTree(JOURNAL_DIR, '/copy');
    const store = new MemoryBatchStore();
    await digestAll(disk, store, { maxRecords: 4 });
    await digestAll(disk, store, { dir: '/copy', maxRecords: 3 });
    assert.deepEqual(numbers(store), upTo(10));
    assert.equal(store.counts.get('a'.repeat(32)), 10);
  });

  it('goes on when the store was restored from an older backup', async () => {
    const disk = await diskWith(4);
    await digestAll(disk, new MemoryBatchStore(), { maxRecords: 2 });
    const journal = await openJournal(disk);
    await journal.append([record(50)]);
    const older = new MemoryBatchStore();
    await digestAll(disk.restart('none'), older);
    assert.deepEqual(numbers(older), [50]);
  });
});

async function headerBytes(disk: SimulatedDisk): Promise<number> {
  const fixed = await disk.read(FIRST, 0, 16);
  return 16 + fixed.readUInt32LE(8);
}
