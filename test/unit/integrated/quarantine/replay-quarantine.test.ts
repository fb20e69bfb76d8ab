import assert from 'node:assert/strict';
import { AppError } from '../../../../src/domain/app-error.ts';
import type { DigestRecord } from '../../../../src/integrated/digest/digested-record.ts';
import { listQuarantine } from '../../../../src/integrated/quarantine/quarantine-file.ts';
import { replayQuarantine } from '../../../../src/integrated/quarantine/replay-quarantine.ts';
import type { ReplayOptions } from '../../../../src/integrated/quarantine/replay-quarantine.ts';
import {
  JOURNAL_DIR,
  QUARANTINE_DIR,
  digest,
  digestAll,
  eventId,
  openJournal,
  record,
} from '../../../support/journal-world.ts';
import { MemoryBatchStore } from '../../../support/memory-batch-store.ts';
import { SimulatedDisk } from '../../../support/simulated-disk.ts';

const COUNT = 6;
const POISON = [1, 2, 4];
const OUTCOME = { category: 'session', outcome: 'filtered', reason: 'test', quantity: 1 } as const;

/** The digest after the fix: it can read what was poison. */
const fixed: DigestRecord = (taken) => digest({ ...taken, body: Buffer.from('{}') });

async function world(): Promise<{ disk: SimulatedDisk; store: MemoryBatchStore }> {
  const disk = new SimulatedDisk();
  const store = new MemoryBatchStore();
  const journal = await openJournal(disk);
  for (let i = 0; i < COUNT; i += 1) {
    const body = POISON.includes(i) ? { body: Buffer.from('"poison"') } : {};
    await journal.append([record(i, { outcomes: [OUTCOME], ...body })]);
  }
  await journal.close();
  await digestAll(disk, store);
  assert.equal(store.counted.size, COUNT - POISON.length);
  return { disk, store };
}

function options(files: SimulatedDisk, store: MemoryBatchStore, over: Partial<ReplayOptions> = {}): ReplayOptions {
  return { files, dir: QUARANTINE_DIR, store, digest: fixed, lock: () => () => undefined, ...over };
}

async function aside(disk: SimulatedDisk): Promise<(string | null)[]> {
  return (await listQuarantine(disk, QUARANTINE_DIR)).map((entry) => entry.eventId).sort();
}

