import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { Periodic } from '../../../src/lib/periodic.ts';

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
