import assert from 'node:assert/strict';
import type { PruneProgress } from '../../../../src/domain/ports/stores/maintenance-store.ts';
import { Lease } from '../../../../src/lib/lease.ts';
import { RetentionJob } from '../../../../src/integrated/retention/retention-job.ts';

interface Held {
  owner: string | null;
  taken: number;
}

/** A job whose store has `slices` slices to remove. Records what happened, and the minutes of removals by age. */
function createJob(slices: number, held: Held = { owner: null, taken: 0 }) {
  const log: string[] = [];
  const ages: number[] = [];
  let used = 0;
  let pauses = 0;
  let now = 0;
  let onPause: () => void = () => undefined;
  const stopping = new AbortController();
  const lease = new Lease({
    store: {
      acquireLease: async (_name: string, owner: string) => {
        if (held.owner !== null && held.owner !== owner) return false;
        held.owner = owner;
        held.taken += 1;
        return true;
      },
      releaseLease: () => Promise.resolve(),
    },
    ...{ name: 'retention', owner: 'me', ttlMs: 5 * 60_000, steady: () => now },
  });
  const job = new RetentionJob({
    store: {
      prune: async ({ payloadsOnly }): Promise<PruneProgress> => {
        if (payloadsOnly !== true) ages.push(now / 60_000);
        const left = slices > 0;
        slices -= Number(left);
        return { events: Number(left), bytes: 0, keys: 0, done: slices === 0 };
      },
      size: async () => ({ used, falls: 'at_once' }),
    },
    lease,
    settings: { retentionDays: 90, auditDays: 365, maxEventsPerError: 0, maxBytes: 10 },
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
    run: () => job.run(stopping.signal),
    log,
    left: () => slices,
    ages,
    growTo: (bytes: number) => (used = bytes),
    pauses: () => pauses,
    stopAtPause: () => {
      onPause = () => stopping.abort();
    },
    atPause: (act: () => void) => {
      onPause = act;
    },
    passMinutes: (minutes: number) => (now += minutes * 60_000),
  };
}

describe('RetentionJob', () => {
  it('lets the digest have its turn between slices, and says what went', async () => {
    const { run, log, left, pauses } = createJob(3);
    await run();
    assert.equal(left(), 0);
    assert.equal(pauses(), 3);
    assert.deepEqual(log, ['info {"events":3}']);
  });

  it('ends after the slice in hand', async () => {
    const { run, left, stopAtPause } = createJob(10);
    stopAtPause();
    await run();
    assert.equal(left(), 9);
  });

  it('looks at what only age removes once an hour', async () => {
    const { run, ages, passMinutes } = createJob(0);
    for (let minute = 1; minute <= 121; minute += 1) {
      passMinutes(1);
      await run();
    }
    assert.deepEqual(ages, [60, 120]);
    passMinutes(-10_000);
    await run();
    assert.deepEqual(ages, [60, 120, 121 - 10_000], 'a clock that was set back does not delay it');
  });

  it('says once that the store is too large although nothing is left to remove', async () => {
    const { run, log, growTo } = createJob(0);
    growTo(15);
    await run();
    await run();
    growTo(9);
    await run();
    growTo(12);
    await run();
    assert.deepEqual(log, ['warn 5', 'warn 2']);
  });

  it('extends the lease while it works, and ends when it was lost', async () => {
    const held: Held = { owner: null, taken: 0 };
    const { run, left, atPause, passMinutes } = createJob(4, held);
    atPause(() => {
      passMinutes(2);
      if (left() === 1) held.owner = 'another';
    });
    await run();
    assert.equal(left(), 1);
    assert.equal(held.taken, 2);
    assert.equal(held.owner, 'another');
  });
});
