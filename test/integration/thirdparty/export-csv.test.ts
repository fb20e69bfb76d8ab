import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenMember, givenProject, type Person } from '../../support/factories.ts';
import { startFakeTracker, type FakeTracker } from '../../support/fake-tracker/fake-tracker.ts';
import { faults } from '../../support/fake-tracker/faults.ts';
import { TRACKER_TOKEN } from '../../support/fake-tracker/linked-world.ts';
import { SQLITE } from '../../support/test-stores.ts';

describe('errors of a tracker as CSV', () => {
  let app: RunningApp;
  let tracker: FakeTracker;
  let project: Project;
  let person: Person;

  beforeEach(async () => {
    app = await startApp(SQLITE);
    tracker = await startFakeTracker('Sentry 21.4');
    const shop = tracker.world.addProject('acme', 'shop', '11');
    tracker.world.addToken(TRACKER_TOKEN);
    for (let index = 0; index < 230; index += 1) {
      tracker.world.addIssue(shop, {
        title: index === 7 ? '=1+1' : `TypeError: number ${index}`,
        level: index % 2 === 0 ? 'warning' : 'error',
        events: [{ at: Date.now() - 60_000 * (index + 1) }],
      });
    }
    project = await givenProject(app.store);
    person = await givenMember(app.store, project, 'reporter');
    await app.store.saveSettings(project.id, {
      active: true,
      integrated: false,
      apiUrl: `${tracker.origin}/api/0/projects/acme/shop/`,
      thirdpartyProjectId: '11',
      sealedToken: app.trackers.cipher.encrypt(TRACKER_TOKEN, project.id),
    });
  });
  afterEach(async () => {
    await app.close();
    await tracker.close();
  });

  const get = (query = '') => app.get(`/api/v4/projects/${project.id}/error_tracking/export.csv${query}`, person.token);
  const records = (text: string) => text.split('\r\n').slice(1, -1);

  it('has all pages of the list, each error once, with the filters that the tracker has', async () => {
    const answer = await get();
    assert.equal(answer.status, 200, answer.text);
    const all = records(answer.text);
    assert.equal(new Set(all.map((record) => record.split(',')[0])).size, 230);
    assert.equal(all.length, 230);
    assert.equal(all.filter((record) => record.includes("'=1+1")).length, 1);
    assert.equal(records((await get('?level=warning')).text).length, 115);
  });

  it('says at its end when the list is longer than 10,000 errors', async () => {
    const { backendFor } = app.deps;
    let asked = 0;
    app.deps.backendFor = (...args) => {
      const real = backendFor(...args);
      return {
        ...real,
        capabilities: real.capabilities.bind(real),
        list: async (of, query, signal) => {
          asked += 1;
          return { ...(await real.list(of, { ...query, cursor: null }, signal)), next: `page ${asked}` };
        },
      };
    };
    const all = records((await get()).text);
    assert.equal(asked, 100);
    // The tracker repeats itself here; errors are listed once.
    assert.equal(all.length, 101);
    assert.match(all.at(-1) ?? '', /^,,The list is longer: it was cut off after 100 errors of the tracker\. Narrow/);
  });

  it('is refused as the list is while the tracker is down', async () => {
    tracker.fail(faults.status(503));
    const answer = await get();
    assert.equal(answer.status, 502);
    assert.match(answer.json().code, /^tracker_/);
  });
});
