import assert from 'node:assert/strict';
import { MAX_BLOCK_BODIES, MIN_BLOCK_BODIES } from '../../../src/lib/bodies/body-block.ts';
import { WaitingBodies } from '../../../src/storage/events/waiting-bodies.ts';
import { DAY, NOON } from '../../support/store-data.ts';

describe('WaitingBodies', () => {
  const upTo = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);
  /** Takes all windows that are ready. */
  function take(waiting: WaitingBodies<number>) {
    const windows = [];
    for (let window = waiting.next(); window !== null; window = waiting.next()) windows.push(window);
    return windows.map(({ projectId, ids }) => [projectId, ids]);
  }

  it('gives a whole block at once, and at the end what is enough for one', () => {
    const waiting = new WaitingBodies<number>();
    for (const id of upTo(MAX_BLOCK_BODIES + MIN_BLOCK_BODIES)) waiting.add(1, NOON, id);
    for (const id of upTo(MIN_BLOCK_BODIES - 1, 200)) waiting.add(2, NOON, id);
    assert.equal(waiting.isReady, true);
    assert.deepEqual(take(waiting), [[1, upTo(MAX_BLOCK_BODIES)]]);
    assert.equal(waiting.isReady, false);
    waiting.finish(NOON);
    assert.deepEqual(take(waiting), [[1, upTo(MIN_BLOCK_BODIES, MAX_BLOCK_BODIES)]]);
    assert.equal(waiting.size, MIN_BLOCK_BODIES - 1);
    waiting.add(2, NOON + 1, 300);
    waiting.finish(NOON);
    assert.deepEqual(take(waiting), [[2, [...upTo(MIN_BLOCK_BODIES - 1, 200), 300]]]);
  });

  it('keeps days apart, and gives up those that are over', () => {
    const waiting = new WaitingBodies<number>();
    for (const id of upTo(10)) waiting.add(1, NOON + (id % 2) * DAY, id);
    waiting.finish(NOON);
    assert.deepEqual(take(waiting), []);
    waiting.finish(NOON + DAY);
    assert.deepEqual(take(waiting), [[1, [0, 2, 4, 6, 8]]]);
    assert.equal(waiting.size, 5);
  });

  it('keeps no more than its bound, and gives up the windows met first', () => {
    const waiting = new WaitingBodies<number>(100);
    for (const id of upTo(1000)) {
      waiting.add(id, NOON, id);
      assert.ok(waiting.size <= 100);
    }
    assert.deepEqual(
      take(waiting)
        .map(([projectId]) => projectId as number)
        .sort((a, b) => a - b),
      upTo(900),
    );
    assert.equal(waiting.size, 100);
  });
});
