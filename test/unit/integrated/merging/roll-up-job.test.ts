import assert from 'node:assert/strict';
import { AppError } from '../../../../src/domain/app-error.ts';
import { createRollUpJob } from '../../../../src/integrated/merging/roll-up-job.ts';
import { eventually } from '../../../support/service-process.ts';

describe('RollUpJob', () => {
  it('runs again and again, one run at a time, until it is stopped', async () => {
    let [runs, now, most] = [0, 0, 0];
    const rollUpMerged = async () => {
      now += 1;
      most = Math.max(most, now);
      await new Promise(setImmediate);
      now -= 1;
      runs += 1;
      return 0;
    };
    const job = createRollUpJob({ store: { rollUpMerged }, logger: { warn: () => undefined }, intervalMs: 1 });
    job.start();
    job.start();
    await Promise.all([job.run(), job.run()]);
    await eventually(
      async () => runs,
      (count) => count >= 3,
    );
    await job.stop();
    assert.deepEqual([most, now], [1, 0]);
    const stopped = runs;
    job.start();
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(runs, stopped);
  });

  it('says once that the store is away, and goes on', async () => {
    let away = true;
    const warnings: unknown[] = [];
    const rollUpMerged = async () => {
      if (away) throw new AppError('store_unavailable', 'the store is away');
      return 0;
    };
    const logger = { warn: (fields: unknown) => warnings.push(fields) } as never;
    const job = createRollUpJob({ store: { rollUpMerged }, logger });
    await job.run();
    await job.run();
    assert.deepEqual(warnings, [{ reason: 'the store is away' }], 'a sentence, no stack');
    away = false;
    await job.run();
    away = true;
    await job.run();
    assert.equal(warnings.length, 2);
  });
});
