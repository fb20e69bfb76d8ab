import assert from 'node:assert/strict';
import { createFactSearch } from '../../../src/alerts/facts/find-facts.ts';
import type { AlertFact } from '../../../src/domain/alerts/alert-fact.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import type { ErrorQuery } from '../../../src/domain/search/error-query.ts';
import { type FakeSource, startFakeSource } from '../../support/fake-source/fake-source.ts';
import type { SdkBody } from '../../support/fake-source/source-records.ts';
import { IMPORT_TOKEN, importInto, liveEvent } from '../../support/import-world.ts';
import { DAY, HOUR } from '../../support/store-data.ts';
import { describeOnStores, type OpenedStore } from '../../support/test-stores.ts';

/** Events of an hour that are a spike of an error that seldom happened. */
const MANY = 120;
const BODY: SdkBody = {
  platform: 'python',
  level: 'error',
  exception: {
    values: [
      {
        type: 'ValueError',
        value: 'no price',
        stacktrace: { frames: [{ module: 'app.cart', function: 'total', filename: 'cart.py', in_app: true }] },
      },
    ],
  },
};

const LIST: ErrorQuery = {
  ...{ status: 'all', search: null, sort: 'first_seen', environment: null, release: null, level: null },
  ...{ limit: 10, cursor: null },
};

describeOnStores('spikes of imported errors', (kind, suite) => {
  suite.timeout(120_000);
  let source: FakeSource;
  let opened: OpenedStore;
  /** Time of the import and of what follows, in the middle of an hour. */
  const imported = Math.floor(Date.now() / HOUR) * HOUR + HOUR / 2;
  let now: number;
  let serial: number;

  beforeEach(async () => {
    now = imported;
    serial = 0;
    source = await startFakeSource('sentry');
    opened = await kind.open({ now: () => now });
    const { world } = source;
    world.addToken(IMPORT_TOKEN);
    const shop = world.addProject('shop', { id: '7' });
    const at = imported - 60 * DAY;
    world.addIssue(shop, {
      ...{ firstSeen: at, lastSeen: imported - DAY, count: 5000, userCount: 3 },
      bodies: [{ body: { ...BODY, event_id: 'a1'.repeat(16) }, at }],
    });
  });
  afterEach(async () => {
    await source.close();
    await opened.dispose();
  });

  const importAll = async (): Promise<Project> => {
    const summary = await importInto(opened.store, source, { deps: { clock: { now: () => now } } });
    assert.equal(summary.state, 'done', JSON.stringify(summary));
    const [project] = await opened.store.listProjects();
    return project ?? assert.fail('nothing was imported');
  };

  /** Events of one hour, then the job of that hour. */
  async function burst(project: Project): Promise<AlertFact[]> {
    for (let index = 0; index < MANY; index += 1) {
      serial += 1;
      await liveEvent(opened.store, project, BODY, serial.toString(16).padStart(32, '0'), now);
    }
    const { store } = opened;
    await createFactSearch(store)(now);
    return (await store.listFacts(0, 1000)).filter(({ cause }) => cause.spike !== undefined);
  }

  it('raise no alert in the seven days after the import, and one after them', async () => {
    const project = await importAll();
    const [error] = (await opened.store.listErrors(project.id, LIST, now)).items;
    for (const days of [0, 1, 6]) {
      now = imported + days * DAY + HOUR;
      assert.deepEqual(await burst(project), [], `day ${days}`);
    }
    // Bringing it up to date again is no new import.
    now = imported + 6.5 * DAY;
    await importAll();
    now = imported + 14 * DAY;
    const [spike, ...more] = await burst(project);
    assert.deepEqual([spike?.errorId, spike?.cause.spike?.events, more], [error?.id, MANY, []]);
    const all = await opened.store.listFacts(0, 1000);
    assert.deepEqual(
      all.map(({ kind: what }) => what).filter((what) => what !== 'escalated'),
      [],
      'nor another fact',
    );
    const after = await opened.store.errorById(project.id, error?.id ?? '', now);
    assert.equal(after?.count, 5000 + 4 * MANY, 'the events were those of the imported error');
  });
});
