import assert from 'node:assert/strict';
import { AppError } from '../../../../src/domain/app-error.ts';
import { MAX_RANKED } from '../../../../src/domain/ports/list-store.ts';
import { createRankJob } from '../../../../src/integrated/ranking/rank-job.ts';

function setUp(answers: readonly (number | Error)[]) {
  const [left, times, warned]: [(number | Error)[], number[], string[]] = [[...answers], [], []];
  const job = createRankJob({
    store: {
      async rankErrors(now) {
        times.push(now);
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
});
