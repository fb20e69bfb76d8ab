import assert from 'node:assert/strict';
import { lazily, tryLazyAgain } from '../../../ui/src/lib/lazily.ts';

describe('code that a page can do without', () => {
  it('is asked for once', async () => {
    let asked = 0;
    const load = lazily(() => Promise.resolve((asked += 1)));
    assert.deepEqual([await load(), await load(), asked], [1, 1, 1]);
    tryLazyAgain();
    assert.deepEqual([await load(), asked], [1, 1]);
  });

  it('that failed to load is not requested again by every caller, only when a retry is due', async () => {
    let asked = 0;
    let there = false;
    const load = lazily(() => {
      asked += 1;
      return there ? Promise.resolve('code') : Promise.reject(new Error('gone'));
    });
    assert.deepEqual(await Promise.all([load(), load()]), [null, null]);
    assert.deepEqual([await load(), asked], [null, 1]);
    tryLazyAgain();
    assert.deepEqual([await load(), await load(), asked], [null, null, 2]);
    there = true;
    tryLazyAgain();
    assert.deepEqual([await load(), await load(), asked], ['code', 'code', 3]);
  });

  it('that fails after a retry became due is requested again, for all waiting callers', async () => {
    const fails: ((reason: Error) => void)[] = [];
    const load = lazily(() =>
      fails.length === 0 ? new Promise<string>((_resolve, reject) => fails.push(reject)) : Promise.resolve('code'),
    );
    const [first, early] = [load(), load()];
    tryLazyAgain();
    const late = load();
    fails[0]?.(new Error('the connection dropped'));
    assert.deepEqual(await Promise.all([first, early, late]), ['code', 'code', 'code']);
  });
});
