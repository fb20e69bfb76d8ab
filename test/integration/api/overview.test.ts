import assert from 'node:assert/strict';
import { AppError } from '../../../src/domain/app-error.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenEvents, givenMember, givenPerson, givenProject, givenTrackedProject } from '../../support/factories.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const HOUR_MS = 3_600_000;

describeOnStores('start page and set-up over REST', (kind) => {
  let app: RunningApp;

  before(async () => {
    app = await startApp(kind);
  });
  after(() => app.close());

  const overview = async (token: string) => (await app.get('/api/v4/error_tracking/projects', token)).json();

  it('shows each project with its unresolved errors and its last 24 hours', async () => {
    const project = await givenTrackedProject(app.store, { path: 'over/view', name: 'View' });
    const { token } = await givenMember(app.store, project, 'reporter');
    const at = app.clock.at;
    await givenEvents(app.store, project, [{ at }, { at: at - 1 }, { at: at - 2 * HOUR_MS, group: 'other' }]);
    const [one, ...rest] = await overview(token);
    assert.equal(rest.length, 0);
    const { frequency, ...shown } = one;
    assert.deepEqual(shown, {
      project: {
        id: project.id,
        name: 'View',
        path_with_namespace: 'over/view',
        visibility: 'private',
        web_url: 'https://errors.example.test/over/view',
      },
      access_level: 20,
      active: true,
      integrated: true,
      monitor: true,
      favourite: false,
      unresolved_count: 2,
      new_count: 2,
      regressed_count: 0,
      last_seen: new Date(at).toISOString(),
    });
    assert.equal(frequency.length, 24);
    assert.equal(frequency.at(-1)[0], Math.floor(at / HOUR_MS) * 3600);
    const total = frequency.reduce((sum: number, [, count]: [number, number]) => sum + count, 0);
    assert.equal(total, 3);
  });

  it('hides counts from members without access to errors, and for projects with an external tracker', async () => {
    const tracked = await givenTrackedProject(app.store);
    const guest = await givenMember(app.store, tracked, 'guest');
    const hidden = await givenTrackedProject(app.store, { monitorEnabled: false });
    const bare = await givenProject(app.store);
    const linked = await givenProject(app.store);
    const apiUrl = 'https://tracker.example/api/0/projects/o/p/';
    await app.store.saveSettings(linked.id, { active: true, integrated: false, apiUrl });
    for (const project of [hidden, bare, linked]) await app.store.setMember(project.id, guest.user.id, 50);
    const shown = (await overview(guest.token)).map((one: Record<string, unknown>) => [
      one.active,
      one.integrated,
      one.monitor,
      one.unresolved_count,
      one.frequency,
    ]);
    assert.deepEqual(shown, [
      [true, true, true, null, null],
      [true, true, false, null, null],
      [false, false, true, null, null],
      [true, false, true, null, null],
    ]);
  });

  it('comes in pages; administrators see all projects as owners', async () => {
    const { token } = await givenPerson(app.store, true);
    const all = (await app.store.listProjects()).length;
    const page = await app.get('/api/v4/error_tracking/projects?per_page=2', token);
    assert.equal(page.json().length, 2);
    assert.equal(page.headers.get('X-Total'), String(all));
    assert.equal(page.json()[0].access_level, 50);
  });

  describe('a test event', () => {
    const sent: unknown[] = [];
    before(() => {
      app.deps.sendTestEvent = async (grant) => {
        sent.push(grant);
        return 'cd'.repeat(16);
      };
    });

    it('is sent with an active key of the project', async () => {
      const project = await givenTrackedProject(app.store);
      const { token } = await givenMember(app.store, project, 'maintainer');
      const post = () => app.ask('POST', `/api/v4/projects/${project.id}/error_tracking/test_event`, { token });
      const without = await post();
      assert.equal(without.status, 409);
      assert.match(without.json().message, /no active client key/);
      const key = await app.store.createKey(project.id, 'glet_test_event');
      const answer = await post();
      assert.deepEqual([answer.status, answer.json()], [201, { event_id: 'cd'.repeat(16) }]);
      assert.deepEqual(sent, [{ projectId: project.id, keyId: key.id }]);
      await app.store.saveSettings(project.id, { active: false });
      assert.deepEqual((await post()).json(), { message: 'Error Tracking is not enabled' });
      await app.store.saveSettings(project.id, { active: true, integrated: false, apiUrl: 'https://t.example/' });
      assert.match((await post()).json().message, /external tracker/);
    });

    it('says why it is not accepted', async () => {
      const project = await givenTrackedProject(app.store);
      const { token } = await givenMember(app.store, project, 'maintainer');
      await app.store.createKey(project.id, 'glet_not_taken');
      app.deps.sendTestEvent = async () => {
        throw new AppError('ingest_unavailable', 'The disk is full.', { retryAfterSeconds: 7 });
      };
      const answer = await app.ask('POST', `/api/v4/projects/${project.id}/error_tracking/test_event`, { token });
      assert.deepEqual([answer.status, answer.json()], [503, { message: 'The disk is full.' }]);
      assert.equal(answer.headers.get('Retry-After'), '7');
    });
  });

  it('shows maintainers on request when keys were last used, and lets them disable one', async () => {
    const project = await givenTrackedProject(app.store);
    const { token } = await givenMember(app.store, project, 'maintainer');
    const [used, unused] = [
      await app.store.createKey(project.id, 'glet_used'),
      await app.store.createKey(project.id, 'glet_unused'),
    ];
    await app.store.touchKeys([{ keyId: used.id, usedAt: app.clock.at }]);
    const path = `/api/v4/projects/${project.id}/error_tracking/client_keys`;
    const times = (await app.get(`${path}?usage=true`, token)).json();
    assert.deepEqual(
      times.map((key: Record<string, unknown>) => key.last_used_at),
      [new Date(app.clock.at).toISOString(), null],
    );
    assert.ok(!('last_used_at' in (await app.get(path, token)).json()[0]));
    const put = (active: unknown) => app.ask('PUT', `${path}/${unused.id}`, { token, body: { active } });
    assert.equal((await put(false)).json().active, false);
    assert.equal((await app.store.keyById(project.id, unused.id))?.active, false);
    assert.equal((await put(true)).json().active, true);
    assert.equal((await put('maybe')).json().error, 'active is invalid');
    const other = await givenTrackedProject(app.store);
    const foreign = await app.store.createKey(other.id, 'glet_foreign');
    assert.equal((await app.ask('PUT', `${path}/${foreign.id}?active=false`, { token })).status, 404);
    assert.equal((await app.store.keyById(other.id, foreign.id))?.active, true);
  });

  it('shows administrators the health of the service', async () => {
    const { token } = await givenPerson(app.store, true);
    app.deps.health = {
      accepting: () => ({ ok: true, reason: null }),
      reading: async () => ({ ok: false, reason: 'no primary' }),
      digesting: () => ({ ok: true, reason: null }),
      intact: () => ({ ok: true, reason: null }),
    };
    const answer = (await app.get('/api/v4/admin/health', token)).json();
    assert.deepEqual(
      [answer.status, answer.accepting, answer.reading, answer.reason, answer.version],
      ['degraded', true, false, 'no primary', '1.2.3'],
    );
    assert.deepEqual(answer.alerts, { mail: true, oldest_unsent_seconds: 0, failed: 0, failing: 0 });
    assert.equal(answer.store.stats.projects, (await app.store.listProjects()).length);
    assert.equal(answer.store.stats.known_schema_version, answer.store.stats.schema_version);
    await app.store.announceGateway('a'.repeat(32), '0.9.0');
    const { running } = (await app.get('/api/v4/admin/health', token)).json();
    const shown = running.map(({ gateway_id: id, version }: Record<string, string>) => [id, version]);
    assert.deepEqual(shown, kind.shared ? [['a'.repeat(32), '0.9.0']] : []);
    await app.store.retireGateway('a'.repeat(32));
  });

  it('lets administrators create projects, and owners delete them', async () => {
    const administrator = await givenPerson(app.store, true);
    const post = (body: object) => app.ask('POST', '/api/v4/projects', { token: administrator.token, body });
    const made = await post({ path: 'acme/Made', visibility: 'public', monitor_access_level: 'disabled' });
    assert.equal(made.status, 201);
    const { id, name, visibility, monitor_access_level: monitor } = made.json();
    assert.deepEqual([name, visibility, monitor], ['Made', 'public', 'disabled']);
    assert.equal(await app.store.accessLevel(id, administrator.user.id), 50);
    assert.equal((await post({ path: 'ACME/made' })).status, 409);
    assert.match((await post({ path: 'alone' })).json().error, /^namespace_path is missing: send it/);
    assert.match((await post({ path: 'admin/x' })).json().error, /must not be one of/);
    const moved = await app.ask('PUT', `/api/v4/projects/${id}`, {
      token: administrator.token,
      body: { path: 'acme/moved', name: 'Moved', visibility: 'private' },
    });
    assert.deepEqual(
      [moved.json().path_with_namespace, moved.json().name, moved.json().visibility],
      ['acme/moved', 'Moved', 'private'],
    );
    const gone = await app.ask('DELETE', `/api/v4/projects/${id}`, { token: administrator.token });
    assert.deepEqual([gone.status, gone.json()], [202, { message: '202 Accepted' }]);
    assert.equal(await app.store.projectById(id), null);
  });
});
