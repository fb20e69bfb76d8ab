import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenBuildTool, type BuildTool } from '../../support/build-tools.ts';
import { givenEvents, givenMember, givenTrackedProject } from '../../support/factories.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const SECOND = 1000;
const HOSTILE = '<img src=x onerror=alert(1)>\u202e';

describeOnStores('releases that builds announce', (kind) => {
  let app: RunningApp;
  let shop: Project;
  let tool: BuildTool;
  let token: string;
  let serial = 0;

  before(async () => {
    app = await startApp(kind);
  });
  beforeEach(async () => {
    shop = await givenTrackedProject(app.store, { path: `demo/app${(serial += 1)}` });
    tool = await givenBuildTool(app, [shop]);
    ({ token } = await givenMember(app.store, shop, 'reporter'));
  });
  after(() => app.close());

  const of = (release: string, rest = '') => `organizations/demo/releases/${encodeURIComponent(release)}/${rest}`;

  /** Asks as a tool, a second after the request before. */
  async function ask(method: string, path: string, body?: unknown) {
    app.clock.at += SECOND;
    const answer = await tool.ask(method, path, body);
    assert.ok(answer.status < 300, answer.text);
    return answer;
  }
  const announce = (version: string) => ask('POST', 'organizations/demo/releases/', { version, projects: [shop.id] });
  const commit = (id: string, message = `about ${id}`) => ({
    ...{ id, repository: 'origin', author_name: 'Ada', author_email: 'ada@example.test' },
    ...{ timestamp: '2026-01-14T10:00:00Z', message, patch_set: [{ path: 'src/cart.js', type: 'M' }] },
  });
  const previous = async (release: string) => (await ask('GET', of(release, 'previous-with-commits/'))).json();
  const read = async (release: string) => {
    const path = `/api/v4/projects/${shop.id}/error_tracking/releases/${encodeURIComponent(release)}`;
    return app.get(path, token);
  };

  it('have their commits, deploys and dates in the answer about the release', async () => {
    await announce('app@1');
    const begun = app.clock.at;
    await givenEvents(app.store, shop, [{ at: begun, event: { release: 'app@1' } }]);
    const bare = (await read('app@1')).json();
    assert.deepEqual(
      [bare.created_at, bare.released_at, bare.commits, bare.commit_count, bare.deploys, bare.refs],
      [new Date(begun).toISOString(), null, [], 0, [], []],
    );
    await ask('PUT', of('app@1'), { commits: [commit('c2', `\n${HOSTILE}\n\nSecond line`), commit('c1')] });
    await ask('PUT', of('app@1'), { dateReleased: '2026-01-15T12:00:00Z', url: 'https://ci.test/1' });
    await ask('POST', of('app@1', 'deploys/'), { environment: 'staging' });
    const url = 'javascript:alert(1)';
    await ask('POST', of('app@1', 'deploys/'), { environment: 'production', name: 'Ada', url });
    const shown = (await read('app@1')).json();
    assert.deepEqual(
      [shown.released_at, shown.url, shown.commit_count, shown.events],
      ['2026-01-15T12:00:00.000Z', 'https://ci.test/1', 2, 1],
    );
    assert.deepEqual(shown.commits[0], {
      ...{ id: 'c2', repository: 'origin', title: HOSTILE, message: `\n${HOSTILE}\n\nSecond line` },
      ...{ author_name: 'Ada', author_email: 'ada@example.test', created_at: '2026-01-14T10:00:00.000Z' },
    });
    assert.deepEqual(
      shown.deploys.map((each: Record<string, unknown>) => [each['environment'], each['name'], each['url']]),
      [
        ['production', 'Ada', url],
        ['staging', null, null],
      ],
    );
    const listed = await app.get(`/api/v4/projects/${shop.id}/error_tracking/deploys?environment=staging`, token);
    assert.deepEqual(listed.json(), [{ ...shown.deploys[1], release: 'app@1' }]);
    assert.equal(shown.deploys[0].finished_at, new Date(app.clock.at).toISOString());
  });

  it('are read before their first event, but not in an environment', async () => {
    assert.equal((await read('app@2')).status, 404);
    await announce('app@2');
    const shown = (await read('app@2')).json();
    assert.deepEqual([shown.events, shown.new.total, shown.first_seen], [0, 0, shown.created_at]);
    const path = `/api/v4/projects/${shop.id}/error_tracking/releases/app@2?environment=production`;
    assert.equal((await app.get(path, token)).status, 404);
  });

  it('are listed until their first event, newest first', async () => {
    const list = `/api/v4/projects/${shop.id}/error_tracking/announced_releases`;
    assert.deepEqual((await app.get(list, token)).json(), []);
    for (const version of ['app@1', 'app@2', 'app@3']) await announce(version);
    await ask('PUT', of('app@1'), { dateReleased: '2026-01-15T12:00:00Z' });
    await givenEvents(app.store, shop, [{ at: app.clock.at, event: { release: 'app@2' } }]);
    const listed = (await app.get(list, token)).json();
    assert.deepEqual(
      listed.map((each: Record<string, unknown>) => [each['release'], each['released_at']]),
      [
        ['app@3', null],
        ['app@1', '2026-01-15T12:00:00.000Z'],
      ],
    );
    const guest = await givenMember(app.store, shop, 'guest');
    assert.equal((await app.get(list, guest.token)).status, 403);
  });

  it('have none of it where no build announced them', async () => {
    await givenEvents(app.store, shop, [{ at: app.clock.at, event: { release: 'app@3' } }]);
    const shown = (await read('app@3')).json();
    assert.deepEqual([shown.created_at, shown.commits, shown.deploys, shown.events], [null, [], [], 1]);
  });

  it('name the release before that has commits, so that tools send only those after it', async () => {
    for (const version of ['a@1', 'a@2', 'a@3', 'a@4']) await announce(version);
    assert.deepEqual(await previous('a@4'), {});
    await ask('PUT', of('a@1'), { commits: [commit('c1')] });
    await ask('PUT', of('a@4'), { commits: [commit('c9')] });
    const before = await previous('a@4');
    assert.deepEqual([before.version, before.lastCommit.id, before.commitCount], ['a@1', 'c1', 1]);
    assert.deepEqual(await previous('a@1'), {}, 'a later release is none before');
    await ask('PUT', of('a@3'), { refs: [{ repository: 'acme/shop', commit: 'c3', previousCommit: 'c1' }] });
    const later = await previous('a@4');
    assert.deepEqual([later.version, later.lastCommit.id], ['a@3', 'c3']);
  });

  it('name the release before by the time at which builds finished them', async () => {
    for (const version of ['b@1', 'b@2']) {
      await announce(version);
      await ask('PUT', of(version), { commits: [commit(`c of ${version}`)] });
    }
    await ask('PUT', of('b@1'), { dateReleased: new Date(app.clock.at).toISOString() });
    await announce('b@3');
    assert.equal((await previous('b@3')).version, 'b@1');
    await ask('PUT', of('b@1'), { dateReleased: new Date(app.clock.at + SECOND).toISOString() });
    assert.equal((await previous('b@3')).version, 'b@2', 'it is finished after the release was announced');
  });

  it('resolve errors that are resolved in a commit, the first release of those that contain it', async () => {
    const name = 'c0ffee0123456789c0ffee0123456789c0ffee01';
    const developer = await givenMember(app.store, shop, 'developer');
    await givenEvents(app.store, shop, [{ at: app.clock.at, event: { release: 'alder' } }]);
    const errors = `/api/v4/projects/${shop.id}/error_tracking/errors`;
    const [{ id }] = (await app.get(errors, token)).json();
    const resolve = async (commitName: string) => {
      app.clock.at += SECOND;
      const body = { status: 'resolved', status_details: { inCommit: { commit: commitName, repository: null } } };
      const answer = await app.ask('PUT', `${errors}/${id}`, { token: developer.token, body });
      assert.equal(answer.status, 200, answer.text);
    };
    const details = async () => (await app.get(`${errors}/${id}`, token)).json().status_details;
    const short = { commit: name.slice(0, 10), repository: null };
    await resolve(short.commit);
    assert.deepEqual(await details(), { inCommit: short });
    await announce('beech');
    await ask('PUT', of('beech'), { commits: [commit('0123456789'), commit(name)] });
    assert.deepEqual(await details(), { inRelease: 'beech', inCommit: short });
    await announce('cedar');
    await ask('POST', of('cedar', 'commits/'), { commits: [commit(name)] });
    assert.deepEqual(await details(), { inRelease: 'beech', inCommit: short });
    await resolve(name);
    assert.deepEqual(await details(), { inRelease: 'beech', inCommit: { commit: name, repository: null } });
    await ask('PUT', of('beech'), { dateReleased: new Date(app.clock.at + SECOND).toISOString() });
    await resolve(name);
    assert.equal((await details()).inRelease, 'cedar');
    const built = 'decade0123456789';
    await ask('PUT', of('cedar'), { refs: [{ repository: 'acme/shop', commit: built }] });
    await resolve(built);
    assert.equal((await details()).inRelease, 'cedar');
    await resolve('0123456788');
    assert.deepEqual(await details(), { inCommit: { commit: '0123456788', repository: null } });
    await ask('POST', of('cedar', 'commits/'), { commits: [commit('0123456788')] });
    assert.equal((await details()).inRelease, 'cedar');
  });

  it('count for errors that are resolved in the next release, by the times that builds told', async () => {
    const developer = await givenMember(app.store, shop, 'developer');
    const errors = `/api/v4/projects/${shop.id}/error_tracking/errors`;
    const happen = async (release: string) => {
      app.clock.at += SECOND;
      await givenEvents(app.store, shop, [{ at: app.clock.at, event: { release } }]);
    };
    await happen('alder');
    const [{ id }] = (await app.get(errors, token)).json();
    const shown = async () => (await app.get(`${errors}/${id}`, token)).json();
    const afterWhich = async () => {
      app.clock.at += SECOND;
      const body = { status: 'resolved', status_details: { inNextRelease: true } };
      const answer = await app.ask('PUT', `${errors}/${id}`, { token: developer.token, body });
      assert.equal(answer.status, 200, answer.text);
      return (await shown()).status_details.afterRelease;
    };
    assert.equal(await afterWhich(), 'alder');
    await announce('beech');
    assert.equal(await afterWhich(), 'beech', 'it has no events yet');
    await ask('PUT', of('beech'), { dateReleased: new Date(app.clock.at - 60 * SECOND).toISOString() });
    assert.equal(await afterWhich(), 'alder', 'the other one was finished before');
    await happen('beech');
    assert.equal((await shown()).status, 'resolved');
    await announce('cedar');
    await happen('cedar');
    assert.equal((await shown()).status, 'unresolved');
  });

  it('have the commits that were sent last, not those of before', async () => {
    await announce('a@1');
    await ask('PUT', of('a@1'), { commits: ['c3', 'c2', 'c1'].map((id) => commit(id)) });
    await ask('PUT', of('a@1'), { commits: [commit('c4')] });
    const shown = (await read('a@1')).json();
    assert.deepEqual([shown.commits.map(({ id }: { id: string }) => id), shown.commit_count], [['c4'], 1]);
    await ask('PUT', of('a@1'), { dateReleased: '2026-01-15T12:00:00Z' });
    assert.equal((await read('a@1')).json().commit_count, 1, 'finishing it does not remove them');
  });
});
