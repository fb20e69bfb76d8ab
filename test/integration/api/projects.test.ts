import assert from 'node:assert/strict';
import { startApp, type RunningApp } from '../../support/app.ts';
import { describeOnStores } from '../../support/test-stores.ts';
import { givenMember, givenPerson, givenProject } from '../../support/factories.ts';

describeOnStores('projects and the current user over REST', (kind) => {
  let app: RunningApp;

  before(async () => {
    app = await startApp(kind);
  });
  after(() => app.close());

  it('shows the current user', async () => {
    const { user, token } = await givenPerson(app.store);
    assert.deepEqual((await app.get('/api/v4/user', token)).json(), {
      id: user.id,
      username: user.username,
      name: user.name,
      state: 'active',
      is_admin: false,
      identities: [],
      two_factor_enabled: false,
      email: null,
      created_at: new Date(user.createdAt).toISOString(),
    });
  });

  it('shows the version for a valid token', async () => {
    const { token } = await givenPerson(app.store);
    assert.deepEqual((await app.get('/api/v4/version', token)).json(), { version: '1.2.3', revision: null });
    assert.equal((await app.get('/api/v4/version')).status, 401);
  });

  it('shows a project in the host’s shape', async () => {
    const project = await givenProject(app.store, { path: 'Team/Deep/shop-api', name: 'Shop API' });
    const { token } = await givenMember(app.store, project, 'guest');
    assert.deepEqual((await app.get(`/api/v4/projects/${project.id}`, token)).json(), {
      id: project.id,
      description: null,
      name: 'Shop API',
      name_with_namespace: 'Team / Deep / Shop API',
      path: 'shop-api',
      path_with_namespace: 'Team/Deep/shop-api',
      created_at: new Date(project.createdAt).toISOString(),
      web_url: 'https://errors.example.test/Team/Deep/shop-api',
      visibility: 'private',
      monitor_access_level: 'enabled',
    });
  });

  it('lists one’s own projects, and all to administrators, in pages', async () => {
    const first = await givenProject(app.store);
    const second = await givenProject(app.store);
    const { user, token } = await givenMember(app.store, first, 'guest');
    await givenProject(app.store, { visibility: 'public' });
    const ids = (answer: { json(): { id: number }[] }) => answer.json().map(({ id }) => id);
    assert.deepEqual(ids(await app.get('/api/v4/projects', token)), [first.id]);
    await app.store.setMember(second.id, user.id, 10);
    const page = await app.get('/api/v4/projects?per_page=1', token);
    assert.deepEqual(ids(page), [first.id]);
    assert.equal(page.headers.get('X-Total'), '2');
    assert.ok(
      page.headers.get('Link')?.includes('<https://errors.example.test/api/v4/projects?page=2&per_page=1>; rel="next"'),
    );
    const administrator = await givenPerson(app.store, true);
    const all = ids(await app.get('/api/v4/projects?per_page=100', administrator.token));
    assert.equal(all.length, (await app.store.listProjects()).length);
  });

  it('creates a project from the parameters of host clients, or says what to send', async () => {
    const { token } = await givenPerson(app.store, true);
    const post = (body: object) => app.ask('POST', '/api/v4/projects', { token, body });
    const made = await post({ name: 'Web Shop', path: 'web-shop', namespace_path: 'posted', description: 'ours' });
    assert.equal(made.status, 201);
    const { name, path, path_with_namespace: full } = made.json();
    assert.deepEqual([name, path, full], ['Web Shop', 'web-shop', 'posted/web-shop']);
    assert.equal((await post({ name: 'Web Shop 2', namespace_path: 'posted' })).json().path, 'web-shop-2');
    const group = await app.store.createGroup({ path: 'posted/shops', name: 'Shops' });
    const byId = await post({ name: 'Shop', path: 'shop', namespace_id: group.id });
    assert.deepEqual([byId.status, byId.json().path_with_namespace], [201, 'posted/shops/shop']);
    const unknown = await post({ name: 'Shop', path: 'shop', namespace_id: group.id + 100 });
    assert.deepEqual([unknown.status, unknown.json()], [404, { message: '404 Group Not Found' }]);
    const refused = await post({ name: 'Shop', path: 'shop' });
    assert.equal(refused.status, 400);
    assert.match(refused.json().error, /namespace_path/);
    assert.match((await post({})).json().error, /^name, path are missing/);
  });

  it('switches the Monitor feature', async () => {
    const project = await givenProject(app.store);
    const { token } = await givenMember(app.store, project, 'maintainer');
    const path = `/api/v4/projects/${project.id}`;
    const off = await app.ask('PUT', path, { token, body: { monitor_access_level: 'disabled', name: 'Renamed' } });
    assert.equal(off.status, 200);
    assert.equal(off.json().monitor_access_level, 'disabled');
    assert.equal((await app.store.projectById(project.id))?.monitorEnabled, false);
    assert.equal((await app.store.projectById(project.id))?.name, 'Renamed');
    const on = await app.ask('PUT', `${path}?monitor_access_level=enabled`, { token });
    assert.equal(on.json().monitor_access_level, 'enabled');
  });

  it('suggests as members only users whom the caller can see, and all to administrators', async () => {
    const [project, other, foreign] = await Promise.all([1, 2, 3].map(() => givenProject(app.store)));
    assert.ok(project !== undefined && other !== undefined && foreign !== undefined);
    const { user, token } = await givenMember(app.store, project, 'maintainer');
    await app.store.setMember(other.id, user.id, 10);
    const [member, both, blocked, unseen] = await Promise.all([
      givenMember(app.store, other, 'reporter'),
      givenMember(app.store, other, 'guest'),
      givenMember(app.store, other, 'guest'),
      givenMember(app.store, foreign, 'guest'),
    ]);
    await app.store.setMember(project.id, both.user.id, 10);
    await app.store.setUserBlocked(blocked.user.id, true);
    const path = `/api/v4/projects/${project.id}/member_suggestions?per_page=100`;
    const { id, username, name } = member.user;
    assert.deepEqual((await app.get(path, token)).json(), [{ id, username, name }]);
    const administrator = await givenPerson(app.store, true);
    const all = ((await app.get(path, administrator.token)).json() as { id: number }[]).map((one) => one.id);
    assert.deepEqual(
      [id, unseen.user.id, both.user.id, blocked.user.id].map((one) => all.includes(one)),
      [true, true, false, false],
    );
  });

  it('refuses other feature switches', async () => {
    const project = await givenProject(app.store);
    const { token } = await givenMember(app.store, project, 'maintainer');
    const put = async (body: object) =>
      (await app.ask('PUT', `/api/v4/projects/${project.id}`, { token, body })).json();
    assert.deepEqual(await put({}), {
      error: 'name, path, visibility, monitor_access_level are missing, at least one parameter must be provided',
    });
    assert.deepEqual(await put({ monitor_access_level: 'private' }), {
      error: 'monitor_access_level does not have a valid value: use one of enabled | disabled',
    });
  });
});
