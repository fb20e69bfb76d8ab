import assert from 'node:assert/strict';
import { AppError } from '../../../src/domain/app-error.ts';
import type { MoveInProgress } from '../../../src/domain/ports/move-in.ts';
import { givenMember, givenPerson, givenTrackedProject } from '../../support/factories.ts';
import { importIssue, makeIssue, makeSource } from '../../support/import-data.ts';
import { makeEvent, TestJournal } from '../../support/store-data.ts';
import { restWorld } from '../../support/rest-world.ts';
import { describeOnStores } from '../../support/test-stores.ts';

describeOnStores('imports over REST', (kind) => {
  const world = restWorld(kind, 'maintainer');

  const links = async (path: string, as = world.member.token) => {
    const answer = await world.app.get(`/api/v4/error_tracking/former_links?path=${encodeURIComponent(path)}`, as);
    assert.equal(answer.status, 200, answer.text);
    return answer.json();
  };

  it('finds an imported error by its old address, its id and its short id', async () => {
    const source = await makeSource(world.app.store, world.project);
    const errorId = await importIssue(world.app.store, world.project, makeIssue(source, '900001'), 5);
    const expected = [
      {
        project: { id: world.project.id, path_with_namespace: world.project.path },
        error_id: errorId,
        event_id: null,
        web_url: `https://errors.example.test/${world.project.path}/-/error_tracking/${errorId}/details`,
      },
    ];
    for (const path of [
      'https://old.example.test/organizations/acme/issues/900001/?project=5',
      '/acme/shop/issues/900001/events/latest/',
      '900001',
      'shop-900001',
    ]) {
      assert.deepEqual(await links(path), expected, path);
    }
    assert.deepEqual(await links('/organizations/acme/issues/900002/'), []);
    assert.deepEqual(await links('/not/an/issue'), []);
  });

  it('shows no error of a project whose errors the user may not read', async () => {
    const source = await makeSource(world.app.store, world.project);
    await importIssue(world.app.store, world.project, makeIssue(source, '910001'), 5);
    const { token: stranger } = await givenPerson(world.app.store);
    const { token: guest } = await givenMember(world.app.store, world.project, 'guest');
    assert.deepEqual(await links('910001', stranger), []);
    assert.deepEqual(await links('910001', guest), []);
    assert.equal((await world.app.get('/api/v4/error_tracking/former_links?path=1')).status, 401);
    assert.equal((await world.app.get('/api/v4/error_tracking/former_links', world.member.token)).status, 400);
  });

  it('keeps the meaning of the old id in the own addresses of the project', async () => {
    const source = await makeSource(world.app.store, world.project);
    const errorId = await importIssue(world.app.store, world.project, makeIssue(source, '920001'), 5, ['a']);
    const event = makeEvent(world.project, 'e1', { group: 'a' });
    await new TestJournal(world.app.store).apply([event]);
    const base = `/api/v4/projects/${world.project.id}/error_tracking/errors`;
    for (const id of ['920001', 'SHOP-920001']) {
      const answer = await world.app.get(`${base}/${id}`, world.member.token);
      assert.equal(answer.status, 200);
      assert.deepEqual([answer.json().id, answer.json().count], [errorId, 6]);
      const latest = await world.app.get(`${base}/${id}/events/latest`, world.member.token);
      assert.equal(latest.json().event_id, event.eventId);
    }
    const details = await world.app.get(
      `/${world.project.path}/-/error_tracking/920001/details.json`,
      world.member.token,
    );
    assert.equal(details.status, 200);
    const put = await world.app.ask('PUT', `${base}/920001`, {
      token: world.member.token,
      body: { status: 'resolved' },
    });
    assert.equal(put.status, 200);
    assert.equal((await world.app.get(`${base}/${errorId}`, world.member.token)).json().status, 'resolved');
    assert.equal((await world.app.get(`${base}/920002`, world.member.token)).status, 404);
    const other = await givenTrackedProject(world.app.store);
    const { token: neighbour } = await givenMember(world.app.store, other, 'maintainer');
    const foreign = await world.app.get(`/api/v4/projects/${other.id}/error_tracking/errors/920001`, neighbour);
    assert.equal(foreign.status, 404);
  });

  it('gives no new error a number that was reserved for former ids', async () => {
    await world.app.store.reserveErrorNumbers(5_000_000);
    await world.app.store.reserveErrorNumbers(17);
    await new TestJournal(world.app.store).apply([makeEvent(world.project, 'n1', { group: 'new' })]);
    const [error] = (
      await world.app.get(`/api/v4/projects/${world.project.id}/error_tracking/errors`, world.member.token)
    ).json();
    assert.ok(Number(error.id) > 5_000_000, error.id);
  });

  describe('start, progress and cancel', () => {
    const path = () => `/api/v4/projects/${world.project.id}/error_tracking/import`;
    let calls: unknown[][];
    let running: MoveInProgress | null;

    beforeEach(() => {
      calls = [];
      running = null;
      const begun = (switches: boolean): MoveInProgress => ({
        state: 'running',
        stages: [{ name: 'errors', done: 3, total: null }],
        message: 'The import begins.',
        switches,
        startedAt: world.app.clock.at,
        endedAt: null,
        notes: [],
      });
      world.app.deps.moveIn = {
        start: async ({ id }, settings, switches) => {
          calls.push(['start', id, settings?.projectId, switches]);
          if (running !== null) throw new AppError('conflict', 'an import of this project is running');
          return (running = begun(switches));
        },
        progress: async () => running,
        cancel: async () => (running = running === null ? null : { ...running, state: 'cancelled', endedAt: 0 }),
      };
    });

    it('follow each other', async () => {
      assert.equal((await world.app.get(path(), world.member.token)).status, 404);
      assert.equal((await world.app.ask('DELETE', path(), { token: world.member.token })).status, 404);
      const started = await world.app.ask('POST', path(), { token: world.member.token, body: { switch: true } });
      assert.equal(started.status, 202);
      const expected = {
        state: 'running',
        stages: [{ name: 'errors', done: 3, total: null }],
        message: 'The import begins.',
        switch: true,
        started_at: new Date(world.app.clock.at).toISOString(),
        ended_at: null,
        notes: [],
      };
      assert.deepEqual(started.json(), expected);
      assert.deepEqual((await world.app.get(path(), world.member.token)).json(), expected);
      assert.deepEqual(calls, [['start', world.project.id, world.project.id, true]]);
      assert.equal((await world.app.ask('POST', path(), { token: world.member.token })).status, 409);
      const cancelled = await world.app.ask('DELETE', path(), { token: world.member.token });
      assert.deepEqual([cancelled.status, cancelled.json().state], [200, 'cancelled']);
    });

    it('need a maintainer, and a token that may write', async () => {
      const { token: developer } = await givenMember(world.app.store, world.project, 'developer');
      for (const method of ['GET', 'POST', 'DELETE']) {
        assert.equal((await world.app.ask(method, path(), { token: developer })).status, 403, method);
        assert.equal((await world.app.ask(method, path())).status, 401, method);
      }
      assert.deepEqual(calls, []);
      assert.equal(
        (await world.app.ask('POST', path(), { token: world.member.token, body: { switch: 'perhaps' } })).status,
        400,
      );
    });
  });
});
