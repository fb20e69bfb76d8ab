import assert from 'node:assert/strict';
import { AppError } from '../../../../../src/domain/app-error.ts';
import { TestClock, digestAll, openJournal, record, JOURNAL_DIR } from '../../../../support/journal-world.ts';
import { MemoryBatchStore } from '../../../../support/memory-batch-store.ts';
import { SimulatedDisk, failure } from '../../../../support/simulated-disk.ts';

function unavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'ingest_unavailable' && (error.retryAfterSeconds ?? 0) > 0;
}

function failing(...operations: string[]) {
  return (operation: string, path: string) => {
    if (operations.includes(operation)) {
      throw failure('EIO', path);
    }
  };
}

/** What the store has after everything that survives a power cut was digested. */
async function digestedAfterCut(disk: SimulatedDisk): Promise<string[]> {
  const store = new MemoryBatchStore();
  await digestAll(disk.restart('none'), store);
  return [...store.counted.keys()].map((key) => key.slice(2));
}

function ids(...numbers: number[]): (string | null)[] {
  return numbers.map((i) => record(i).eventId);
}

describe('journal', () => {
  it('shares one sync among concurrent appends', async () => {
    const disk = new SimulatedDisk();
    const commits: number[] = [];
    const journal = await openJournal(disk, { onSynced: ({ records }) => commits.push(records) });
    await journal.append([record(0)]);
    const before = disk.syncs;
    await Promise.all(Array.from({ length: 200 }, (_, i) => journal.append([record(i + 1)])));
    assert.ok(disk.syncs - before <= 2, `${disk.syncs - before} syncs for 200 appends`);
    assert.equal(
      commits.reduce((sum, n) => sum + n, 0),
      201,
    );
  });

  it('collects into the next commit what comes while one is on its way', async () => {
    const disk = new SimulatedDisk();
    const journal = await openJournal(disk);
    let later: Promise<void>[] = [];
    disk.fail = (operation) => {
      if (operation === 'sync' && later.length === 0) {
        later = [1, 2, 3].map((i) => journal.append([record(i)]));
      }
    };
    await journal.append([record(0)]);
    const before = disk.syncs;
    await Promise.all(later);
    assert.equal(disk.syncs - before, 1);
    assert.deepEqual(await digestedAfterCut(disk), ids(0, 1, 2, 3));
  });

  /** Appends five records in five turns of the event loop; returns the records of each commit. */
  async function commitsOfFiveTurns(gatherMs: number): Promise<number[]> {
    const commits: number[] = [];
    const onSynced = ({ records }: { records: number }) => commits.push(records);
    const journal = await openJournal(new SimulatedDisk(), { gatherMs, onSynced });
    const appends: Promise<void>[] = [];
    for (let i = 0; i < 5; i += 1) {
      appends.push(journal.append([record(i)]));
      await new Promise(setImmediate);
    }
    await Promise.all(appends);
    return commits;
  }

  it('waits with a commit while each turn of the event loop brings further appends', async () => {
    assert.deepEqual(await commitsOfFiveTurns(Infinity), [5]);
  });

  it('waits with a commit no longer than its bound', async () => {
    const commits = await commitsOfFiveTurns(0);
    assert.ok(commits.length > 1, `commits of ${commits.join(', ')} records`);
  });

  it('answers only what is synced, directory included', async () => {
    const disk = new SimulatedDisk();
    const journal = await openJournal(disk);
    await journal.append([record(1), record(2)]);
    assert.deepEqual(await digestedAfterCut(disk), ids(1, 2));
  });

  it('writes without a sync where only a crash of the process is to be survived', async () => {
    const disk = new SimulatedDisk();
    const journal = await openJournal(disk, { durability: 'process-crash' });
    const before = disk.syncs;
    await journal.append([record(1)]);
    assert.equal(disk.syncs, before);
    const store = new MemoryBatchStore();
    await digestAll(disk.restart('all'), store);
    assert.equal(store.counted.size, 1);
  });

  for (const operation of ['append', 'sync', 'create', 'syncDir']) {
    it(`refuses after a failed ${operation}, and takes events again without a restart`, async () => {
      const disk = new SimulatedDisk();
      const clock = new TestClock();
      const refused: string[] = [];
      const journal = await openJournal(disk, {
        clock,
        onRefused: (reason) => refused.push(reason),
        segmentBytes: 400,
      });
      await journal.append([record(1)]);
      await journal.append([record(2), record(22)]);
      disk.fail = failing(operation);
      const results = await Promise.allSettled(
        [3, 4, 5].map((i) => journal.append([record(i, { body: Buffer.alloc(500) })])),
      );
      const failed = results.filter((result) => result.status === 'rejected' && unavailable(result.reason)).length;
      if (operation === 'create' || operation === 'syncDir') {
        // The open segment may take one more commit.
        await assert.rejects(journal.append([record(6)]), unavailable);
      } else {
        assert.equal(failed, 3);
      }
      disk.fail = () => undefined;
      await assert.rejects(journal.append([record(7)]), unavailable, 'not tried again at once');
      assert.equal(journal.refusal()?.reason, 'disk_error');
      clock.time += 5000;
      assert.equal(journal.refusal()?.reason, 'disk_error', 'nothing has shown that it can be written again');
      clock.time += 5000;
      assert.equal(journal.refusal(), null, 'a sender is let in to try');
      await journal.append([record(8)]);
      assert.equal(journal.refusal(), null);
      assert.ok(refused.every((reason) => reason === 'disk_error') && refused.length > 0);
      const kept = await digestedAfterCut(disk);
      const expected = [1, 2, 22, ...[3, 4, 5].filter((_, k) => results[k]?.status === 'fulfilled'), 8];
      assert.deepEqual(kept, ids(...expected));
    });
  }

  it('never writes again to a segment whose sync failed, and records its valid length', async () => {
    const disk = new SimulatedDisk();
    const clock = new TestClock();
    const journal = await openJournal(disk, { clock });
    await journal.append([record(1)]);
    disk.fail = failing('sync');
    await assert.rejects(journal.append([record(2)]), unavailable);
    disk.fail = () => undefined;
    clock.time += 1000;
    await journal.append([record(3)]);
    assert.equal(journal.position().segment, 2);
    // The refused record is still in the first file; nobody may read it, or a retry would count twice.
    const store = new MemoryBatchStore();
    await digestAll(disk.restart('all'), store);
    assert.deepEqual(
      [...store.counted.keys()],
      ids(1, 3).map((id) => `1|${id}`),
    );
  });

  it('does not leave a file per attempt on a disk that fails for long', async () => {
    const disk = new SimulatedDisk();
    const clock = new TestClock();
    const journal = await openJournal(disk, { clock });
    disk.fail = failing('sync');
    for (let i = 0; i < 20; i += 1) {
      await assert.rejects(journal.append([record(i)]), unavailable);
      clock.time += 5000;
    }
    assert.deepEqual(await disk.list(`${JOURNAL_DIR}/segments`), []);
  });

  it('refuses at its bound and takes events again when the digest has made room', async () => {
    const disk = new SimulatedDisk();
    const refused: string[] = [];
    const journal = await openJournal(disk, { maxBytes: 8000, onRefused: (reason) => refused.push(reason) });
    const store = new MemoryBatchStore();
    let kept = 0;
    await assert.rejects(async () => {
      for (; ; kept += 1) {
        await journal.append([record(kept)]);
      }
    }, unavailable);
    assert.equal(journal.refusal(), null, 'one byte would fit');
    const { bytes, segments } = journal.stats();
    assert.ok(bytes <= 8000 && bytes > 7500, `${bytes} bytes`);
    assert.ok(segments >= 7, 'a bound of eight segments at least');
    assert.deepEqual(refused, ['journal_full']);
    const first = await disk.size(`${JOURNAL_DIR}/segments/000000000001.seg`);
    journal.digested({ segment: 2, offset: 0 }, [1]);
    assert.equal(journal.stats().bytes, bytes - first);
    await journal.append([record(kept)]);
    await digestAll(disk.restart('none'), store);
    assert.equal(store.counted.size, kept + 1);
  });

  it('counts what waits for its sync against the bound', async () => {
    const journal = await openJournal(new SimulatedDisk(), { maxBytes: 8000 });
    const results = await Promise.allSettled(Array.from({ length: 100 }, (_, i) => journal.append([record(i)])));
    assert.ok(results.some((result) => result.status === 'rejected'));
    assert.ok(journal.stats().bytes <= 8200);
  });

  it('refuses while the disk is low', async () => {
    let low: string | null = 'the disk is full';
    const journal = await openJournal(new SimulatedDisk(), { diskLow: () => low });
    await assert.rejects(journal.append([record(1)]), { code: 'ingest_unavailable', message: 'the disk is full' });
    assert.deepEqual(journal.refusal(), { reason: 'disk_low', message: 'the disk is full' });
    low = null;
    await journal.append([record(1)]);
  });

  it('finishes what was appended when it is closed, and refuses the rest', async () => {
    const disk = new SimulatedDisk();
    const journal = await openJournal(disk);
    const appended = [1, 2, 3].map((i) => journal.append([record(i)]));
    const closed = journal.close();
    await assert.rejects(journal.append([record(4)]), unavailable);
    await Promise.all(appended);
    await closed;
    assert.equal(journal.refusal()?.reason, 'journal_closed');
    assert.deepEqual(journal.position(), { segment: 2, offset: 0 }, 'the digest may finish the segment');
    assert.deepEqual(await digestedAfterCut(disk), ids(1, 2, 3));
  });

  it('begins a new segment at each start and knows what it found', async () => {
    const disk = new SimulatedDisk();
    const first = await openJournal(disk);
    await first.append([record(10)]);
    await first.append([record(20)]);
    const { bytes } = first.stats();
    const second = await openJournal(disk.restart('none'));
    assert.deepEqual(second.stats(), { bytes, segments: 1, oldestReceivedAt: record(10).receivedAt });
    assert.deepEqual(second.position(), { segment: 2, offset: 0 });
    second.digested({ segment: 2, offset: 0 }, [1]);
    assert.deepEqual(second.stats(), { bytes: 0, segments: 0, oldestReceivedAt: null });
  });

  it('does not use the number of a segment again that was digested and removed', async () => {
    const disk = new SimulatedDisk();
    const journal = await openJournal(disk);
    await journal.append([record(1)]);
    const store = new MemoryBatchStore();
    const after = disk.restart('none');
    await digestAll(after, store);
    assert.deepEqual(await after.list(`${JOURNAL_DIR}/segments`), []);
    const next = await openJournal(after);
    await next.append([record(2)]);
    await digestAll(after.restart('none'), store);
    assert.equal(store.counted.size, 2);
  });

  it('takes nothing for an append of no records', async () => {
    const disk = new SimulatedDisk();
    const journal = await openJournal(disk);
    await journal.append([]);
    assert.deepEqual(journal.stats(), { bytes: 0, segments: 0, oldestReceivedAt: null });
  });
});
