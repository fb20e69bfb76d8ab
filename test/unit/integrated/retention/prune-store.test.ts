import assert from 'node:assert/strict';
import type { PruneLimits, PruneProgress, StoreSize } from '../../../../src/domain/ports/stores/maintenance-store.ts';
import { pruneLimits } from '../../../../src/integrated/retention/prune-limits.ts';
import { pruneStore, type StoreRetention } from '../../../../src/integrated/retention/prune-store.ts';
import { SizeBound } from '../../../../src/integrated/retention/size-bound.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-11-21T10:00:00Z');

/** One event per day of age; 100 bytes each. Two events go per call. */
function fakeStore(ages: number[], falls: StoreSize['falls'] = 'at_once') {
  const calls: PruneLimits[] = [];
  let events = ages.map((days) => NOW - days * DAY);
  const first = events.length;
  return {
    calls,
    left: () => events.length,
    prune: async (limits: PruneLimits): Promise<PruneProgress> => {
      calls.push(limits);
      const old = events.filter((at) => limits.receivedBefore !== null && at < limits.receivedBefore).slice(0, 2);
      events = events.filter((at) => !old.includes(at));
      return { events: old.length, bytes: old.length * 100, keys: old.length, done: old.length === 0 };
    },
    size: async (): Promise<StoreSize> => ({ used: (falls === 'at_once' ? events.length : first) * 100, falls }),
  };
}

function run(
  store: ReturnType<typeof fakeStore>,
  settings: StoreRetention,
  more: { bound?: SizeBound; everything?: boolean; onSlice?: (soFar: { events: number }) => boolean } = {},
) {
  const { bound = new SizeBound(settings.maxBytes), everything = true, onSlice = () => true } = more;
  return pruneStore({ store, settings, bound, clock: { now: () => NOW }, everything, onSlice });
}

describe('pruneLimits', () => {
  const limits = pruneLimits({ retentionDays: 2, auditDays: 365, maxEventsPerError: 10 }, NOW);

  it('follows the settings for payloads', () => {
    assert.equal(limits.receivedBefore, NOW - 2 * DAY);
    assert.equal(limits.maxEventsPerError, 10);
    assert.equal(
      pruneLimits({ retentionDays: 90, auditDays: 365, maxEventsPerError: 0 }, NOW).maxEventsPerError,
      null,
      '0: no bound',
    );
  });

  it('keeps everything else for fixed times, whatever the settings', () => {
    const { receivedBefore: one, maxEventsPerError: two, auditBefore: three, ...fixed } = limits;
    const { receivedBefore, maxEventsPerError, auditBefore, ...again } = pruneLimits(
      { retentionDays: 365, auditDays: 7, maxEventsPerError: 0 },
      NOW,
    );
    assert.deepEqual(fixed, again);
    assert.notDeepEqual([one, two], [receivedBefore, maxEventsPerError]);
    assert.deepEqual([three, auditBefore], [NOW - 365 * DAY, NOW - 7 * DAY]);
    assert.deepEqual(fixed, {
      keysReceivedBefore: NOW - 7 * DAY,
      hoursBefore: NOW - 31 * DAY,
      outcomesBefore: NOW - 90 * DAY,
      sessions: { startedBefore: NOW - 7 * DAY, seenBefore: NOW - 90 * DAY },
      packReceivedBefore: NOW - 10 * 60_000,
      unmatchedReportsBefore: NOW - 30 * DAY,
      factsBefore: NOW - 30 * DAY,
      deliveriesBefore: NOW - 30 * DAY,
    });
  });
});

