import assert from 'node:assert/strict';
import { AppError } from '../../../src/domain/app-error.ts';
import { type Job, Jobs } from '../../../src/observability/jobs.ts';
import { SILENT_LOGGER } from '../../support/fake-logger.ts';
import { eventually } from '../../support/service-process.ts';

const HOUR_MS = 3_600_000;

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

const reaches = (value: () => number, least: number) =>
  eventually(
    async () => value(),
    (now) => now >= least,
  );

describe('jobs of a table', () => {
  it('run again and again, one run at a time, until they are stopped', async () => {
    let [runs, now, most] = [0, 0, 0];
    const run = async () => {
      now += 1;
      most = Math.max(most, now);
      await new Promise(setImmediate);
      now -= 1;
      runs += 1;
    };
    const jobs = new Jobs([{ name: 'job', intervalMs: 1, atOnce: true, run }], SILENT_LOGGER);
    jobs.start();
    jobs.start();
    await reaches(() => runs, 3);
    await jobs.stop();
    assert.deepEqual([most, now], [1, 0]);
    const stopped = runs;
    jobs.start();
    jobs.soon('job');
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(runs, stopped);
  });

  it('report a failure once until a run succeeds, as a sentence', async () => {
    let away = true;
    let runs = 0;
    const warnings: unknown[] = [];
    const run = async () => {
      runs += 1;
      if (away) throw new AppError('store_unavailable', 'the store is away');
    };
    const logger = { warn: (...line: unknown[]) => warnings.push(line) };
    const jobs = new Jobs([{ name: 'job', intervalMs: 1, run, failure: 'it waits; this is retried' }], logger as never);
    jobs.start();
    await reaches(() => runs, 3);
    const line = [{ reason: 'the store is away' }, 'it waits; this is retried'];
    assert.deepEqual(warnings, [line]);
    away = false;
    await reaches(() => runs, runs + 2);
    away = true;
    await reaches(() => runs, runs + 2);
    assert.deepEqual(warnings, [line, line]);
    await jobs.stop();
  });

  it('with a lease run while this process has it, and give it back at the end', async () => {
    const calls: string[] = [];
    let held: 'taken' | 'not_held' = 'not_held';
    const lease = {
      async hold() {
        calls.push(held);
        return held;
      },
      async release() {
        calls.push('released');
      },
    };
    const run = async () => void calls.push('run');
    const jobs = new Jobs([{ name: 'job', intervalMs: 1, lease, run }], SILENT_LOGGER);
    jobs.start();
    await reaches(() => calls.length, 2);
    assert.deepEqual(new Set(calls), new Set(['not_held']));
    held = 'taken';
    await reaches(() => calls.filter((call) => call === 'run').length, 1);
    await jobs.stop();
    assert.equal(calls.at(-1), 'released');
  });

  it('give their lease back after a failed run, and report a failure again after another process had it', async () => {
    const calls: string[] = [];
    let held: 'taken' | 'not_held' = 'taken';
    let holds = 0;
    const lease = {
      async hold() {
        holds += 1;
        return held;
      },
      release: async () => void calls.push('released'),
    };
    const run = async () => {
      calls.push('run');
      throw new Error('no');
    };
    const warnings: unknown[] = [];
    const logger = { warn: (...line: unknown[]) => warnings.push(line) };
    const jobs = new Jobs([{ name: 'job', intervalMs: 1, lease, run, failure: 'it failed' }], logger as never);
    jobs.start();
    await reaches(() => calls.length, 4);
    assert.deepEqual(calls.slice(0, 4), ['run', 'released', 'run', 'released']);
    assert.equal(warnings.length, 1);
    held = 'not_held';
    await reaches(() => holds, holds + 3);
    held = 'taken';
    await reaches(() => warnings.length, 2);
    await jobs.stop();
  });

  it('run early when they are asked for, without the others', async () => {
    const runs: string[] = [];
    const job = (name: string): Job => ({ name, intervalMs: HOUR_MS, run: async () => void runs.push(name) });
    const jobs = new Jobs([job('one'), job('two')], SILENT_LOGGER);
    jobs.start();
    jobs.soon('two');
    await reaches(() => runs.length, 1);
    await jobs.stop();
    assert.deepEqual(runs, ['two']);
  });

  describe('that report their end', () => {
    /** Job that records its calls; `answer` is awaited before each run counts. */
    function reporting(answer: () => Promise<void> = () => Promise.resolve()) {
      const calls: string[] = [];
      const job: Job = {
        name: 'heartbeat',
        intervalMs: 1,
        atOnce: true,
        stopMs: 1000,
        async run() {
          await answer();
          calls.push('here');
        },
        async end() {
          calls.push('gone');
        },
      };
      return { calls, jobs: new Jobs([job], SILENT_LOGGER) };
    }

    it('do so once, after the last run', async () => {
      const { jobs, calls } = reporting();
      jobs.start();
      while (calls.length < 3) await turns();
      await jobs.stop();
      const before = calls.length;
      assert.equal(calls.indexOf('gone'), before - 1);
      await turns();
      assert.equal(calls.length, before, 'nothing after the end');
    });

    it('report nothing when they are stopped before their start', async () => {
      const { jobs, calls } = reporting();
      await jobs.stop();
      jobs.start();
      await turns();
      assert.deepEqual(calls, []);
    });

    it('wait for a run in progress', async () => {
      let heard: () => void = () => undefined;
      const { jobs, calls } = reporting(() => new Promise((resolve) => (heard = resolve)));
      jobs.start();
      const stopped = jobs.stop();
      await turns();
      assert.deepEqual(calls, []);
      heard();
      await stopped;
      assert.deepEqual(calls, ['here', 'gone']);
    });

    it('do not hold up a stop for longer than they may, and report their end after failures', async () => {
      const { jobs } = reporting(() => new Promise(() => undefined));
      jobs.start();
      const began = Date.now();
      await jobs.stop();
      assert.ok(Date.now() - began < 5000);
      const failing = reporting(() => Promise.reject(new Error('away')));
      failing.jobs.start();
      await turns();
      await failing.jobs.stop();
      assert.deepEqual(failing.calls, ['gone']);
    });
  });
});
