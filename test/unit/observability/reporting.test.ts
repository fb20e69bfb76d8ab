import assert from 'node:assert/strict';
import type { Logger } from '../../../src/observability/logger.ts';
import { type ErrorReport, reportingLogger, withoutReporting } from '../../../src/observability/reporting.ts';
import { SILENT_LOGGER } from '../../support/fake-logger.ts';

/** Counts the marks of a promise that Node.js follows for a storage; Node.js 24 and later need none. */
async function marks(): Promise<number> {
  // Node.js stops following promises in the next turn.
  await new Promise(setImmediate);
  return Object.getOwnPropertySymbols(Promise.resolve()).length;
}

describe('reporting of errors', () => {
  let reports: ErrorReport[];
  let logger: Logger;
  beforeEach(() => {
    reports = [];
    logger = reportingLogger(SILENT_LOGGER, (report) => reports.push(report));
  });

  // First, because the storage of another test could still be on.
  it('leaves later promises as they were', async () => {
    const before = await marks();
    logger.error('a report');
    assert.equal(await marks(), before);
    await withoutReporting(() => Promise.resolve());
    assert.equal(await marks(), before);
    const broken = new Error('broken');
    await assert.rejects(
      withoutReporting(() => Promise.reject(broken)),
      broken,
    );
    assert.throws(
      () =>
        withoutReporting(() => {
          throw broken;
        }),
      broken,
    );
    assert.equal(await marks(), before);
  });

  it('is off within work that brings a report, until it ends, and on beside it', async () => {
    let finish = (): void => undefined;
    const waiting = new Promise<void>((resolve) => (finish = resolve));
    const work = async (): Promise<void> => {
      logger.error('before');
      await waiting;
      logger.error('after');
    };
    const first = withoutReporting(work);
    const second = withoutReporting(async () => logger.error('short'));
    await second;
    logger.error('beside');
    finish();
    await first;
    logger.error('behind');
    assert.deepEqual(
      reports.map(({ message }) => message),
      ['beside', 'behind'],
    );
  });
});