describe('pruneStore', () => {
  it('goes on slice by slice until nothing is left to do', async () => {
    const store = fakeStore([100, 99, 98, 97, 96, 1]);
    const totals: number[] = [];
    const removed = await run(
      store,
      { retentionDays: 90, auditDays: 365, maxEventsPerError: 0, maxBytes: 0 },
      {
        onSlice: ({ events }) => totals.push(events) > 0,
      },
    );
    assert.deepEqual(removed, { events: 5, keys: 5, tooLargeBy: 0 });
    assert.deepEqual(totals, [0, 2, 4, 5, 5], 'the bounds come first');
    assert.equal(store.left(), 1);
  });

  it('removes the oldest of a store that is too large, in small steps', async () => {
    const store = fakeStore(Array.from({ length: 80 }, (_, days) => (days + 0.5) / 24));
    await run(store, { retentionDays: 90, auditDays: 365, maxEventsPerError: 0, maxBytes: 3000 });
    assert.equal(store.left(), 30);
  });

  it('removes no more than the surplus of a store whose size falls later', async () => {
    const store = fakeStore(
      Array.from({ length: 80 }, (_, days) => days + 0.5),
      'later',
    );
    const settings = { retentionDays: 90, auditDays: 365, maxEventsPerError: 0, maxBytes: 3000 };
    const bound = new SizeBound(settings.maxBytes);
    for (let round = 0; round < 3; round += 1) {
      await run(store, settings, { bound });
      assert.equal(store.left(), 30);
    }
  });

  it('removes nothing of a store whose files do not shrink and did not grow', async () => {
    const store = fakeStore([3, 2, 1], 'never');
    await run(store, { retentionDays: 90, auditDays: 365, maxEventsPerError: 0, maxBytes: 100 });
    assert.equal(store.left(), 3);
  });

  it('leaves what only age removes to the runs for everything', async () => {
    const store = fakeStore([100, 1]);
    await run(store, { retentionDays: 90, auditDays: 365, maxEventsPerError: 7, maxBytes: 0 }, { everything: false });
    assert.equal(store.left(), 2);
    assert.deepEqual(
      store.calls.map(({ maxEventsPerError, payloadsOnly }) => [maxEventsPerError, payloadsOnly]),
      [[7, true]],
    );
  });

  it('ends early when it is stopped', async () => {
    const store = fakeStore([100, 99, 98, 97, 96, 1]);
    const settings = { retentionDays: 90, auditDays: 365, maxEventsPerError: 0, maxBytes: 1 };
    assert.deepEqual(await run(store, settings, { onSlice: ({ events }) => events === 0 }), {
      events: 2,
      keys: 2,
      tooLargeBy: 0,
    });
    assert.equal(store.left(), 4);
  });

  it('goes on to the oldest payloads behind events without any', async () => {
    const store = fakeStore([2, 1, 0.5]);
    const { prune } = store;
    let passed = 0;
    store.prune = async (limits) => {
      if (limits.receivedBefore === null || passed >= 3) return prune(limits);
      passed += 1;
      return { events: 0, bytes: 0, keys: 0, done: false };
    };
    const settings = { retentionDays: 90, auditDays: 365, maxEventsPerError: 0, maxBytes: 100 };
    assert.deepEqual(await run(store, settings, { everything: false }), { events: 2, keys: 2, tooLargeBy: 0 });
  });

  it('gives up at the last minute when the rest of the store is too large by itself, and says so', async () => {
    const store = fakeStore([2, 1, 0.0005]);
    const { tooLargeBy } = await run(store, { retentionDays: 90, auditDays: 365, maxEventsPerError: 0, maxBytes: 50 });
    assert.equal(store.left(), 1);
    assert.equal(tooLargeBy, 50);
  });

  /** Store whose slices take half a minute each, with so many slices to remove by the bound per error and by age. */
  function slowStore(left: { capped: number; expired: number }) {
    const turns: string[] = [];
    let now = NOW;
    const store = {
      prune: async ({ payloadsOnly }: PruneLimits): Promise<PruneProgress> => {
        const kind = payloadsOnly === true ? 'capped' : 'expired';
        turns.push(kind);
        now += 30_000;
        left[kind] -= 1;
        return { events: 1, bytes: 0, keys: 0, done: left[kind] <= 0 };
      },
      size: async () => null,
    };
    const settings = { retentionDays: 90, auditDays: 365, maxEventsPerError: 7 };
    const more = { bound: new SizeBound(0), clock: { now: () => now }, everything: true, onSlice: () => true };
    return { turns, removeAll: () => pruneStore({ store, settings, ...more }) };
  }

  it('applies the bounds every minute of a long removal by age', async () => {
    const { turns, removeAll } = slowStore({ capped: 1, expired: 6 });
    await removeAll();
    assert.equal(turns.join(' '), 'capped expired expired capped expired expired capped expired expired');
  });

  it('lets neither the bounds nor a removal by age hold up the other', async () => {
    const { turns, removeAll } = slowStore({ capped: 5, expired: 3 });
    await removeAll();
    assert.equal(turns.join(' '), 'capped expired capped expired capped expired capped capped');
  });
});
