import assert from 'node:assert/strict';
import { Audience, listenersOf } from '../../../src/alerts/routing/audience.ts';
import { DEFAULT_RULE } from '../../../src/domain/alerts/alert-rule.ts';
import { ACCESS_LEVELS, type AccessLevelName } from '../../../src/domain/projects/account.ts';
import type { Group } from '../../../src/domain/projects/group.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenMember, givenPerson, givenProject, type Person } from '../../support/factories.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const API = '/api/v4';
const NOT_FOUND = { message: '404 Group Not Found' };

describeOnStores('groups', (kind) => {
  let app: RunningApp;
  let serial = 0;
  before(async () => {
    app = await startApp(kind);
  });
  after(() => app.close());

  /** A group with a path of its own. */
  async function givenGroup(below?: Group): Promise<Group> {
    serial += 1;
    const path = `${below === undefined ? '' : `${below.path}/`}Group${serial}`;
    return app.store.createGroup({ path, name: `Group ${serial}` });
  }

  async function givenRole(group: Group, role: AccessLevelName): Promise<Person> {
    const person = await givenPerson(app.store);
    await app.store.setGroupMember(group.id, person.user.id, ACCESS_LEVELS[role]);
    return person;
  }

  const ask = (method: string, path: string, token: string, body?: object) =>
    app.ask(method, `${API}${path}`, { token, ...(body === undefined ? {} : { body }) });

  it('are shown in the shape of the host, by id and by path', async () => {
    const above = await givenGroup();
    const group = await givenGroup(above);
    const { token } = await givenRole(above, 'developer');
    const found = await ask('GET', `/groups/${group.id}`, token);
    assert.equal(found.status, 200);
    assert.deepEqual(found.json(), {
      ...{ id: group.id, name: group.name, path: group.path.split('/')[1], full_path: group.path },
      ...{ full_name: `${above.path} / ${group.name}`, description: null, visibility: 'private', parent_id: above.id },
      ...{ default_visibility: 'inherit', default_error_tracking: 'inherit', default_alerts: 'inherit' },
      web_url: `https://errors.example.test/-/groups/${group.path}`,
      created_at: new Date(group.createdAt).toISOString(),
      access_level: 30,
    });
    const byPath = await ask('GET', `/groups/${encodeURIComponent(group.path.toLowerCase())}`, token);
    assert.deepEqual(byPath.json(), found.json());
    const stranger = await givenPerson(app.store);
    for (const reference of [group.id, encodeURIComponent(group.path), group.id + 1000, 'none', '%00', '..%2F..']) {
      const answer = await ask('GET', `/groups/${reference}`, stranger.token);
      assert.deepEqual([answer.status, answer.json()], [404, NOT_FOUND], String(reference));
    }
  });

  it('are there without having been made, for the members of their projects', async () => {
    const project = await givenProject(app.store, { path: 'Never/made/app' });
    const other = await givenProject(app.store, { path: 'never/made/other' });
    const { user, token } = await givenMember(app.store, project, 'owner');
    const group = (await ask('GET', '/groups/never%2Fmade', token)).json();
    assert.deepEqual([group.id, group.full_path, group.access_level], [null, 'Never/made', null]);
    const listed = (await ask('GET', '/groups', token)).json();
    assert.deepEqual(listed.map((each: { full_path: string }) => each.full_path), ['Never', 'Never/made']); // prettier-ignore
    const projects = (await ask('GET', '/groups/never/projects?include_subgroups=true', token)).json();
    assert.deepEqual(projects.map(({ id }: { id: number }) => id), [project.id]); // prettier-ignore
    assert.deepEqual((await ask('GET', '/groups/never/projects', token)).json(), []);
    // The owner of a project has no role in its group.
    for (const [method, path, body] of [
      ['GET', '/groups/never/members', undefined],
      ['PUT', '/groups/never', { name: 'Mine' }],
      ['POST', '/groups/never/members', { user_id: user.id, access_level: 50 }],
      ['POST', '/groups', { name: 'Mine', path: 'made', parent_path: 'never' }],
      ['POST', '/projects', { path: 'never/made/more' }],
      ['DELETE', '/groups/never', undefined],
    ] as const) {
      assert.equal((await ask(method, path, token, body)).status, 403, `${method} ${path}`);
    }

    const administrator = await givenPerson(app.store, true);
    assert.equal((await ask('DELETE', '/groups/never', administrator.token)).status, 409);
    const added = await ask('POST', '/groups/never/members', administrator.token, {
      username: user.username,
      access_level: 20,
    });
    assert.equal(added.status, 201);
    assert.equal(await app.store.accessLevel(other.id, user.id), 20);
    assert.equal((await app.store.groupByPath('never'))?.path, 'Never');
  });

  it('are made by administrators anywhere, and by Maintainers of the group above', async () => {
    const above = await givenGroup();
    const [maintainer, developer] = [await givenRole(above, 'maintainer'), await givenRole(above, 'developer')];
    const make = (token: string, body: object) => ask('POST', '/groups', token, { name: 'New', ...body });
    for (const [token, parent] of [
      [maintainer.token, {}],
      [maintainer.token, { parent_id: above.id + 1000 }],
      // Digits are a path here, and no id.
      [maintainer.token, { parent_path: String(above.id) }],
      [developer.token, { parent_id: above.id }],
    ] as const) {
      assert.equal((await make(token, { path: 'new', ...parent })).status, 403);
    }
    const made = await make(maintainer.token, { path: 'new', parent_id: above.id, description: 'Ours' });
    assert.deepEqual([made.status, made.json().full_path, made.json().access_level], [201, `${above.path}/new`, 50]);
    assert.equal((await make(maintainer.token, { path: 'New', parent_path: above.path })).status, 409);
    const administrator = await givenPerson(app.store, true);
    const top = await make(administrator.token, { path: `top${serial}` });
    assert.deepEqual([top.status, top.json().access_level, top.json().parent_id], [201, 50, null]);
    assert.equal((await make(administrator.token, { path: 'x', parent_id: 9_999_999 })).status, 404);
    for (const path of ['a/b', '12', 'api', 'a b', '', '-x']) {
      const refused = await make(administrator.token, { path });
      assert.equal(refused.status, path === 'a/b' ? 201 : 400, `${path} ${refused.text}`);
    }
    const project = await givenProject(app.store);
    const [parent, last] = [project.path.slice(0, project.path.lastIndexOf('/')), project.name];
    assert.equal((await make(administrator.token, { path: last, parent_path: parent })).status, 409);
  });

  it('give nobody a higher role in projects that are there than they had', async () => {
    const above = await givenGroup();
    const project = await givenProject(app.store, { path: `${above.path}/team/app` });
    const { user, token } = await givenRole(above, 'maintainer');
    const made = await ask('POST', '/groups', token, { name: 'Team', path: 'team', parent_id: above.id });
    assert.deepEqual([made.status, made.json().access_level], [201, 40]);
    assert.equal(await app.store.accessLevel(project.id, user.id), 40);
    const created = await ask('POST', '/projects', token, { path: `${above.path}/team/more` });
    assert.equal(created.status, 201);
    assert.equal(await app.store.accessLevel(created.json().id, user.id), 40);
    assert.equal((await ask('DELETE', `/projects/${created.json().id}`, token)).status, 403);
    // A project does not take the path of a group, nor that of an id.
    assert.equal((await ask('POST', '/projects', token, { path: `${above.path}/team` })).status, 409);
    const digits = await ask('POST', '/projects', token, { name: 'x', path: 'x', namespace_path: String(above.id) });
    assert.equal(digits.status, 403);
  });

  it('are never at the path of a project, nor below one, however they are made', async () => {
    const above = await givenGroup();
    const project = await givenProject(app.store, { path: `${above.path}/web` });
    const { token, user } = await givenPerson(app.store, true);
    const refused = async (method: string, path: string, body: object, reason: RegExp) => {
      const answer = await ask(method, path, token, body);
      assert.equal(answer.status, 409, `${method} ${path}: ${answer.text}`);
      assert.match(answer.json().message, reason);
    };
    const isProject = new RegExp(`${above.path}/web is a project`, 'i');
    await refused('POST', '/projects', { path: `${project.path}/inner` }, isProject);
    await refused('POST', '/groups', { name: 'x', path: 'inner', parent_path: project.path }, isProject);
    const [movedGroup, movedProject] = [await givenGroup(), await givenProject(app.store)];
    await refused('PUT', `/groups/${movedGroup.id}`, { full_path: `${project.path}/deep/er` }, isProject);
    await refused('PUT', `/projects/${movedProject.id}`, { path: `${project.path}/app` }, isProject);
    await refused('POST', '/projects', { path: `${above.path.toUpperCase()}/WEB/inner` }, isProject);

    // Older stores may have a project below another one. It keeps working, but its groups are not made.
    const inner = await givenProject(app.store, { path: `${project.path}/deep/inner` });
    const member = { user_id: user.id, access_level: 30 };
    for (const [path, reason] of [
      [project.path, /taken by a project/],
      [`${project.path}/deep`, isProject],
    ] as const) {
      const reference = `/groups/${encodeURIComponent(path)}`;
      await refused('POST', `${reference}/members`, member, reason);
      await refused('PUT', reference, { name: 'Mine' }, reason);
      await refused('POST', `${reference}/invitations`, { email: 'x@example.org', access_level: 30 }, reason);
    }
    assert.deepEqual(await app.store.listMembers(project.id), []);
    const renamed = await ask('PUT', `/projects/${inner.id}`, token, { path: `${project.path}/deep/renamed` });
    assert.equal(renamed.status, 200);
    const cased = await ask('PUT', `/projects/${project.id}`, token, { path: project.path.toUpperCase() });
    assert.equal(cased.status, 200);
    // Nor does a project take the path of a group that is there by its projects or groups.
    await givenProject(app.store, { path: `${above.path}/team/app` });
    await app.store.createGroup({ path: `${above.path}/made/below`, name: 'Below' });
    await refused('POST', '/projects', { path: `${above.path}/team` }, /a group has the path/);
    await refused('PUT', `/projects/${movedProject.id}`, { path: `${above.path}/made` }, /a group has the path/);
  });

  it('have members, whose roles hold below', async () => {
    const group = await givenGroup();
    const project = await givenProject(app.store, { path: `${group.path}/app` });
    const [ofGroup, reporter] = [await givenRole(group, 'owner'), await givenPerson(app.store)];
    const members = `/groups/${group.id}/members`;
    const added = await ask('POST', members, ofGroup.token, { user_id: reporter.user.id, access_level: 20 });
    const { id, username, name } = reporter.user;
    const shown = { id, username, name, state: 'active', access_level: 20 };
    assert.deepEqual([added.status, added.json()], [201, shown]);
    assert.equal((await ask('POST', members, ofGroup.token, { user_id: id, access_level: 20 })).status, 409);
    assert.equal((await ask('GET', `/projects/${project.id}`, reporter.token)).status, 200);
    const listed = (await ask('GET', members, reporter.token)).json();
    assert.deepEqual(listed.map((each: { id: number }) => each.id), [ofGroup.user.id, id]); // prettier-ignore

    await app.store.setMember(project.id, id, 10);
    assert.deepEqual((await ask('GET', `/projects/${project.id}/members`, reporter.token)).json(), [
      { ...shown, access_level: 10 },
    ]);
    const all = (await ask('GET', `/projects/${project.id}/members/all`, reporter.token)).json();
    assert.deepEqual(all[1], {
      ...shown,
      origins: [
        { kind: 'group', path: group.path, access_level: 20 },
        { kind: 'project', path: project.path, access_level: 10 },
      ],
    });
    const changed = await ask('PUT', `${members}/${id}`, ofGroup.token, { access_level: 30 });
    assert.deepEqual([changed.status, changed.json().access_level], [200, 30]);
    assert.equal((await ask('PUT', `${members}/${id}`, ofGroup.token, { access_level: 31 })).status, 400);
    assert.equal((await ask('PUT', `${members}/${id}`, reporter.token, { access_level: 50 })).status, 403);
    const last = await ask('DELETE', `${members}/${ofGroup.user.id}`, ofGroup.token);
    assert.equal(last.status, 409);
    assert.match(last.json().message, /last owner/);
    assert.equal((await ask('DELETE', `${members}/${id}`, ofGroup.token)).status, 204);
    assert.equal((await ask('DELETE', `${members}/${id}`, ofGroup.token)).status, 404);
    assert.equal(await app.store.accessLevel(project.id, id), 10);
  });

  it('give the role in a project by membership of its group alone, also for pages about many projects', async () => {
    const group = await givenGroup();
    const project = await givenProject(app.store, { path: `${group.path}/deep/app` });
    const { token } = await givenRole(group, 'reporter');
    const [overview] = (await ask('GET', '/error_tracking/projects', token)).json();
    assert.deepEqual([overview.project.id, overview.access_level], [project.id, 20]);
    assert.equal((await ask('GET', '/projects', token)).json()[0].id, project.id);
    assert.equal((await ask('GET', '/groups?min_access_level=20', token)).json().length, 2);
    assert.equal((await ask('GET', '/groups?min_access_level=30', token)).json().length, 0);
    assert.equal((await ask('GET', '/groups?search=DEEP', token)).json()[0].full_path, `${group.path}/deep`);
  });

  it('move with everything below, to a group in which the owner may make one', async () => {
    const [group, target] = [await givenGroup(), await givenGroup()];
    const project = await givenProject(app.store, { path: `${group.path}/app` });
    const { user, token } = await givenRole(group, 'owner');
    const path = `/groups/${group.id}`;
    assert.equal((await ask('PUT', path, token, {})).status, 400);
    assert.equal((await ask('PUT', path, token, { full_path: `${target.path}/moved` })).status, 403);
    await app.store.setGroupMember(target.id, user.id, 40);
    const below = await ask('PUT', path, token, { full_path: `${group.path}/team/below` });
    assert.deepEqual([below.status, /below itself/.test(below.json().message)], [409, true]);
    const moved = await ask('PUT', path, token, { full_path: `${target.path}/moved`, name: 'Moved' });
    assert.deepEqual(
      [moved.status, moved.json().full_path, moved.json().name, moved.json().parent_id],
      [200, `${target.path}/moved`, 'Moved', target.id],
    );
    const former = await ask('GET', `/projects/${encodeURIComponent(project.path)}`, token);
    assert.deepEqual([former.status, former.headers.get('Location')?.endsWith(`/projects/${project.id}`)], [301, true]);
    // Back to no group is for administrators.
    assert.equal((await ask('PUT', path, token, { full_path: 'moved' })).status, 403);
    const administrator = await givenPerson(app.store, true);
    assert.equal((await ask('PUT', path, administrator.token, { full_path: 'moved' })).status, 200);
    assert.equal((await ask('PUT', path, token, { description: 'Ours.' })).json().description, 'Ours.');
    assert.equal((await ask('PUT', path, token, { description: '' })).json().description, null);
    assert.equal((await app.store.projectById(project.id))?.path, 'moved/app');
    assert.equal((await ask('DELETE', path, token)).status, 409);
    await app.store.deleteProject(project.id);
    assert.deepEqual([(await ask('DELETE', path, token)).status, (await ask('GET', path, token)).status], [202, 404]);
  });

  it('take projects of their owners, who may create projects there', async () => {
    const [group, target] = [await givenGroup(), await givenGroup()];
    const project = await givenProject(app.store, { path: `${group.path}/app` });
    const [owner, maintainer] = [await givenMember(app.store, project, 'owner'), await givenRole(group, 'maintainer')];
    const move = ({ token }: Person, path: string) => ask('PUT', `/projects/${project.id}`, token, { path });
    for (const { user } of [owner, maintainer]) await app.store.setGroupMember(target.id, user.id, 30);
    assert.equal((await move(owner, `${target.path}/app`)).status, 403);
    for (const { user } of [owner, maintainer]) await app.store.setGroupMember(target.id, user.id, 40);
    // A Maintainer renames it, but would become its owner in a group of their own.
    assert.equal((await move(maintainer, `${group.path}/renamed`)).status, 200);
    assert.equal((await move(maintainer, `${target.path}/renamed`)).status, 403);
    assert.equal((await move(owner, `${target.path}/renamed`)).status, 200);
    assert.equal((await move(owner, target.path)).status, 400);
    assert.equal(await app.store.accessLevel(project.id, maintainer.user.id), 40);
  });

  it('say what new projects below begin with, the nearest first', async () => {
    const above = await givenGroup();
    const near = await givenGroup(above);
    const { token } = await givenRole(above, 'owner');
    const set = (group: Group, body: object) => ask('PUT', `/groups/${group.id}`, token, body);
    const far = { default_visibility: 'public', default_error_tracking: 'enabled', default_alerts: 'hourly' };
    assert.equal((await set(above, far)).status, 200);
    const changed = await set(near, { default_alerts: 'off' });
    assert.deepEqual([changed.json().default_alerts, changed.json().default_visibility], ['off', 'inherit']);
    assert.equal((await set(near, { default_alerts: 'never' })).status, 400);
    const alerts = async (id: number) => (await app.store.projectAlerts(id))?.rules[0];

    const first = (await ask('POST', '/projects', token, { path: `${near.path}/one` })).json();
    assert.equal(first.visibility, 'public');
    assert.deepEqual((await app.store.settings(first.id))?.active, true);
    assert.equal((await alerts(first.id))?.enabled, false);
    const own = { path: `${above.path}/two`, visibility: 'private' };
    const second = (await ask('POST', '/projects', token, own)).json();
    assert.equal(second.visibility, 'private');
    assert.deepEqual([(await alerts(second.id))?.enabled, (await alerts(second.id))?.how.mode], [true, 'hourly']);
    // What was made before stays as it is.
    await set(above, { default_alerts: 'daily' });
    assert.equal((await alerts(second.id))?.how.mode, 'hourly');
    const outside = await givenGroup();
    const admin = await givenPerson(app.store, true);
    const third = (await ask('POST', '/projects', admin.token, { path: `${outside.path}/three` })).json();
    assert.equal(third.visibility, 'private');
    assert.deepEqual([await app.store.settings(third.id), await app.store.projectAlerts(third.id)], [null, null]);
  });

  it('bring the alerts of their projects to members from Developer up', async () => {
    const group = await givenGroup();
    const project = await givenProject(app.store, { path: `${group.path}/app` });
    const [developer, reporter] = [await givenRole(group, 'developer'), await givenRole(group, 'reporter')];
    const told = async () => {
      const audience = await new Audience(app.store, true).project(project.id);
      return audience === null ? [] : listenersOf(DEFAULT_RULE, audience).map(({ user }) => user.id);
    };
    assert.deepEqual(await told(), [developer.user.id]);
    await app.store.setGroupMember(group.id, reporter.user.id, 40);
    await app.store.setUserBlocked(developer.user.id, true);
    assert.deepEqual(await told(), [reporter.user.id]);
    await app.store.removeGroupMember(group.id, reporter.user.id);
    assert.deepEqual(await told(), []);
  });
});
