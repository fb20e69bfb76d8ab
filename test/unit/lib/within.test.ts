import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { within } from '../../../src/lib/within.ts';

const never = (): Promise<never> => new Promise(() => undefined);

describe('within', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('gives the result of work that ends in time, and leaves its signal alone', async () => {
    let given: AbortSignal | undefined;
    let lates = 0;
    const answer = await within(
      100,
      async (signal) => {
        given = signal;
        return 7;
      },
      () => (lates += 1),
    );
    assert.equal(answer, 7);
    mock.timers.tick(1000);
    assert.equal(given?.aborted, false);
    assert.equal(lates, 0);
  });

  it('passes on what work in time throws', async () => {
    const failing = within(
      100,
      () => Promise.reject(new Error('broken')),
      () => null,
    );
    await assert.rejects(failing, /broken/);
  });

  it('gives what stands for a late answer when the limit has passed, not before, and aborts the work', async () => {
    let given: AbortSignal | undefined;
    let answer: string | undefined;
    const asked = within(
      100,
      (signal) => {
        given = signal;
        return never();
      },
      () => 'late',
    ).then((value) => (answer = value));
    mock.timers.tick(99);
    await new Promise(setImmediate);
    assert.deepEqual([answer, given?.aborted], [undefined, false]);
    mock.timers.tick(1);
    await asked;
    assert.deepEqual([answer, given?.aborted], ['late', true]);
  });

  it('throws what `late` throws, and ignores an error of the work after that', async () => {
    let fail: (error: Error) => void = () => undefined;
    const asked = within(
      100,
      () => new Promise<void>((_, reject) => (fail = reject)),
      () => {
        throw new Error('too late');
      },
    );
    mock.timers.tick(100);
    await assert.rejects(asked, /too late/);
    fail(new Error('ignored'));
    await new Promise(setImmediate);
  });
});
