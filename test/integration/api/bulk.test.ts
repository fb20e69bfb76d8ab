import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
import { AppError } from '../../../src/domain/app-error.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { bulkActions } from '../../support/bulk-actions.ts';
import { givenMember, givenTrackedProject, type Person } from '../../support/factories.ts';
import { describeOnStores } from '../../support/test-stores.ts';

describeOnStores('bulk actions over REST', (kind) => {
  let app: RunningApp;
  let project: Project;
  let developer: Person;
  let maintainer: Person;
  let base: string;

  before(async () => {
    app = await startApp(kind);
  });
  after(() => app.close());
  beforeEach(async () => {
    project = await givenTrackedProject(app.store);
    developer = await givenMember(app.store, project, 'developer');
    maintainer = await givenMember(app.store, project, 'maintainer');
    base = `/api/v4/projects/${project.id}/error_tracking`;
  });

  const { seed, bulk, done, listed, idsOf, states } = bulkActions(() => ({ app, project, developer, base }));

  it('changes the status of chosen errors and takes it back', async () => {
    await seed(4);
    const before = await states();
    const [ignored = ''] = await idsOf('e0');
    const until = { status: 'ignored', status_details: { ignoreCount: 7 } };
    await app.ask('PUT', `${base}/errors/${ignored}`, { token: developer.token, body: until });
    const [resolved = ''] = await idsOf('e1');
    await app.ask('PUT', `${base}/errors/${resolved}`, { token: developer.token, body: { status: 'resolved' } });
    const former = await states();

    const ids = [...(await idsOf('e0', 'e1', 'e2')), '99999'];
    const result = await done({ ids, action: 'status', status: 'resolved' });
    assert.deepEqual([result.changed, result.unchanged, result.gone, result.failed], [2, 1, ['99999'], []]);
    assert.deepEqual(
      (await listed('status=unresolved')).map(({ title }) => title),
      ['e3'],
    );
    assert.deepEqual(
      [...result.previous].sort((a: { status: string }, b: { status: string }) => (a.status < b.status ? -1 : 1)),
      [
        {
          ...{ status: 'ignored', status_details: { ignoreCount: 7 }, counted: [{ events: 0, users: 0 }] },
          ...{ now: { status: 'resolved', status_details: {} }, ids: [ignored] },
        },
        {
          ...{ status: 'unresolved', status_details: {}, reviewed: false },
          ...{ now: { status: 'resolved', status_details: {} }, ids: await idsOf('e2') },
        },
      ],
    );
    const undone = await done({ action: 'restore', restore: result.previous });
    assert.deepEqual([undone.changed, undone.failed], [2, []]);
    assert.deepEqual(await states(), former);
    assert.notDeepEqual(former, before);
    // In the activity of each error, with the person.
    const activity = (await app.get(`${base}/errors/${ignored}/activity`, developer.token)).json();
    assert.deepEqual(
      activity.slice(0, 2).map((entry: { kind: string; user: { id: number } }) => [entry.kind, entry.user.id]),
      [
        ['ignored', developer.user.id],
        ['resolved', developer.user.id],
      ],
    );
  });

  it('resolves in the next release, and ignores for an hour', async () => {
    await seed(2);
    const ids = await idsOf('e0', 'e1');
    await done({ ids, action: 'status', status: 'resolved', status_details: { inNextRelease: true } });
    assert.deepEqual((await states()).e0, ['resolved', { inNextRelease: true, afterRelease: 'app@1.0' }, null]);
    const result = await done({ ids, action: 'status', status: 'ignored', status_details: { ignoreDuration: 60 } });
    await done({ action: 'restore', restore: result.previous });
    assert.deepEqual((await states()).e1, ['resolved', { inNextRelease: true, afterRelease: 'app@1.0' }, null]);
    const wrong = { ids, action: 'status', status: 'resolved', status_details: { ignoreCount: 1 } };
    assert.match((await bulk(wrong)).json().error, /does not belong to resolved/);
  });

  it('changes all that match, if they are as many as confirmed', async () => {
    await seed(30);
    const all = {
      all_matching: true,
      filters: { search: '!is:resolved' },
      action: 'assignee',
      user_id: developer.user.id,
    };
    const surprised = await bulk({ ...all, expected: 20 });
    assert.deepEqual([surprised.status, surprised.json().matching], [409, 30]);
    assert.match(surprised.json().message, /^30 errors match by now, and 20 were confirmed/);
    assert.ok(Object.values(await states()).every(([, , assignee]) => assignee === null));
    const result = await done({ ...all, expected: 29 });
    assert.deepEqual([result.changed, result.unchanged], [30, 0]);
    assert.equal(result.previous.length, 1);
    assert.equal((await listed('search=assigned:me')).length, 30);
    await done({ action: 'restore', restore: result.previous });
    assert.equal((await listed('search=is:assigned')).length, 0);
    const nothing = await done({ ...all, filters: { search: 'nowhere' }, expected: 0 });
    assert.deepEqual([nothing.changed, nothing.unchanged, nothing.previous], [0, 0, []]);
  });

  it('works in steps of a hundred', async () => {
    await seed(250);
    const result = await done({ all_matching: true, filters: {}, expected: 250, action: 'status', status: 'ignored' });
    assert.deepEqual([result.changed, result.previous.length, result.previous[0].ids.length], [250, 1, 250]);
    assert.equal((await app.get(`${base}/errors/counts`, developer.token)).json().ignored, 250);
    const undone = await done({ action: 'restore', restore: result.previous });
    assert.equal(undone.changed, 250);
  });

  it('says what was changed when the store fails on the way, so that it can be taken back', async () => {
    await seed(250);
    const plain = app.deps.backendFor;
    let calls = 0;
    app.deps.backendFor = (...args) => {
      const backend = plain(...args);
      return {
        ...backend,
        setStatuses: (...given) => {
          calls += 1;
          if (calls === 3) throw new AppError('store_unavailable', 'the store is away');
          return backend.setStatuses(...given);
        },
      };
    };
    const result = await done({ all_matching: true, filters: {}, expected: 250, action: 'status', status: 'ignored' });
    app.deps.backendFor = plain;
    assert.deepEqual([result.changed, result.unchanged], [200, 0]);
    assert.deepEqual(
      result.failed.map(({ ids, message }: { ids: string[]; message: string }) => [ids.length, message]),
      [[50, 'the store is away']],
    );
    await done({ action: 'restore', restore: result.previous });
    assert.equal((await app.get(`${base}/errors/counts`, developer.token)).json().ignored, 0);
  });

  it('marks errors as looked at, and takes it back', async () => {
    await seed(3);
    const [first = ''] = await idsOf('e0');
    await app.ask('PUT', `${base}/errors/${first}/review`, { token: developer.token, body: { reviewed: true } });
    const waiting = async () => (await listed('for_review=true')).map(({ title }) => title).sort();
    const result = await done({ ids: await idsOf('e0', 'e1', 'e2'), action: 'reviewed', reviewed: true });
    assert.deepEqual([result.changed, result.unchanged, await waiting()], [2, 1, []]);
    await done({ ids: await idsOf('e1'), action: 'delete' }, maintainer);
    const undone = await done({ action: 'restore', restore: result.previous });
    assert.deepEqual([undone.changed, undone.unchanged, undone.gone.length], [1, 0, 1]);
    assert.deepEqual(await waiting(), ['e2']);
    const all = { all_matching: true, filters: { for_review: 'true' }, expected: 1, action: 'reviewed' };
    assert.equal((await done({ ...all, reviewed: true })).changed, 1, 'as the parameter of the list');
  });

  it('asks for the reviews again that a status or an assignment has ended, when it is taken back', async () => {
    await seed(4);
    const [seen = '', merged = '', other = ''] = await idsOf('e0', 'e1', 'e2', 'e3').then((ids) => ids.sort());
    await app.ask('PUT', `${base}/errors/${seen}/review`, { token: developer.token, body: { reviewed: true } });
    await app.ask('POST', `${base}/errors/${merged}/merge`, { token: developer.token, body: { ids: [other] } });
    const waiting = async () => (await listed('for_review=true')).map(({ id }) => id).sort();
    const before = await waiting();
    assert.equal(before.length, 2);
    for (const change of [
      { action: 'status', status: 'resolved' },
      { action: 'assignee', user_id: developer.user.id },
    ]) {
      const result = await done({ ids: [seen, ...before], ...change });
      assert.deepEqual([result.changed, await waiting()], [3, []]);
      const undone = await done({ action: 'restore', restore: result.previous });
      assert.deepEqual([undone.changed, undone.unchanged, await waiting()], [3, 0, before]);
    }
  });

  it('deletes and discards errors for maintainers', async () => {
    await seed(5);
    const ids = await idsOf('e0', 'e1');
    const refused = await bulk({ ids, action: 'delete' });
    assert.deepEqual([refused.status, refused.json()], [403, { message: '403 Forbidden' }]);
    assert.equal((await listed()).length, 5);
    const deleted = await done({ ids, action: 'delete' }, maintainer);
    assert.deepEqual([deleted.changed, deleted.unchanged, deleted.previous], [2, 0, []]);
    await done({ ids: await idsOf('e2'), action: 'discard' }, maintainer);
    const [last = ''] = await idsOf('e3');
    const remove = (id: string, query = '', person = maintainer) =>
      app.ask('DELETE', `${base}/errors/${id}${query}`, { token: person.token });
    assert.equal((await remove(last, '?discard=true', developer)).status, 403);
    assert.equal((await remove(last, '?discard=true')).status, 204);
    assert.equal((await remove(last)).status, 404);
    assert.deepEqual(
      (await listed()).map(({ title }) => title),
      ['e4'],
    );

    const discarded = async () => (await app.get(`${base}/discarded`, developer.token)).json();
    const groups = (await discarded()) as { id: number; title: string; user: { id: number } }[];
    assert.deepEqual(groups.map(({ title, user }) => [title, user.id]).sort(), [
      ['e2', maintainer.user.id],
      ['e3', maintainer.user.id],
    ]);
    // Events of a deleted error make a new one, those of a discarded error do not.
    await seed(5);
    assert.deepEqual((await listed()).map(({ title }) => title).sort(), ['e0', 'e1', 'e4']);
    const { id } = groups.find(({ title }) => title === 'e2')!;
    const restore = (person = maintainer) => app.ask('DELETE', `${base}/discarded/${id}`, { token: person.token });
    assert.equal((await restore(developer)).status, 403);
    assert.equal((await restore()).status, 204);
    assert.equal((await restore()).status, 404);
    await seed(5);
    assert.deepEqual((await listed()).map(({ title }) => title).sort(), ['e0', 'e1', 'e2', 'e4']);
  });

  it('refuses what is not one complete action', async () => {
    const rows: [body: object, error: RegExp][] = [
      [{}, /action/],
      [{ action: 'status', status: 'resolved' }, /ids is missing/],
      [{ ids: ['1'], action: 'status' }, /status is missing/],
      [{ ids: ['1'], action: 'assignee' }, /user_id is missing/],
      [{ ids: ['1'], action: 'reviewed' }, /reviewed is missing/],
      [{ ids: ['x'], action: 'reviewed', reviewed: true }, /ids is invalid/],
      [{ ids: [], action: 'reviewed', reviewed: true }, /ids/],
      [{ all_matching: true, filters: {}, action: 'delete' }, /expected is missing/],
      [{ ids: ['1'], all_matching: true, expected: 1, action: 'delete' }, /give one of them/],
      [{ all_matching: true, expected: 1, filters: { status: 'open' }, action: 'delete' }, /filters.status/],
      [{ all_matching: true, expected: 1, filters: { nonsense: 1 }, action: 'delete' }, /filters/],
      [{ all_matching: true, expected: 1, filters: { for_review: 'yes' }, action: 'delete' }, /filters.for_review/],
      [{ action: 'restore' }, /restore is missing/],
      [{ ids: Array.from({ length: 10_001 }, (_, n) => n + 1), action: 'delete' }, /ids/],
    ];
    for (const [body, error] of rows) {
      const answer = await bulk(body, maintainer);
      assert.equal(answer.status, 400, JSON.stringify(body).slice(0, 100));
      assert.match(answer.json().error, error);
    }
    const invalid = { all_matching: true, expected: 1, filters: { search: 'lvl:x' }, action: 'delete' };
    assert.equal((await bulk(invalid, maintainer)).json().code, 'invalid_search');
    const stranger = { ids: ['1'], action: 'assignee', user_id: 99_999 };
    await seed(1);
    assert.equal((await bulk({ ...stranger, ids: await idsOf('e0') })).status, 400);
  });
});
