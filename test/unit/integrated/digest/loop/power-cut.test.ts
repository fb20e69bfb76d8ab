import assert from 'node:assert/strict';
import { listQuarantine } from '../../../../../src/integrated/quarantine/quarantine-file.ts';
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
import type { SimulatedDiskOptions, Survival } from '../../../../support/simulated-disk.ts';

const RECORDS = 60;
const OUTCOME = { category: 'session', outcome: 'filtered', reason: 'test', quantity: 1 } as const;

/** Every record carries one outcome: unlike events, nothing else would hide a second count of it. */
function sent(i: number) {
  const body = i % 13 === 5 ? { body: Buffer.from('{"poison":1}') } : {};
  return record(i, { outcomes: [OUTCOME], ...body });
}

/** The machine's end takes the store's work or its answer, too. */
function onMachine(store: MemoryBatchStore, disk: SimulatedDisk): MemoryBatchStore {
  store.after = () => disk.step();
  store.before = async (batchId) => {
    await disk.step();
    // While every other batch is with the store, the next one is read ahead.
    await turns(batchId.n % 2 === 0 ? 8 : 0);
  };
  return store;
}

/** Senders, rotation, digest and a second process, until all is done or the power goes. */
async function run(disk: SimulatedDisk, store: MemoryBatchStore, acknowledged: Set<string>): Promise<void> {
  for (const part of [0, 1]) {
    const journal = await openJournal(disk, { segmentBytes: 2000 });
    const loop = makeLoop(disk, store, { maxRecords: 5 });
    loop.start();
    const from = (part * RECORDS) / 2;
    for (let i = from; i < from + RECORDS / 2; i += 6) {
      const sends = [0, 1, 2, 3, 4, 5].map(async (k) => {
        await journal.append([sent(i + k)]);
        acknowledged.add(eventId(i + k));
      });
      await Promise.all(sends);
      if (i % 12 === 0) {
        loop.advance(journal.position());
      }
    }
    if (part === 0) {
      loop.advance(journal.position());
      await loop.idle();
    }
    await journal.close();
    loop.advance(journal.position());
    await loop.stop();
  }
}

interface Result {
  lost: number;
  doubled: number;
  cuts: number;
}

/** Cuts the power before every single operation of the run, and looks what is there after the restart. */
async function cutEverywhere(
  options: SimulatedDiskOptions,
  restart: (disk: SimulatedDisk, cut: number) => SimulatedDisk,
): Promise<Result> {
  const whole = new SimulatedDisk(options);
  await run(whole, onMachine(new MemoryBatchStore(), whole), new Set());
  const result: Result = { lost: 0, doubled: 0, cuts: whole.operations };
  for (let cut = 0; cut <= whole.operations; cut += 1) {
    const acknowledged = new Set<string>();
    const store = new MemoryBatchStore();
    const disk = new SimulatedDisk({ ...options, cutAt: cut });
    await Promise.race([run(disk, onMachine(store, disk), acknowledged), disk.dead]);
    store.before = store.after = () => undefined;
    const after = restart(disk, cut);
    await digestAll(after, store);
    const aside = (await listQuarantine(after, QUARANTINE_DIR)).map((entry) => entry.eventId);
    const found = new Set([...[...store.counted.keys()].map((key) => key.slice(2)), ...aside]);
    result.lost += [...acknowledged].filter((id) => !found.has(id)).length;
    const outcomes = store.outcomes.get('1|session|filtered|test') ?? 0;
    result.doubled += outcomes - store.counted.size + store.duplicates + (aside.length - new Set(aside).size);
  }
  return result;
}

function restartWith(survival: Survival) {
  return (disk: SimulatedDisk) => disk.restart(survival);
}

describe('a power cut', function () {
  this.timeout(120_000);

  it('loses nothing that was acknowledged, at any moment', async () => {
    const { lost, doubled, cuts } = await cutEverywhere({}, restartWith('none'));
    assert.ok(cuts > 150, `only ${cuts} points`);
    assert.deepEqual({ lost, doubled }, { lost: 0, doubled: 0 });
  });

  it('loses nothing acknowledged when unsynced data survives at random', async () => {
    for (const seed of [1, 2, 3, 4]) {
      const { lost, doubled } = await cutEverywhere({}, (disk, cut) => disk.restart(randomFrom(seed * 10_007 + cut)));
      assert.deepEqual({ seed, lost, doubled }, { seed, lost: 0, doubled: 0 });
    }
  });

  it('of the process only (kill -9) loses nothing and counts nothing twice', async () => {
    const { lost, doubled } = await cutEverywhere({}, restartWith('all'));
    assert.deepEqual({ lost, doubled }, { lost: 0, doubled: 0 });
  });

  it('loses events without the sync of the file, which proves that the test detects it', async () => {
    const { lost } = await cutEverywhere({ ignoreSync: true }, restartWith('none'));
    assert.ok(lost > 0);
  });

  it('loses events without the sync of the directory, which proves that the test detects it', async () => {
    const { lost } = await cutEverywhere({ ignoreSyncDir: true }, restartWith('none'));
    assert.ok(lost > 0);
  });
});

describe('a power cut after a kill', function () {
  this.timeout(120_000);

  it('does not lose recorded batches whose bytes were only in memory of the system', async () => {
    const whole = new SimulatedDisk();
    await run(whole, onMachine(new MemoryBatchStore(), whole), new Set());
    for (let kill = 0; kill <= whole.operations; kill += 4) {
      for (const second of [5, 12, 19, 26, 33, 40]) {
        const store = new MemoryBatchStore();
        const acknowledged = new Set<string>();
        const first = new SimulatedDisk({ cutAt: kill });
        await Promise.race([run(first, onMachine(store, first), acknowledged), first.dead]);
        const between = first.restart('all', { cutAt: second });
        await Promise.race([digestAll(between, onMachine(store, between)), between.dead]);
        store.before = store.after = () => undefined;
        const last = between.restart('none');
        await digestAll(last, store);
        const aside = (await listQuarantine(last, QUARANTINE_DIR)).map((entry) => entry.eventId);
        const lost = [...acknowledged].filter((id) => !store.counted.has(`1|${id}`) && !aside.includes(id));
        const outcomes = store.outcomes.get('1|session|filtered|test') ?? 0;
        assert.deepEqual({ lost, outcomes }, { lost: [], outcomes: store.counted.size }, `kill ${kill}, cut ${second}`);
      }
    }
  });
});
