import assert from 'node:assert/strict';
import { Closers } from '../../../src/lib/closers.ts';

describe('Closers', () => {
  it('release the last thing first, each after the one before', async () => {
    const log: string[] = [];
    const closers = new Closers();
    closers.add(() => void log.push('first'));
    closers.add(async () => {
      log.push('second begins');
      await new Promise(setImmediate);
      log.push('second ends');
    });
    await closers.close();
    assert.deepEqual(log, ['second begins', 'second ends', 'first']);
  });

  it('release the rest when one throws, and throw its error in the end', async () => {
    const log: string[] = [];
    const closers = new Closers();
    closers.add(() => void log.push('first'));
    closers.add(() => Promise.reject(new Error('of the second')));
    closers.add(() => {
      throw new Error('of the third');
    });
    await assert.rejects(closers.close(), /of the third/);
    assert.deepEqual(log, ['first']);
  });

  it('release everything once, however often they are asked to', async () => {
    let closed = 0;
    const closers = new Closers();
    closers.add(async () => void (closed += 1));
    await Promise.all([closers.close(), closers.close()]);
    await closers.close();
    assert.equal(closed, 1);
  });
});
