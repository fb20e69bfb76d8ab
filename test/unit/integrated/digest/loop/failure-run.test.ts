import assert from 'node:assert/strict';
import { AppError } from '../../../../../src/domain/app-error.ts';
import type { DigestLoopOptions } from '../../../../../src/integrated/digest/loop/digest-loop-options.ts';
import { FailureRun } from '../../../../../src/integrated/digest/loop/failure-run.ts';

describe('failures of the digest in a row', () => {
  let now: number;
  let lines: string[];
  let heldUp: (string | null)[];
  let failures: FailureRun;
  const damaged = new AppError('store_unavailable', 'the store file is damaged');

  beforeEach(() => {
    now = 0;
    lines = [];
    heldUp = [];
    const logger = {
      warn: (_fields: object, text: string) => void lines.push(text),
      info: (text: string) => void lines.push(text),
    };
    const options = {
      clock: { now: () => now },
      logger,
      onHeldUp: (reason: string | null) => void heldUp.push(reason),
    };
    failures = new FailureRun(options as unknown as DigestLoopOptions, () => 0);
  });

  it('are logged at first and then once a minute, however many there are', () => {
    for (now = 0; now < 180_000; now += 500) failures.add(damaged);
    assert.equal(lines.length, 3);
    assert.match(lines[0] ?? '', /^the digest is paused/);
  });

  it('are reported with their reason from the third failure until the next success', () => {
    for (let count = 0; count < 3; count += 1) failures.add(damaged);
    assert.deepEqual(heldUp, ['the store file is damaged']);
    failures.end();
    assert.deepEqual(heldUp, ['the store file is damaged', null]);
    assert.equal(lines.at(-1), 'the digest continues');
    assert.equal(failures.count, 0);
  });

  it('start over after a success: the next failure is logged at once', () => {
    failures.add(damaged);
    failures.end();
    failures.add(damaged);
    assert.equal(lines.filter((line) => line.startsWith('the digest is paused')).length, 2);
  });

  it('are only logged, not reported, when they are not errors of the store', () => {
    for (let count = 0; count < 3; count += 1) failures.add(new TypeError('secret of the program'));
    assert.deepEqual(heldUp, ['the digest failed unexpectedly; see the log']);
  });
});
