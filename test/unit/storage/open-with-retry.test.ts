import assert from 'node:assert/strict';
import { AppError } from '../../../src/domain/app-error.ts';
import { openWithRetry, type WaitableCode } from '../../../src/storage/open/open-with-retry.ts';

const AWAY = new AppError('store_unavailable', 'away');

/** Opens what `answers` says, one after the other; an error is thrown. */
function opening(answers: readonly (Error | string)[], waitsFor: readonly WaitableCode[] = ['store_unavailable']) {
  const left = [...answers];
  const pauses: number[] = [];
  const reasons: string[] = [];
  const ending = new AbortController();
  const result = openWithRetry({
    open: async () => {
      const answer = left.shift() ?? 'nothing left';
      if (typeof answer !== 'string') throw answer;
      return answer;
    },
    waitsFor,
    onAway: (error) => reasons.push(error.message),
    signal: ending.signal,
    random: () => 0.999_999,
    sleep: async (ms) => {
      pauses.push(Math.round(ms));
      if (pauses.length === 20) ending.abort();
    },
  });
  return { result, pauses, reasons };
}

describe('opening with patience', () => {
  it('tries until the store is there, with growing pauses up to 5 s', async () => {
    const { result, pauses, reasons } = opening([...Array.from({ length: 7 }, () => AWAY), 'open']);
    assert.equal(await result, 'open');
    assert.deepEqual(pauses, [250, 500, 1000, 2000, 4000, 5000, 5000]);
    assert.equal(reasons.length, 7);
  });

  it('gives up at once where waiting cures nothing', async () => {
    for (const error of [
      new AppError('store_too_new', 'x'),
      new AppError('invalid_configuration', 'x'),
      new Error('x'),
    ]) {
      const { result, pauses } = opening([AWAY, error, 'open']);
      await assert.rejects(result, error);
      assert.equal(pauses.length, 1);
    }
  });

  it('waits for a migration only where it was told to', async () => {
    const outdated = new AppError('store_outdated', 'run `errgate migrate`');
    const patient = opening([outdated, AWAY, 'open'], ['store_unavailable', 'store_outdated']);
    assert.equal(await patient.result, 'open');
    assert.deepEqual(patient.reasons, [outdated.message, AWAY.message]);
    await assert.rejects(opening([outdated, 'open']).result, outdated);
  });

  it('throws at once where it may not wait', async () => {
    const { result, reasons } = opening([AWAY, 'open'], []);
    await assert.rejects(result, AWAY);
    assert.deepEqual(reasons, []);
  });

  it('ends with its signal', async () => {
    const { result, pauses } = opening(Array.from({ length: 100 }, () => AWAY));
    assert.equal(await result, null);
    assert.equal(pauses.length, 20);
  });
});
