import assert from 'node:assert/strict';
import type { PruneProgress } from '../../../../src/domain/ports/stores/maintenance-store.ts';
import { RetentionJob } from '../../../../src/integrated/retention/retention-job.ts';

interface Lease {
  owner: string | null;
  taken: number;
}

/** A job whose store has `slices` slices to remove. Records what happened, and the minutes of removals by age. */
function createJob(slices: number, failure?: Error, lease: Lease = { owner: null, taken: 0 }) {
  const log: string[] = [];
  const ages: number[] = [];
  let used = 0;
  let pauses = 0;
  let now = 0;
  let onPause: () => void = () => undefined;
  const job = new RetentionJob({
    store: {
      prune: async ({ payloadsOnly }): Promise<PruneProgress> => {
        if (failure !== undefined) throw failure;
        if (payloadsOnly !== true) ages.push(now / 60_000);
        const left = slices > 0;
        slices -= Number(left);
        return { events: Number(left), bytes: 0, keys: 0, done: slices === 0 };
      },
      size: async () => ({ used, falls: 'at_once' }),
      acquireLease: async (_name: string, owner: string) => {
        if (lease.owner !== null && lease.owner !== owner) return false;
        lease.owner = owner;
        lease.taken += 1;
        return true;
      },
      releaseLease: async (_name: string, owner: string) => {
        if (lease.owner === owner) lease.owner = null;
      },
    },
    owner: 'me',
    settings: { retentionDays: 90, maxEventsPerError: 0, maxBytes: 10 },
    clock: { now: () => now },
    logger: {
      info: (fields: unknown) => log.push(`info ${JSON.stringify(fields)}`),
      warn: (fields: object) => log.push('bytes' in fields ? `warn ${String(fields.bytes)}` : 'warn'),
    },
    pause: async () => {
      pauses += 1;
      onPause();
    },
  });
  return {
    job,
    log,
    left: () => slices,
    ages,
    growTo: (bytes: number) => (used = bytes),
    pauses: () => pauses,
    stopAtPause: () => {
      onPause = () => void job.stop();
    },
    atPause: (act: () => void) => {
      onPause = act;
    },
    passMinutes: (minutes: number) => (now += minutes * 60_000),
  };
}

describe('RetentionJob', () => {
  it('lets the digest have its turn between slices, and says what went', async () => {
    const { job, log, left, pauses } = createJob(3);
    await Promise.all([job.run(), job.run()]);
    assert.equal(left(), 0, 'the second call joined the first');
    assert.equal(pauses(), 3);
    assert.deepEqual(log, ['info {"events":3}']);
  });

  it('ends after the slice in hand', async () => {
    const { job, left, stopAtPause } = createJob(10);
    stopAtPause();
    await job.run();
    assert.equal(left(), 9);
  });

  it('survives a store that is away', async () => {
    const { job, log } = createJob(1, new Error('away'));
    await job.run();
    await job.run();
    assert.deepEqual(log, ['warn', 'warn']);
  });

  it('looks at what only age removes once an hour', async () => {
    const { job, ages, passMinutes } = createJob(0);
    for (let minute = 1; minute <= 121; minute += 1) {
      passMinutes(1);
      await job.run();
    }
    assert.deepEqual(ages, [60, 120]);
    passMinutes(-10_000);
    await job.run();
    assert.deepEqual(ages, [60, 120, 121 - 10_000], 'a clock that was set back does not delay it');
  });

  it('says once that the store is too large although nothing is left to remove', async () => {
    const { job, log, growTo } = createJob(0);
    growTo(15);
    await job.run();
    await job.run();
    growTo(9);
    await job.run();
    growTo(12);
    await job.run();
    assert.deepEqual(log, ['warn 5', 'warn 2']);
  });

  it('leaves the work to another process that is at it', async () => {
    const lease: Lease = { owner: 'another', taken: 0 };
    const { job, left } = createJob(3, undefined, lease);
    await job.run();
    assert.equal(left(), 3);
    lease.owner = null;
    await job.run();
    assert.equal(left(), 0);
    assert.equal(lease.owner, null, 'given back');
  });

  it('keeps the lease while it works, and ends when it was lost', async () => {
    const lease: Lease = { owner: null, taken: 0 };
    const { job, left, atPause, passMinutes } = createJob(4, undefined, lease);
    atPause(() => {
      passMinutes(1);
      if (left() === 1) lease.owner = 'another';
    });
    await job.run();
    assert.equal(left(), 1);
    assert.equal(lease.taken, 3);
    assert.equal(lease.owner, 'another');
  });
});
