import assert from 'node:assert/strict';
import { ReadCache } from '../../../../../src/storage/mongo/engine/read-cache.ts';

describe('ReadCache', () => {
  let now: number;
  let asked: number;
  let recent: ReadCache;
  beforeEach(() => {
    now = 1_000_000;
    asked = 0;
    recent = new ReadCache({ now: () => now, maxAgeMs: 1000 });
  });
  const ask = (name = 'a') => recent.read(name, async () => (asked += 1));

  it('asks once for all who ask within the time, each name by itself', async () => {
    assert.deepEqual(await Promise.all([ask(), ask()]), [1, 1]);
    now += 999;
    assert.equal(await ask(), 1);
    assert.equal(await ask('b'), 2);
    now += 1;
    assert.equal(await ask(), 3);
  });

  it('asks again when the clock was set back', async () => {
    await ask();
    now -= 10_000;
    assert.equal(await ask(), 2);
  });

  it('keeps neither failures nor what is not there', async () => {
    await assert.rejects(
      recent.read('a', () => Promise.reject(new Error('away'))),
      /away/,
    );
    assert.equal(await recent.read('a', async () => null), null);
    assert.equal(await ask(), 1);
  });

  it('forgets everything after a write, also what was asked during it, and also when it failed', async () => {
    await ask();
    let written: () => void = () => undefined;
    const write = recent.after(new Promise<void>((resolve) => (written = resolve)));
    assert.equal(await ask('b'), 2);
    written();
    await write;
    assert.deepEqual([await ask(), await ask('b')], [3, 4]);
    await assert.rejects(recent.after(Promise.reject(new Error('refused'))), /refused/);
    assert.equal(await ask(), 5);
  });

  it('keeps nothing with an age of 0', async () => {
    recent = new ReadCache({ now: () => now, maxAgeMs: 0 });
    assert.deepEqual([await ask(), await ask()], [1, 2]);
  });

  it('keeps a bounded number', async () => {
    for (let index = 0; index <= 5000; index += 1) await ask(String(index));
    assert.equal(await ask('0'), 5002, 'it was forgotten');
  });
});
