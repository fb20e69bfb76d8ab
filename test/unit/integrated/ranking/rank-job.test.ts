import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../../../src/domain/app-error.ts';
import { MAX_RANKED } from '../../../../src/domain/ports/stores/list-store.ts';
import { RankJob } from '../../../../src/integrated/ranking/rank-job.ts';
import { eventually } from '../../../support/service-process.ts';

function setUp(answers: readonly (number | Error)[], during: (run: number) => unknown = () => undefined) {
  const [left, times, warned]: [(number | Error)[], number[], string[]] = [[...answers], [], []];
  const job = new RankJob({
    store: {
      async rankErrors(now) {
        times.push(now);
        await during(times.length);
        const answer = left.shift() ?? 0;
        if (answer instanceof Error) throw answer;
        return answer;
      },
    },
    clock: { now: () => 42 },
    logger: { warn: (_fields: unknown, text?: string) => void warned.push(String(text)) },
  });
  return { job, times, warned };
}

describe('rank job', () => {
  it('goes on in one run while as many as possible were ranked', async () => {
    const { job, times } = setUp([MAX_RANKED, MAX_RANKED, MAX_RANKED - 1]);
    await job.run();
    assert.deepEqual(times, [42, 42, 42]);
  });

  it('ends a run although errors change faster than they are ranked', async () => {
    const { job, times } = setUp(Array.from({ length: 1000 }, () => MAX_RANKED));
    await job.run();
    assert.equal(times.length, 100);
  });

  it('logs an unavailable store once, and goes on', async () => {
    const down = new AppError('store_unavailable', 'the disk is full');
    const { job, warned } = setUp([down, down, 3, down]);
    for (let run = 0; run < 4; run += 1) await job.run();
    assert.equal(warned.length, 2);
  });

  it('runs early, once for all that asked for it', async () => {
    const { job, times } = setUp([]);
    for (let time = 0; time < 5; time += 1) job.soon();
    await eventually(
      async () => times.length,
      (runs) => runs === 1,
    );
    await delay(30);
    assert.equal(times.length, 1);
    await job.stop();
    job.soon();
    await delay(30);
    assert.equal(times.length, 1, 'not after its end');
  });

  it('runs early again for what came during a run, and rests before that 19 times as long as the run took', async () => {
    const begun: number[] = [];
    const { job, times } = setUp([], async (run) => {
      begun.push(performance.now());
      if (run > 1) return;
      job.soon();
      await delay(20);
    });
    await job.run();
    const end = performance.now();
    job.soon();
    await eventually(
      async () => times.length,
      (runs) => runs === 2,
    );
    assert.ok((begun[1] ?? 0) - end > 18 * 20, `${(begun[1] ?? 0) - end} ms`);
    await job.stop();
  });
});
