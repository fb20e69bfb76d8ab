import assert from 'node:assert/strict';
import type { Store } from '../../../src/domain/ports/stores/store.ts';
import type { ImportSummary } from '../../../src/import/import-run.ts';
import type { ReadTrouble } from '../../../src/import/readers/access/patient-asker.ts';
import { type FakeSource, startFakeSource } from '../../support/fake-source/fake-source.ts';
import { type Fault, faults } from '../../support/fake-tracker/faults.ts';
import { IMPORT_TOKEN, importInto } from '../../support/import-world.ts';
import { listAll } from '../../support/store-data.ts';
import { describeOnStores, type OpenedStore } from '../../support/test-stores.ts';

const ERRORS = 6;
/** Milliseconds: a 400th of those of an import, so that 50 ms stand for an answer after 20 s. */
const LIMITS = { responseTimeoutMs: 300, totalTimeoutMs: 750 };
const SLOW_MS = 50;
/** Requests for events, in the middle of an import. */
const EVENTS = /\/events\//;

describeOnStores('import from a slow tracker', (kind, suite) => {
  suite.timeout(60_000);
  let source: FakeSource;
  let opened: OpenedStore;
  let store: Store;
  let troubles: ReadTrouble[];

  beforeEach(async () => {
    source = await startFakeSource('sentry');
    source.world.addToken(IMPORT_TOKEN);
    source.world.addIssues(source.world.addProject('shop', { id: '1' }), ERRORS);
    opened = await kind.open();
    ({ store } = opened);
    troubles = [];
  });
  afterEach(async () => {
    source.heal();
    await opened.dispose();
    await source.close();
  });

  function run(): Promise<ImportSummary> {
    let ahead = 0;
    return importInto(store, source, {
      reader: {
        limits: LIMITS,
        clock: { now: () => Date.now() + ahead },
        // Each wait is a minute of the four for which a request is repeated.
        sleep: async () => {
          ahead += 60_000;
        },
        onTrouble: (trouble) => {
          if (trouble !== null) troubles.push(trouble);
        },
      },
    });
  }

  async function errors(): Promise<number> {
    const found = await store.projectByPath('acme/shop');
    return found === null ? 0 : (await listAll(store, found.project)).length;
  }

  it('takes everything where each answer comes after 20 s', async () => {
    source.fail(faults.late(SLOW_MS));
    const summary = await run();
    assert.deepEqual([summary.state, summary.complete, summary.left_out], ['done', true, 0], summary.message);
    assert.deepEqual([await errors(), troubles], [ERRORS, []]);
  });

  const stuck: readonly (readonly [name: string, fault: Fault])[] = [
    ['sends a byte of its answer a second', faults.dripBody()],
    ['sends a byte of its head a second', faults.dripHead()],
    ['never answers', faults.hang()],
  ];
  for (const [name, fault] of stuck) {
    it(`ends and says why where the tracker ${name}, and goes on later`, async () => {
      source.fail(fault, EVENTS);
      const ended = await run();
      assert.deepEqual([ended.state, ended.complete], ['failed', false]);
      assert.match(
        ended.message,
        /127\.0\.0\.1:\d+ .*(did not answer|took too long|in time).*; run it again to go on$/,
      );
      assert.ok(troubles.length > 0 && troubles.every(({ kind: what }) => what === 'away'));
      assert.equal(await errors(), ERRORS);
      source.heal();
      const later = await run();
      assert.deepEqual([later.state, later.complete, await errors()], ['done', true, ERRORS], later.message);
    });
  }
});
