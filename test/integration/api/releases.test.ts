import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
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
    assert.deepEqual((await app.get(`${names}?environment=test`, reporter.token)).json().releases, ['a@1']);
    assert.deepEqual((await app.get(`${names}?environment=none`, reporter.token)).json().releases, []);
    assert.equal((await app.get(names, (await givenMember(app.store, project, 'guest')).token)).status, 403);
    assert.equal((await app.get(names)).status, 401);
  });

  it('are sorted by version', async () => {
    const now = app.clock.at;
    await givenEvents(
      app.store,
      project,
      ['a@1.9.0', 'a@1.10.0', 'a@1.2.0'].map((release, index) => ({ at: now - index, event: { release } })),
    );
    const names = (await get('?sort=version')).json().map(({ release }: { release: string }) => release);
    assert.deepEqual(names, ['a@1.10.0', 'a@1.9.0', 'a@1.2.0']);
    assert.equal((await get('?sort=size')).status, 400);
  });

  const titles = (group: { readonly errors: readonly { readonly title: string }[] }) =>
    group.errors.map(({ title }) => title);

  /** Two releases: one error stays, one goes, one is new, one comes back, one is resolved in the second. */
  async function givenTwo(): Promise<void> {
    const now = app.clock.at;
    const inFirst = { at: now - 3_600_000, event: { release: 'web/a@1.0.0' } };
    await givenEvents(app.store, project, [
      ...['stays', 'goes', 'back', 'fixed'].map((group) => ({ ...inFirst, group, title: group })),
      { ...inFirst, group: 'goes', title: 'goes' },
    ]);
    for (const { id, title } of (await app.get(base.replace('releases', 'errors'), reporter.token)).json()) {
      if (title === 'back') await app.store.setErrorStatus(project.id, id, 'resolved', now - 1_000_000);
      if (title === 'fixed') {
        const change = { details: { inRelease: 'web/a@1.1.0' } };
        await app.store.setErrorStatus(project.id, id, 'resolved', now, change);
      }
    }
    const inSecond = { at: now - 1000, event: { release: 'web/a@1.1.0', environment: 'test' } };
    await givenEvents(app.store, project, [
      ...['stays', 'back', 'new'].map((group) => ({ ...inSecond, group, title: group })),
      { ...inSecond, group: 'stays', title: 'stays' },
    ]);
  }

  it('are read by name, with what is new, came back, was resolved and is gone', async () => {
    await givenTwo();
    const answer = await get(`/${encodeURIComponent('web/a@1.1.0')}`);
    assert.equal(answer.status, 200);
    const detail = answer.json();
    assert.deepEqual(
      [detail.release, detail.previous, detail.next, detail.events, detail.complete, detail.history],
      ['web/a@1.1.0', 'web/a@1.0.0', null, 4, true, []],
    );
    assert.deepEqual(
      [titles(detail.new), titles(detail.regressed), titles(detail.resolved), titles(detail.gone).sort()],
      [['new'], ['back'], ['fixed'], ['fixed', 'goes']],
    );
    assert.deepEqual([detail.gone.errors[0].base_count, detail.gone.errors[0].head_count], [2, 0]);
    const fates = ({ errors }: { readonly errors: readonly Record<string, string | null>[] }) =>
      Object.fromEntries(errors.map((each) => [each['title'], [each['back_in'], each['gone_in']]]));
    assert.deepEqual(fates(detail.gone), { goes: [null, 'web/a@1.1.0'], fixed: [null, 'web/a@1.1.0'] });
    await givenEvents(app.store, project, [
      { at: app.clock.at, group: 'goes', title: 'goes', event: { release: 'web/a@1.1.1' } },
    ]);
    const later = (await get(`/${encodeURIComponent('web/a@1.1.0')}`)).json();
    const inBoth = (one: string, other: string) =>
      get(`/compare?base=${encodeURIComponent(one)}&head=${encodeURIComponent(other)}`);
    for (const gone of [later.gone, (await inBoth('web/a@1.0.0', 'web/a@1.1.0')).json().gone]) {
      assert.deepEqual(fates(gone), { goes: ['web/a@1.1.1', null], fixed: [null, 'web/a@1.1.0'] });
    }
    // From a later release to an earlier one nothing comes back.
    assert.deepEqual(fates((await inBoth('web/a@1.1.1', 'web/a@1.0.0')).json().new), {
      ...{ stays: [null, null], back: [null, null], fixed: [null, null] },
    });
    const first = (await get(`/${encodeURIComponent('web/a@1.0.0')}`)).json();
    assert.deepEqual([first.previous, first.next, first.new.total, first.gone.total], [null, 'web/a@1.1.0', 4, 0]);
    assert.equal((await get('/unknown')).status, 404);
    assert.equal((await get(`/${encodeURIComponent('web/a@1.0.0')}?environment=test`)).status, 404);
    const elsewhere = await givenTrackedProject(app.store);
    const { token } = await givenMember(app.store, elsewhere, 'reporter');
    assert.equal(
      (await app.get(base.replace(String(project.id), String(elsewhere.id)) + '/web%2Fa@1.1.0', token)).status,
      404,
    );
  });

  it('are compared', async () => {
    await givenTwo();
    const compare = (one: string, other: string, more = '') =>
      get(`/compare?base=${encodeURIComponent(one)}&head=${encodeURIComponent(other)}${more}`);
    const { new: fresh, gone, louder, unchanged, by, head } = (await compare('web/a@1.0.0', 'web/a@1.1.0')).json();
    assert.deepEqual([titles(fresh), titles(gone).sort(), titles(louder)], [['new'], ['fixed', 'goes'], ['stays']]);
    assert.deepEqual([louder.errors[0].base_count, louder.errors[0].head_count], [1, 2]);
    assert.deepEqual([unchanged, by, head.release], [1, 'events', 'web/a@1.1.0']);
    const back = (await compare('web/a@1.1.0', 'web/a@1.0.0')).json();
    assert.deepEqual([titles(back.new).sort(), titles(back.gone), back.louder.total], [['fixed', 'goes'], ['new'], 0]);
    assert.equal((await compare('web/a@1.0.0', 'no')).json().message, '404 Not found');
    assert.equal((await compare('web/a@1.0.0', 'web/a@1.1.0', '&environment=test')).status, 404);
    assert.equal((await get('/compare?base=web')).status, 400);
    const before = await get(`/compare?head=${encodeURIComponent('web/a@1.1.0')}`);
    assert.deepEqual([before.status, before.json().base.release, before.json().unchanged], [200, 'web/a@1.0.0', 1]);
    const alone = await get(`/compare?head=${encodeURIComponent('web/a@1.0.0')}`);
    assert.equal(alone.status, 400);
    assert.match(alone.json().message, /there is no release before "web\/a@1\.0\.0"/);
    assert.equal((await get('/compare?base=a&head=b', await givenMember(app.store, project, 'guest'))).status, 403);
  });

  it('are unavailable for an external tracker, as its capabilities say', async () => {
    await app.store.saveSettings(project.id, {
      active: true,
      integrated: false,
      apiUrl: 'https://tracker.example/api/0/projects/org/app/',
      sealedToken: 'x',
    });
    for (const path of [
      base,
      `${base}/a@1`,
      `${base}/compare?base=a&head=b`,
      base.replace('releases', 'filter_values'),
    ]) {
      const answer = await app.get(path, reporter.token);
      assert.deepEqual([answer.status, answer.json().code], [400, 'unsupported_by_tracker']);
    }
  });
});