describe('replay of the quarantine', () => {
  it('stores what can be digested now and removes it', async () => {
    const { disk, store } = await world();
    const seen: string[] = [];
    const result = await replayQuarantine(
      options(disk, store, { onProgress: (done, total) => seen.push(`${done}/${total}`) }),
    );
    assert.deepEqual(result, { replayed: 3, duplicates: 0, failed: 0, damaged: 0 });
    assert.deepEqual(seen, ['1/3', '2/3', '3/3']);
    assert.equal(store.counted.size, COUNT);
    assert.deepEqual(await aside(disk), []);
    assert.deepEqual(await replayQuarantine(options(disk, store)), {
      replayed: 0,
      duplicates: 0,
      failed: 0,
      damaged: 0,
    });
  });

  it('leaves what still cannot be digested or is refused, with the newest error', async () => {
    const { disk, store } = await world();
    store.before = (_mark, { events }) => {
      if (events[0]?.eventId === eventId(2)) {
        throw new AppError('internal', 'The store refuses this.');
      }
    };
    const partly: DigestRecord = (taken) => {
      if (taken.eventId === eventId(1)) {
        throw new RangeError('secret');
      }
      return fixed(taken);
    };
    const result = await replayQuarantine(options(disk, store, { digest: partly }));
    assert.deepEqual(result, { replayed: 1, duplicates: 0, failed: 2, damaged: 0 });
    const left = await listQuarantine(disk, QUARANTINE_DIR);
    const texts = left.map((entry) => [entry.eventId, entry.reason, entry.error.split(' ')[0]]).sort();
    assert.deepEqual(texts, [
      [eventId(1), 'digest_failed', 'RangeError'],
      [eventId(2), 'store_refused', 'internal:'],
    ]);
    store.before = () => undefined;
    assert.equal((await replayQuarantine(options(disk, store))).replayed, 2);
    assert.equal(store.counted.size, COUNT);
  });

  it('counts everything once when it is cut at any point and called again', async () => {
    const { disk: whole, store: first } = await world();
    const before = whole.operations;
    first.before = first.after = () => whole.step();
    await replayQuarantine(options(whole, first));
    for (let cut = 0; cut <= whole.operations - before; cut += 1) {
      for (const survival of ['none', 'all'] as const) {
        const made = await world();
        const disk = made.disk.restart('all', { cutAt: cut });
        const { store } = made;
        store.before = store.after = () => disk.step();
        await Promise.race([replayQuarantine(options(disk, store)), disk.dead]);
        store.before = store.after = () => undefined;
        const after = disk.restart(survival);
        await replayQuarantine(options(after, store));
        assert.equal(store.counted.size, COUNT);
        assert.equal(store.outcomes.get('1|session|filtered|test'), COUNT, `cut ${cut} ${survival}`);
        assert.deepEqual(await aside(after), []);
      }
    }
  });

  it('counts everything once when it is killed anywhere, and the power goes anywhere in the next run', async () => {
    let kills = 0;
    for (let kill = 0, ended = false; !ended; kill += 1) {
      let cuts = 0;
      for (let over = false; !over; cuts += 1) {
        const { disk: made, store } = await world();
        const first = made.restart('all', { cutAt: kill });
        store.before = store.after = () => first.step();
        ended = await Promise.race([
          replayQuarantine(options(first, store)).then(() => true),
          first.dead.then(() => false),
        ]);
        const second = first.restart('all', { cutAt: cuts });
        store.before = store.after = () => second.step();
        over = await Promise.race([
          replayQuarantine(options(second, store)).then(() => true),
          second.dead.then(() => false),
        ]);
        store.before = store.after = () => undefined;
        const after = second.restart('none');
        await replayQuarantine(options(after, store));
        assert.equal(store.counted.size, COUNT);
        assert.equal(store.outcomes.get('1|session|filtered|test'), COUNT, `kill ${kill}, cut ${cuts}`);
        assert.deepEqual(await aside(after), []);
      }
      kills += 1;
    }
    assert.ok(kills > 20, `only ${kills} points`);
  });

  it('ends when the store is away; what is done stays done', async () => {
    const { disk, store } = await world();
    let answers = 1;
    store.before = () => {
      if (answers-- <= 0) {
        throw new AppError('store_unavailable', 'The store is away.');
      }
    };
    await assert.rejects(replayQuarantine(options(disk, store)), { code: 'store_unavailable' });
    assert.equal((await aside(disk)).length, 2);
    store.before = () => undefined;
    assert.equal((await replayQuarantine(options(disk, store))).replayed, 2);
  });

  it('recognises an event that came again by itself', async () => {
    const { disk, store } = await world();
    const journal = await openJournal(disk);
    await journal.append([record(1)]);
    await journal.close();
    await digestAll(disk, store);
    const result = await replayQuarantine(options(disk, store));
    assert.deepEqual(result, { replayed: 3, duplicates: 1, failed: 0, damaged: 0 });
    assert.equal(store.counts.get('a'.repeat(32)), COUNT);
  });

  it('takes a new id when the store knows its journal otherwise', async () => {
    const { disk, store } = await world();
    disk.copyTree(QUARANTINE_DIR, '/copy');
    await replayQuarantine(
      options(disk, store, { digest: (taken) => (taken.eventId === eventId(4) ? poison() : fixed(taken)) }),
    );
    disk.copyTree(QUARANTINE_DIR, '/copy2');
    await replayQuarantine(options(disk, store));
    const result = await replayQuarantine(options(disk, store, { dir: '/copy2' }));
    assert.deepEqual(result, { replayed: 1, duplicates: 1, failed: 0, damaged: 0 });
    assert.equal(store.counted.size, COUNT);
  });

  it('keeps damaged pieces, which nothing can read', async () => {
    const { disk, store } = await world();
    const journal = await openJournal(disk);
    await journal.append([record(10)]);
    await journal.append([record(11)]);
    const [segment] = await disk.list(`${JOURNAL_DIR}/segments`);
    disk.damage(`${JOURNAL_DIR}/segments/${segment!}`, 120, Buffer.from('????'));
    await digestAll(disk.restart('none'), store);
    const after = disk.restart('none');
    await digestAll(after, store);
    const result = await replayQuarantine(options(after, store));
    assert.deepEqual(result, { replayed: 3, duplicates: 0, failed: 0, damaged: 1 });
    assert.equal((await aside(after)).length, 1);
  });

  it('runs alone, and frees its lock whatever happens', async () => {
    const { disk, store } = await world();
    await assert.rejects(replayQuarantine(options(disk, store, { lock: () => null })), { code: 'conflict' });
    assert.equal((await aside(disk)).length, 3);
    let released = 0;
    const lock = () => () => void (released += 1);
    store.beforeLastBatch = store.before = () => {
      throw new AppError('store_unavailable', 'The store is away.');
    };
    await assert.rejects(replayQuarantine(options(disk, store, { lock })));
    assert.equal(released, 1);
  });
});

function poison(): never {
  throw new Error('still poison');
}
