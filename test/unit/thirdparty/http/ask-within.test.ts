import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { getEventListeners } from 'node:events';
import { AppError } from '../../../../src/domain/app-error.ts';
import { askWithin } from '../../../../src/thirdparty/http/ask-within.ts';

/** Milliseconds that no request of these tests takes. */
const LONG_MS = 60_000;

describe('a request within a limit', () => {
  it('ends with the caller and with the limit', async () => {
    const caller = new AbortController();
    const untilAborted = (signal: AbortSignal): Promise<never> =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    const gone = askWithin('t.example', LONG_MS, caller.signal, untilAborted);
    caller.abort();
    await assert.rejects(gone, (error) => error instanceof AppError && error.details?.reason === 'aborted');
    const alive = new AbortController().signal;
    await assert.rejects(
      askWithin('t.example', 1, alive, untilAborted),
      (error) => error instanceof AppError && error.details?.reason === 'timeout',
    );
    let isAborted = false;
    await askWithin('t.example', LONG_MS, caller.signal, (signal) => {
      isAborted = signal.aborted;
      return Promise.reject(new Error('aborted'));
    }).catch(() => undefined);
    assert.ok(isAborted);
  });

  it('leaves nothing behind at a caller that lives on', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const caller = new AbortController();
    const signals: WeakRef<AbortSignal>[] = [];
    for (let request = 0; request < 100; request += 1) {
      await askWithin('t.example', LONG_MS, caller.signal, (signal) => {
        signals.push(new WeakRef(signal));
        // As clients do, which do not take it back.
        signal.addEventListener('abort', () => undefined, { once: true });
        return Promise.resolve();
      });
    }
    assert.equal(getEventListeners(caller.signal, 'abort').length, 0);
    await turn();
    collect();
    await turn();
    const kept = signals.filter((one) => one.deref() !== undefined).length;
    assert.ok(kept <= 2, `${kept} of 100 are kept`);
  });
});
