import assert from 'node:assert/strict';
import { MAX_RANKED } from '../../../../src/domain/ports/stores/list-store.ts';
import { rankChanged } from '../../../../src/integrated/ranking/rank-changed.ts';

/** Runs once on a store with these answers; returns the times of its calls. */
async function ranked(answers: readonly number[]): Promise<number[]> {
  const left = [...answers];
  const times: number[] = [];
  const rankErrors = async (now: number) => {
    times.push(now);
    return left.shift() ?? 0;
  };
  await rankChanged({ rankErrors }, () => 42);
  return times;
}

describe('the order of changed errors', () => {
  it('is written in one run while as many as possible were ranked', async () => {
    assert.deepEqual(await ranked([MAX_RANKED, MAX_RANKED, MAX_RANKED - 1]), [42, 42, 42]);
  });

  it('is left to the next run when errors change faster than they are ranked', async () => {
    assert.equal((await ranked(Array.from({ length: 1000 }, () => MAX_RANKED))).length, 100);
  });
});
