import assert from 'node:assert/strict';
import { AppError } from '../../../../../src/domain/app-error.ts';
import type { OutcomeCount } from '../../../../../src/domain/ingest/digest.ts';
import { SpikeGuard, usualPerHour } from '../../../../../src/integrated/intake/limits/spike-guard.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 20, 12, 30);
const UNTIL = Math.floor(NOW / HOUR) * HOUR;
const SETTINGS = { enabled: true, factor: 10, minimumPerMinute: 5 };

const count = (hoursAgo: number, quantity: number, more: Partial<OutcomeCount> = {}): OutcomeCount => ({
  projectId: 42,
  keyId: 1,
  category: 'error',
  outcome: 'accepted',
  reason: '',
  at: UNTIL - hoursAgo * HOUR,
  quantity,
  ...more,
});
const week = (perHour: (hoursAgo: number) => number): OutcomeCount[] =>
  Array.from({ length: 168 }, (_, index) => count(index + 1, perHour(index + 1)));

describe('usual events in an hour', () => {
  it('are what nine of ten hours stay below', () => {
    assert.equal(
      usualPerHour(
        week((hour) => hour),
        UNTIL,
      ),
      152,
    );
    assert.equal(
      usualPerHour(
        week(() => 600),
        UNTIL,
      ),
      600,
    );
  });

  it('are not raised by a spike of some hours', () => {
    assert.equal(
      usualPerHour(
        week((hour) => (hour <= 10 ? 1_000_000 : 60)),
        UNTIL,
      ),
      60,
    );
  });

  it('know hours in which nothing came', () => {
    assert.equal(usualPerHour([count(168, 1), count(1, 900)], UNTIL), 0);
  });

  it('add up the keys of an hour, and leave out what was not kept or is no event', () => {
    const extra = week(() => 10).flatMap((one) => [
      one,
      { ...one, keyId: 2 },
      { ...one, outcome: 'rate_limited' as const, reason: 'spike_guard', quantity: 5000 },
      { ...one, category: 'session', quantity: 700 },
    ]);
    assert.equal(usualPerHour(extra, UNTIL), 20);
  });

  it('are unknown in the first day', () => {
    assert.equal(usualPerHour([], UNTIL), null);
    assert.equal(usualPerHour([count(23, 5)], UNTIL), null);
    assert.equal(usualPerHour([count(24, 5)], UNTIL), 0);
  });
});

describe('spike guard', () => {
  function setUp(counts: OutcomeCount[]) {
    const clock = { at: NOW, now: () => clock.at };
    const asked: [number, number, number][] = [];
    const warned: unknown[] = [];
    const store = {
      counts,
      error: null as Error | null,
      async listOutcomes(projectId: number, since: number, until: number): Promise<OutcomeCount[]> {
        asked.push([projectId, since, until]);
        if (store.error !== null) throw store.error;
        return store.counts;
      },
    };
    const guard = new SpikeGuard({
      store,
      clock,
      logger: { warn: (...parts: unknown[]) => void warned.push(parts) },
    });
    return { guard, clock, store, asked, warned };
  }

  it('accepts everything until it has learned, and then a multiple of the usual number', async () => {
    const { guard, asked } = setUp(week(() => 120));
    assert.equal(guard.allowance(42, SETTINGS), null);
    await guard.learn(42);
    assert.deepEqual(asked, [[42, UNTIL - 168 * HOUR, UNTIL]]);
    assert.deepEqual(guard.allowance(42, SETTINGS), { perMinute: 20, burst: 200 });
    assert.deepEqual(guard.allowance(42, { ...SETTINGS, factor: 2.6 }), { perMinute: 6, burst: 60 });
  });

  it('never goes below the configured minimum, and knows nothing of new projects', async () => {
    const quiet = setUp(week(() => 0));
    await quiet.guard.learn(42);
    assert.deepEqual(quiet.guard.allowance(42, SETTINGS), { perMinute: 5, burst: 50 });
    const fresh = setUp([count(2, 10_000)]);
    await fresh.guard.learn(42);
    assert.equal(fresh.guard.allowance(42, SETTINGS), null);
  });

  it('asks the store once in a quarter of an hour', async () => {
    const { guard, clock, asked } = setUp(week(() => 120));
    await guard.learn(42);
    for (let minute = 0; minute < 15; minute += 1) {
      guard.allowance(42, SETTINGS);
      clock.at += 60_000;
    }
    assert.equal(asked.length, 1);
    guard.allowance(42, SETTINGS);
    guard.allowance(42, SETTINGS);
    assert.equal(asked.length, 2);
    await guard.learn(42);
  });

  it('uses its last knowledge while the store is unavailable, and asks again a minute later', async () => {
    const { guard, clock, store, asked, warned } = setUp(week(() => 120));
    await guard.learn(42);
    store.error = new AppError('store_unavailable', 'the store is away');
    clock.at += 15 * 60_000;
    await guard.learn(42);
    assert.deepEqual(guard.allowance(42, SETTINGS), { perMinute: 20, burst: 200 });
    assert.deepEqual(
      warned.map((line) => (line as unknown[])[0]),
      [{ reason: 'the store is away', projectId: 42 }],
      'a sentence, no stack',
    );
    assert.equal(asked.length, 2);
    clock.at += 60_000;
    guard.allowance(42, SETTINGS);
    assert.equal(asked.length, 3);
    await guard.learn(42);
    await guard.learn(43);
    assert.equal(warned.length, 1, 'said once, not for every project');
  });
});
