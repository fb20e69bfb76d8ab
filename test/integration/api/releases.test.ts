import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/project.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { describeOnStores } from '../../support/test-stores.ts';
import { givenEvents, givenMember, givenTrackedProject, type Person } from '../../support/factories.ts';

describeOnStores('releases over REST', (kind) => {
  let app: RunningApp;
  let project: Project;
  let reporter: Person;
  let base: string;

  before(async () => {
    app = await startApp(kind);
  });
  after(() => app.close());
  beforeEach(async () => {
    project = await givenTrackedProject(app.store);
    reporter = await givenMember(app.store, project, 'reporter');
    base = `/api/v4/projects/${project.id}/error_tracking/releases`;
  });

  const get = (query: string, reader = reporter) => app.get(base + query, reader.token);

  it('are listed newest first and paged; without sessions there are no rates', async () => {
    const now = app.clock.at;
    await givenEvents(app.store, project, [
      { at: now - 2000, event: { release: 'a@1' } },
      { at: now - 1000, event: { release: 'a@2', environment: 'test' } },
    ]);
    const first = await get('?per_page=1');
    assert.deepEqual(first.json(), [
      {
        project_id: project.id,
        release: 'a@2',
        environment: null,
        first_seen: new Date(now - 1000).toISOString(),
        last_seen: new Date(now - 1000).toISOString(),
        events: 1,
        new_errors: 0,
        sessions: { total: 0, healthy: 0, errored: 0, unhandled: 0, abnormal: 0, crashed: 0 },
        users: { total: 0, crashed: 0 },
        crash_free_sessions: null,
        crash_free_users: null,
        sessions_24h: 0,
        adoption_24h: null,
      },
    ]);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('Link') ?? '')?.[1] ?? '';
    const second = await app.get(next.slice('https://errors.example.test'.length), reporter.token);
    assert.deepEqual([second.json()[0].release, second.json()[0].new_errors, second.json().length], ['a@1', 1, 1]);
    assert.match(second.headers.get('Link') ?? '', /rel="prev"/);
    const [test, ...others] = (await get('?environment=test')).json();
    assert.deepEqual([test.release, test.environment, others], ['a@2', 'test', []]);
  });

  it('refuse cursors of other queries, and guests', async () => {
    assert.equal((await get('?cursor=zzz')).status, 400);
    assert.equal((await get('?per_page=none')).status, 400);
    assert.equal((await get('', await givenMember(app.store, project, 'guest'))).status, 403);
  });

  it('are filters, as environments are; guests do not see them', async () => {
    await givenEvents(app.store, project, [
      { at: app.clock.at - 2000, event: { release: 'a@1', environment: 'test' } },
      { at: app.clock.at - 1000, event: { release: 'a@2' } },
    ]);
    const names = `/api/v4/projects/${project.id}/error_tracking/filter_values`;
    assert.deepEqual((await app.get(names, reporter.token)).json(), {
      environments: ['production', 'test'],
      releases: ['a@2', 'a@1'],
    });
    assert.equal((await app.get(names, (await givenMember(app.store, project, 'guest')).token)).status, 403);
    assert.equal((await app.get(names)).status, 401);
  });

  it('are unavailable for an external tracker, as its capabilities say', async () => {
    await app.store.saveSettings(project.id, {
      active: true,
      integrated: false,
      apiUrl: 'https://tracker.example/api/0/projects/org/app/',
      sealedToken: 'x',
    });
    for (const path of [base, base.replace('releases', 'filter_values')]) {
      const answer = await app.get(path, reporter.token);
      assert.deepEqual([answer.status, answer.json().code], [400, 'unsupported_by_tracker']);
    }
  });
});
