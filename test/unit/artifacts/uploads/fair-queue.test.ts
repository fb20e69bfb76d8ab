import assert from 'node:assert/strict';
import { fairQueue } from '../../../../src/artifacts/uploads/fair-queue.ts';

/** Work that waits: the name of what is done, its owner and its priority. */
type Given = readonly [name: string, owner: number, priority?: number];

describe('queue of owners that take turns', () => {
  /** Returns the order in which work is done that is given while the first of it is done. */
  async function orderOf(given: readonly Given[]): Promise<string> {
    const queue = fairQueue({ concurrency: 1 });
    const done: string[] = [];
    const work = given.map(([name, owner, priority = 0]) =>
      queue.add(() => Promise.resolve(done.push(name)), { owner, priority }),
    );
    await Promise.all(work);
    return done.join(' ');
  }

  it('lets no owner wait for all the work of another one', async () => {
    const many = ['a1', 'a2', 'a3', 'a4'].map((name): Given => [name, 1]);
    assert.equal(await orderOf([...many, ['b1', 2], ['b2', 2], ['c1', 3]]), 'a1 b1 c1 a2 b2 a3 a4');
  });

  it('remembers turns while nothing waits', async () => {
    const queue = fairQueue({ concurrency: 1 });
    const done: string[] = [];
    const add = (name: string, owner: number) => queue.add(() => Promise.resolve(done.push(name)), { owner });
    await add('a1', 1);
    await add('b1', 2);
    const rest = [add('b2', 2), add('b3', 2), add('a2', 1)];
    await Promise.all(rest);
    assert.equal(done.join(' '), 'a1 b1 b2 a2 b3');
  });

  it('does the work of a higher priority before, whoever owns it', async () => {
    const given: Given[] = [
      ['a1', 1],
      ['b1', 2],
      ['a2', 1, 1],
      ['a3', 1, 1],
      ['b2', 2, 1],
    ];
    assert.equal(await orderOf(given), 'a1 b2 a2 a3 b1');
  });

  it('tells how much of an owner waits, and changes the priority of some', async () => {
    const queue = fairQueue({ concurrency: 1, autoStart: false });
    const done: string[] = [];
    const work = ['a1', 'a2', 'b1'].map((id) =>
      queue.add(() => Promise.resolve(done.push(id)), { id, owner: id.startsWith('a') ? 1 : 2 }),
    );
    assert.deepEqual([queue.size, queue.sizeBy({ owner: 1 }), queue.sizeBy({ owner: 3 })], [3, 2, 0]);
    queue.setPriority('a2', 1);
    assert.throws(() => queue.setPriority('c1', 1), /"c1" waits/);
    queue.start();
    await Promise.all(work);
    assert.equal(done.join(' '), 'a2 b1 a1');
  });
});
