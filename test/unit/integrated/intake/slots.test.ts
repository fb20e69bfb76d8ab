import assert from 'node:assert/strict';
import { Slots } from '../../../../src/integrated/intake/slots.ts';

describe('slots', () => {
  it('runs as many tasks at a time as it has slots, in order, failures included', async () => {
    const slots = new Slots(2);
    let running = 0;
    let most = 0;
    const order: number[] = [];
    const tasks = Array.from({ length: 8 }, (_, index) =>
      slots.run(async () => {
        running += 1;
        most = Math.max(most, running);
        order.push(index);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        if (index % 3 === 0) {
          throw new Error('task failed');
        }
        return index;
      }),
    );
    const results = await Promise.allSettled(tasks);
    assert.equal(most, 2);
    assert.deepEqual(order, [0, 1, 2, 3, 4, 5, 6, 7]);
    assert.equal(results.filter((result) => result.status === 'rejected').length, 3);
    assert.equal(await slots.run(async () => 'still works'), 'still works');
  });
});
