import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Periodic } from '../../../src/lib/periodic.ts';
import { eventually } from '../../support/service-process.ts';

/** Lets everything happen that waits for no timer. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A job whose runs end when the test says so. */
function heldJob(intervalMs = 1000) {
  const ends: (() => void)[] = [];
  const job = new Periodic({ intervalMs, run: () => new Promise<void>((resolve) => ends.push(resolve)) });
  return { job, begun: () => ends.length, end: () => ends.at(-1)?.() };
}

describe('Periodic', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('runs after one interval, and one interval after the end of each run, never two at a time', async () => {
    const { job, begun, end } = heldJob();
    job.start();
    job.start();
    mock.timers.tick(999);
    assert.equal(begun(), 0);
    mock.timers.tick(1);
    assert.equal(begun(), 1);
    mock.timers.tick(10_000);
    await settle();
    assert.equal(begun(), 1, 'the first one still runs');
    end();
    await settle();
    mock.timers.tick(999);
    assert.equal(begun(), 1);
    mock.timers.tick(1);
    assert.equal(begun(), 2);
  });

  it('joins a run that is asked for to the one in hand', async () => {
    const { job, begun, end } = heldJob();
    const both = Promise.all([job.run(), job.run()]);
    assert.equal(begun(), 1);
    end();
    await both;
    void job.run();
    assert.equal(begun(), 2);
  });

  it('stops after the run in hand, and stays stopped', async () => {
    const { job, begun, end } = heldJob();
    job.start();
    mock.timers.tick(1000);
    let stopped = false;
    const stopping = job.stop().then(() => (stopped = true));
    await settle();
    assert.equal(stopped, false);
    end();
    await stopping;
    await settle();
    job.start();
    mock.timers.tick(10_000);
    assert.equal(begun(), 1);
  });

  it('hands errors to the handler, and goes on', async () => {
    const errors: unknown[] = [];
    const job = new Periodic({
      intervalMs: 1000,
      run: () => {
        throw new Error(`run ${errors.length}`);
      },
      onError: (error) => errors.push(error),
    });
    job.start();
    for (let turn = 0; turn < 2; turn += 1) {
      mock.timers.tick(1000);
      await settle();
    }
    assert.deepEqual(errors.map(String), ['Error: run 0', 'Error: run 1']);
    await job.stop();
  });
});

describe('Periodic, asked for an early run', () => {
  const INTERVAL_MS = 3_600_000;
  const reaches = (begun: readonly unknown[], runs: number) =>
    eventually(
      async () => begun.length,
      (count) => count === runs,
    );

  it('runs once for all calls before the run, and not after its end', async () => {
    const begun: number[] = [];
    const job = new Periodic({ intervalMs: INTERVAL_MS, run: () => void begun.push(1) });
    job.start();
    for (let call = 0; call < 5; call += 1) job.soon();
    await reaches(begun, 1);
    await delay(30);
    assert.equal(begun.length, 1);
    await job.stop();
    job.soon();
    await delay(30);
    assert.equal(begun.length, 1);
  });

  it('runs again for calls during a run, after a rest in proportion to the time that the run took', async () => {
    const begun: number[] = [];
    const job = new Periodic({
      intervalMs: INTERVAL_MS,
      rest: 19,
      async run() {
        begun.push(performance.now());
        if (begun.length > 1) return;
        job.soon();
        await delay(20);
      },
    });
    await job.run();
    const end = performance.now();
    job.soon();
    await reaches(begun, 2);
    assert.ok((begun[1] ?? 0) - end > 18 * 20, `${(begun[1] ?? 0) - end} ms`);
    await job.stop();
  });

  it('does not delay the next run beyond its interval, however long the rest is', async () => {
    const begun: number[] = [];
    const job = new Periodic({
      intervalMs: 50,
      rest: 1_000_000,
      async run() {
        begun.push(1);
        await delay(20);
        if (begun.length === 1) job.soon();
      },
    });
    job.start();
    await reaches(begun, 2);
    await job.stop();
  });

  it('tells the run in hand that it is stopped', async () => {
    let signal: AbortSignal | null = null;
    let end: () => void = () => undefined;
    const job = new Periodic({
      intervalMs: INTERVAL_MS,
      run: (given) => {
        signal = given;
        return new Promise<void>((resolve) => (end = resolve));
      },
    });
    void job.run();
    const stopped = job.stop();
    assert.equal((signal as AbortSignal | null)?.aborted, true);
    end();
    await stopped;
  });
});
