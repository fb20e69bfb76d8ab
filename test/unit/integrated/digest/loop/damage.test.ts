import assert from 'node:assert/strict';
import { readLastManifest } from '../../../../../src/integrated/intake/journal/manifest-log.ts';
import { listQuarantine } from '../../../../../src/integrated/quarantine/quarantine-file.ts';
import {
  JOURNAL_DIR,
  QUARANTINE_DIR,
  away,
  digestAll,
  diskWith,
  numbers,
  openJournal,
  record,
  silentLogger,
  upTo,
} from '../../../../support/journal-world.ts';
import { MemoryBatchStore } from '../../../../support/memory-batch-store.ts';
import { SimulatedDisk } from '../../../../support/simulated-disk.ts';

const OUTCOME = { category: 'session', outcome: 'filtered', reason: 'test', quantity: 1 } as const;
const SEGMENTS = `${JOURNAL_DIR}/segments`;
const FIRST = `${SEGMENTS}/000000000001.seg`;

describe('damage in the journal', () => {
  it('ends a segment of an earlier process at a record cut short at any byte', async () => {
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

  it('sets changed bytes aside, anywhere, and digests the records around them', async () => {
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

  it('sets the last record aside when its bytes have changed, and digests those before it', async () => {
    const disk = await diskWith(3);
    const size = await disk.size(FIRST);
    const last = await (await diskWith(2)).size(FIRST);
    // A greater length, bytes 4 to 7, looks as if the write had been cut short.
    const places = Array.from({ length: size - last }, (_, index) => index).filter((at) => at < 4 || at > 7);
    for (const at of places) {
      const worn = disk.restart('none');
      const old = await worn.read(FIRST, last + at, 1);
      worn.damage(FIRST, last + at, Buffer.from([old[0]! ^ 0x10]));
      const store = new MemoryBatchStore();
      await digestAll(worn, store);
      assert.deepEqual(numbers(store), upTo(2), `byte ${at}`);
      const [entry, ...more] = await listQuarantine(worn, QUARANTINE_DIR);
      assert.deepEqual([entry?.reason, more.length], ['damaged', 0], `byte ${at}`);
    }
  });

  it('treats unfilled space behind the last record as an interrupted write', async () => {
    const disk = await diskWith(3);
    const last = await (await diskWith(2)).size(FIRST);
    disk.damage(FIRST, last, Buffer.alloc((await disk.size(FIRST)) - last));
    const store = new MemoryBatchStore();
    const said: string[] = [];
    const warn = (_: unknown, text?: string): void => void said.push(text ?? '');
    await digestAll(disk, store, { logger: { ...silentLogger, warn } });
    assert.deepEqual(numbers(store), upTo(2));
    assert.deepEqual(await listQuarantine(disk, QUARANTINE_DIR), []);
    assert.deepEqual(said, [
      'the last write of an earlier process is cut short and cannot be read; it may have been acknowledged',
    ]);
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

  it('skips a segment whose creation was interrupted', async () => {
    const disk = await diskWith(3);
    const file = await disk.create(`${SEGMENTS}/000000000002.seg`);
    await file.append([Buffer.from('ERGJ')]);
    const store = new MemoryBatchStore();
    await digestAll(disk, store);
    assert.deepEqual(numbers(store), upTo(3));
    assert.deepEqual(await listQuarantine(disk, QUARANTINE_DIR), []);
  });

  it('applies the readable records of a recorded batch under the same batch id when others are lost', async () => {
    const disk = await diskWith(6);
    const store = new MemoryBatchStore();
    store.before = away;
    await assert.rejects(digestAll(disk, store, { maxAttempts: 2 }), { code: 'store_unavailable' });
    disk.truncate(FIRST, (await disk.size(FIRST)) - 3);
    store.before = () => undefined;
    await digestAll(disk, store);
    assert.deepEqual(numbers(store), upTo(5));
    assert.equal(store.journals.size, 1);
  });

  it('applies later records under a new journal id when nothing of a recorded batch can be read', async () => {
    const disk = await diskWith(6);
    const store = new MemoryBatchStore();
    store.before = away;
    await assert.rejects(digestAll(disk, store, { maxAttempts: 2 }), { code: 'store_unavailable' });
    const recorded = await readLastManifest(disk, JOURNAL_DIR);
    assert.equal(recorded?.count, 6);
    disk.damage(FIRST, await headerBytes(disk), Buffer.from('not a frame'));
    store.before = () => undefined;
    await digestAll(disk, store);
    assert.deepEqual(numbers(store), upTo(6).slice(1));
    assert.notEqual((await readLastManifest(disk, JOURNAL_DIR))?.journalId, recorded.journalId);
  });

  it('counts nothing twice when records of a batch that the store has are lost from the journal', async () => {
    for (const kept of [-3, -400, 5, null]) {
      const disk = await diskWith(0);
      const journal = await openJournal(disk);
      await journal.append(upTo(6).map((i) => record(i, { outcomes: [OUTCOME] })));
      const store = new MemoryBatchStore();
      store.after = away;
      await assert.rejects(digestAll(disk, store, { maxAttempts: 2 }), { code: 'store_unavailable' });
      store.after = () => undefined;
      if (kept === null) {
        await disk.remove(FIRST);
      } else {
        disk.truncate(FIRST, kept + (kept < 0 ? await disk.size(FIRST) : await headerBytes(disk)));
      }
      const later = await openJournal(disk);
      await later.append([record(50, { outcomes: [OUTCOME] })]);
      await digestAll(disk, store);
      assert.deepEqual(numbers(store), [...upTo(6), 50], `kept ${kept}`);
      assert.equal(store.outcomes.get('1|session|filtered|test'), 7, `kept ${kept}`);
      assert.equal(store.duplicates, 0);
    }
  });

  it('counts the remaining records of a batch once when one is indigestible and store and disk fail', async () => {
    const disk = new SimulatedDisk();
    const journal = await openJournal(disk);
    const poison = (i: number) => (i === 1 || i === 4 ? { body: Buffer.from('"poison"') } : {});
    await journal.append(upTo(6).map((i) => record(i, { outcomes: [OUTCOME], ...poison(i) })));
    const store = new MemoryBatchStore();
    store.before = away;
    await assert.rejects(digestAll(disk, store, { maxAttempts: 2 }), { code: 'store_unavailable' });
    disk.truncate(FIRST, (await disk.size(FIRST)) - 3);
    store.before = () => undefined;
    // The store answers who had the batch only the third time, and the smaller manifest is refused once by the disk.
    let asked = 0;
    store.beforeLastBatch = () => {
      asked += 1;
      if (asked === 2 || asked === 3) {
        away();
      }
    };
    let syncs = 0;
    disk.fail = (operation, path) => {
      if (operation === 'sync' && path.includes('/seals/') && ++syncs === 2) {
        throw new Error('EIO');
      }
    };
    await digestAll(disk, store);
    assert.ok(asked > 4 && syncs > 2);
    assert.deepEqual(numbers(store), [0, 2, 3]);
    assert.equal(store.outcomes.get('1|session|filtered|test'), 3);
    assert.deepEqual([store.journals.size, store.batches.length], [1, 1]);
    assert.equal((await listQuarantine(disk, QUARANTINE_DIR)).length, 2);
  });
});

async function headerBytes(disk: SimulatedDisk): Promise<number> {
  const fixed = await disk.read(FIRST, 0, 16);
  return 16 + fixed.readUInt32LE(8);
}
