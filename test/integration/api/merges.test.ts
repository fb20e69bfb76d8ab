import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { describeOnStores } from '../../support/test-stores.ts';
import { givenEvents, givenMember, givenTrackedProject, type Person } from '../../support/factories.ts';

const HOUR = 3600_000;

describeOnStores('merging errors over REST', (kind) => {
  let app: RunningApp;
  let project: Project;
  let developer: Person;
  let base: string;
  /** Numbers of three errors, ascending. */
  let ids: [string, string, string];

  before(async () => {
    app = await startApp(kind);
  });
  after(() => app.close());
  beforeEach(async () => {
    const now = app.clock.at;
    project = await givenTrackedProject(app.store);
    developer = await givenMember(app.store, project, 'developer');
    base = `/api/v4/projects/${project.id}/error_tracking/errors`;
    for (const group of ['one', 'two', 'three']) {
      await givenEvents(app.store, project, [
        { at: now - 2 * HOUR, group, title: `it ${group}` },
        { at: now - HOUR, group, title: `it ${group}` },
      ]);
    }
    const list = (await app.get(base, developer.token)).json() as { id: string }[];
    ids = list.map(({ id }) => id).sort((a, b) => Number(a) - Number(b)) as [string, string, string];
  });

  const get = (path: string) => app.get(base + path, developer.token);
  const post = (path: string, body?: object, { token } = developer) =>
    app.ask('POST', base + path, { token, ...(body === undefined ? {} : { body }) });

  it('answers the merged error, and shows it under each of its numbers', async () => {
    const [one, two, three] = ids;
    const answer = await post(`/${two}/merge`, { ids: [one] });
    assert.equal(answer.status, 200, answer.text);
    const merged = answer.json();
    assert.deepEqual([merged.id, merged.count, merged.merged_into], [one, 4, null]);
    assert.deepEqual(merged.merged, [{ id: two, title: 'it two', count: 2 }]);
    assert.deepEqual((await get(`/${one}`)).json(), merged);
    assert.deepEqual((await get(`/${two}`)).json(), { ...merged, merged_into: one });
    assert.deepEqual(
      (await get('')).json().map(({ id, count }: { id: string; count: number }) => [id, count]),
      [
        [one, 4],
        [three, 2],
      ].sort((a, b) => Number(b[0]) - Number(a[0])),
    );
    assert.equal((await get(`/${two}/events`)).json().length, 4);
    assert.equal((await get(`/${two}/events/latest`)).json().error_id, one);
    assert.equal((await get(`/${two}/stack_trace`)).json().error_id, one);
    const web = `/${project.path}/-/error_tracking/${two}`;
    assert.equal((await app.get(`${web}/details.json`, developer.token)).json().error.id, one);
    assert.equal((await app.get(`${web}/stack_trace.json`, developer.token)).json().error.issue_id, one);
    const update = await app.ask('PUT', `${base}/${two}`, { token: developer.token, body: { status: 'resolved' } });
    assert.deepEqual([update.json().id, update.json().status], [one, 'resolved']);
  });

  it('accepts numbers and texts, also repeatedly', async () => {
    const [one, two, three] = ids;
    for (let time = 0; time < 2; time += 1) {
      const answer = await post(`/${one}/merge`, { ids: [Number(two), three, three] });
      assert.deepEqual([answer.status, answer.json().count], [200, 6]);
    }
  });

  it('separates all members or the named ones, and lists them', async () => {
    const [one, two, three] = ids;
    await post(`/${one}/merge`, { ids: [two, three] });
    const named = await post(`/${one}/unmerge`, { ids: [three] });
    assert.equal(named.status, 200, named.text);
    assert.deepEqual(named.json().unmerged, [{ id: three, title: 'it three', count: 2 }]);
    assert.deepEqual([named.json().id, named.json().count], [one, 4]);
    const rest = await post(`/${one}/unmerge`);
    assert.deepEqual(rest.json().unmerged, [{ id: two, title: 'it two', count: 2 }]);
    assert.deepEqual([rest.json().merged, rest.json().count], [[], 2]);
    assert.deepEqual((await post(`/${one}/unmerge`)).json().unmerged, []);
    assert.equal((await get('')).json().length, 3);
  });

  it('separates the one whose old number is named in the path', async () => {
    const [one, two, three] = ids;
    await post(`/${one}/merge`, { ids: [two, three] });
    const answer = (await post(`/${two}/unmerge`)).json();
    assert.deepEqual([answer.id, answer.unmerged.length, answer.merged.length], [one, 1, 1]);
    assert.equal((await get(`/${two}`)).json().id, two);
  });

  describe('refuses', () => {
    it('bodies that name no other error', async () => {
      const [one] = ids;
      for (const [body, error] of [
        [{}, 'ids is missing'],
        [undefined, 'ids is missing'],
        [{ ids: [] }, 'ids is empty'],
        [{ ids: 'x' }, 'ids is invalid: give a list of error ids'],
        [{ ids: [{}] }, 'ids is invalid'],
        [{ ids: ['../1'] }, 'ids is invalid'],
        [{ ids: [0] }, 'ids is invalid'],
        [{ ids: [1.5] }, 'ids is invalid'],
        [{ ids: Array.from({ length: 101 }, () => one) }, 'ids has more than 100 entries'],
      ] as const) {
        const answer = await post(`/${one}/merge`, body);
        assert.deepEqual([answer.status, answer.json()], [400, { error }]);
      }
      const alone = await post(`/${one}/merge`, { ids: [one] });
      assert.deepEqual(
        [alone.status, alone.json()],
        [400, { message: 'ids must name at least one other error to merge with' }],
      );
    });

    it('to separate an error from itself', async () => {
      const [one, two] = ids;
      await post(`/${one}/merge`, { ids: [two] });
      const answer = await post(`/${two}/unmerge`, { ids: [one] });
      assert.equal(answer.status, 400);
      assert.match(answer.json().message as string, /were merged into/);
    });

    it('errors of other projects, and changes nothing', async () => {
      const [one, two] = ids;
      const other = await givenTrackedProject(app.store);
      await givenEvents(app.store, other, [{ at: app.clock.at }]);
      const reader = await givenMember(app.store, other, 'developer');
      const [foreign] = (await app.get(`/api/v4/projects/${other.id}/error_tracking/errors`, reader.token)).json() as {
        id: string;
      }[];
      const answer = await post(`/${one}/merge`, { ids: [two, foreign?.id ?? ''] });
      assert.deepEqual([answer.status, answer.json()], [404, { message: '404 Not found' }]);
      assert.equal((await post(`/${one}/unmerge`, { ids: [foreign?.id] })).status, 404);
      assert.equal((await post(`/${foreign?.id ?? ''}/merge`, { ids: [one] })).status, 404);
      assert.equal((await get('')).json().length, 3);
    });

    it('reporters', async () => {
      const reporter = await givenMember(app.store, project, 'reporter');
      const [one, two] = ids;
      assert.equal((await post(`/${one}/merge`, { ids: [two] }, reporter)).status, 403);
      assert.equal((await post(`/${one}/unmerge`, undefined, reporter)).status, 403);
    });

    it('projects of a third-party tracker', async () => {
      await app.store.saveSettings(project.id, {
        active: true,
        integrated: false,
        apiUrl: 'https://tracker.example/api/0/projects/org/app/',
        sealedToken: 'x',
      });
      const [one, two] = ids;
      for (const path of ['merge', 'unmerge']) {
        const answer = await post(`/${one}/${path}`, { ids: [two] });
        assert.deepEqual([answer.status, answer.json().code], [400, 'unsupported_by_tracker'], answer.text);
      }
    });
  });
});
