import assert from 'node:assert/strict';
import { AppError } from '../../../../../src/domain/app-error.ts';
import { drainJournal } from '../../../../../src/integrated/digest/loop/drain-journal.ts';
import type { DrainOptions, DrainProgress } from '../../../../../src/integrated/digest/loop/drain-journal.ts';
import {
  JOURNAL_DIR,
  QUARANTINE_DIR,
  TestClock,
  digest,
  digestAll,
  openJournal,
  record,
  silentLogger,
} from '../../../../support/journal-world.ts';
import { MemoryBatchStore } from '../../../../support/memory-batch-store.ts';
import { SimulatedDisk } from '../../../../support/simulated-disk.ts';

function options(files: SimulatedDisk, store: MemoryBatchStore, over: Partial<DrainOptions> = {}): DrainOptions {
  return {
    files,
    dir: JOURNAL_DIR,
    quarantineDir: QUARANTINE_DIR,
    store,
    digest,
    clock: new TestClock(),
    logger: silentLogger,
    maxRecords: 5,
    maxBytes: 1024 * 1024,
    onQuarantine: () => undefined,
    sleep: () => new Promise((resolve) => setImmediate(resolve)),
    ...over,
  };
}

async function killedDisk(): Promise<SimulatedDisk> {
  const disk = new SimulatedDisk();
  const journal = await openJournal(disk, { segmentBytes: 1000 });
  for (let i = 0; i < 23; i += 1) {
    await journal.append([record(i)]);
  }
  return disk.restart('all');
}

describe('drain', () => {
  it('brings the journal of a dead process into the store and leaves no segment', async () => {
    const disk = await killedDisk();
    const store = new MemoryBatchStore();
    const seen: DrainProgress[] = [];
    const result = await drainJournal(options(disk, store, { onProgress: (progress) => seen.push(progress) }));
    assert.equal(store.counted.size, 23);
    assert.equal(result.records, 23);
    assert.equal(result.stored, 23);
    assert.equal(result.doneBytes, result.totalBytes);
    assert.ok(seen.length > 4);
    assert.ok(seen.every(({ doneBytes }, i) => doneBytes >= (seen[i - 1]?.doneBytes ?? 0)));
    assert.deepEqual(await disk.list(`${JOURNAL_DIR}/segments`), []);
  });

  it('stores everything once when it is interrupted at any point and called again', async () => {
    const whole = await killedDisk();
    const start = whole.operations;
    await drainJournal(options(whole, new MemoryBatchStore()));
    for (let cut = 0; cut <= whole.operations - start; cut += 1) {
      const store = new MemoryBatchStore();
      const disk = (await killedDisk()).restart('all', { cutAt: cut });
      await Promise.race([drainJournal(options(disk, store)), disk.dead]);
      await drainJournal(options(disk.restart('none'), store));
      assert.equal(store.counted.size, 23);
      assert.equal(store.duplicates, 0);
    }
  });

  it('leaves a journal that can be opened again', async () => {
    const disk = await killedDisk();
    const store = new MemoryBatchStore();
    await drainJournal(options(disk, store));
    const journal = await openJournal(disk);
    await journal.append([record(100)]);
    await digestAll(disk.restart('none'), store);
    assert.equal(store.counted.size, 24);
  });

  it('gives up with the reason when the store stays unavailable', async () => {
    const store = new MemoryBatchStore();
    let attempts = 0;
    store.before = () => {
      attempts += 1;
      throw new AppError('store_unavailable', 'The store is away.');
    };
    const disk = await killedDisk();
    await assert.rejects(drainJournal(options(disk, store)), { code: 'store_unavailable' });
    assert.ok(attempts >= 5 && attempts < 50);
    store.before = () => undefined;
    await drainJournal(options(disk, store));
    assert.equal(store.counted.size, 23);
  });

  it('refuses a directory without a journal, and ends at once for an empty journal', async () => {
    const disk = new SimulatedDisk();
    await assert.rejects(drainJournal(options(disk, new MemoryBatchStore())), { code: 'not_found' });
    assert.deepEqual(await disk.list(JOURNAL_DIR), []);
    const empty = new SimulatedDisk();
    await openJournal(empty);
    const result = await drainJournal(options(empty, new MemoryBatchStore()));
    assert.equal(result.records, 0);
  });
});
