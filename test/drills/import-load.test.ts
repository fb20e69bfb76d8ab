import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type FakeSource, startFakeSource } from '../support/fake-source/fake-source.ts';
import { IMPORT_TOKEN, importInto } from '../support/import-world.ts';
import { describeInFullRun } from '../support/test-stores.ts';

/** Errors of the tracker. Full size by 10000 (`npm run test:full`). */
const ERRORS = Number(process.env['ERRGATE_TEST_IMPORT_ERRORS'] ?? 100);
/** Milliseconds in which the tracker answers. */
const DELAY_MS = 20;
/** Requests at one time. */
const CONCURRENCY = 5;
/** Maximum time as a multiple of what the requests alone take; measured at full size, on an idle machine. */
const MOST_TIME = ERRORS >= 10_000 ? 1.3 : Infinity;
/** Mean requests that the tracker has at a time, at least: one after the other it has 1. Holds on a busy machine. */
const LEAST_IN_FLIGHT = 1.5;
/** Requests per error: its hashes, and up to three lists of events. */
const MOST_REQUESTS = 4;
/** Requests of the whole import beside those of errors. */
const OTHER_REQUESTS = 40;
/** Milliseconds between two collections of garbage, which take a large part of the processor time. */
const COLLECT_EVERY_MS = 2000;
/** Bytes that an import may add. */
const MOST_MEMORY = 60 * 1024 * 1024;

/** Collects garbage, so that only what is held is measured. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

describeInFullRun('import of many errors', (kind, suite) => {
  suite.timeout(3_600_000);
  let source: FakeSource;

  before(async () => {
    source = await startFakeSource('sentry', { delayMs: DELAY_MS });
    source.world.addToken(IMPORT_TOKEN);
    source.world.addIssues(source.world.addProject('shop'), ERRORS);
  });

  after(() => source.close());

  it('takes little longer than its requests, and bounded memory', async () => {
    const opened = await kind.open();
    try {
      const collect = collector();
      collect();
      const before = process.memoryUsage().heapUsed;
      let most = before;
      const watch = setInterval(() => {
        collect();
        most = Math.max(most, process.memoryUsage().heapUsed);
      }, COLLECT_EVERY_MS);
      const begun = performance.now();
      const requests = source.requests.length;
      let inFlight = 0;
      source.before = () => (inFlight += source.inFlight);
      const summary = await importInto(opened.store, source);
      const ms = performance.now() - begun;
      clearInterval(watch);
      assert.deepEqual([summary.state, summary.imported], ['done', ERRORS]);
      const sent = source.requests.length - requests;
      const least = (sent * DELAY_MS) / CONCURRENCY;
      console.log(
        `      ${ERRORS} errors, ${sent} requests: ${Math.round(ms / 1000)} s, ` +
          `${(ms / least).toFixed(2)} times the requests alone, ${(inFlight / sent).toFixed(1)} at once, ${((most - before) / 1048576).toFixed(0)} MB more`,
      );
      assert.ok(sent <= MOST_REQUESTS * ERRORS + OTHER_REQUESTS, `${sent} requests`);
      assert.equal(source.mostInFlight, CONCURRENCY);
      const mean = inFlight / sent;
      assert.ok(mean >= LEAST_IN_FLIGHT, `${mean.toFixed(1)} requests at once`);
      assert.ok(ms <= MOST_TIME * least, `${Math.round(ms)} ms instead of ${MOST_TIME} times ${least}`);
      assert.ok(most - before <= MOST_MEMORY, `${most - before} bytes more`);
      source.assertClean();
    } finally {
      await opened.dispose();
    }
  });
});
