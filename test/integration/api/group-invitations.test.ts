import assert from 'node:assert/strict';
import type { Group } from '../../../src/domain/projects/group.ts';
import { listAudit } from '../../support/audit-data.ts';
import { startApp, type Answer, type RunningApp } from '../../support/app.ts';
import { givenPerson, givenProject, type Person } from '../../support/factories.ts';
import { tokenOf } from '../../support/invitation-world.ts';
import { describeOnStores } from '../../support/test-stores.ts';

describeOnStores('invitations to groups', (kind) => {
  let app: RunningApp;
  let group: Group;
  let owner: Person;
  let serial = 0;

  before(async () => {
    app = await startApp(kind);
  });
  after(() => app.close());
  beforeEach(async () => {
    serial += 1;
    owner = await givenPerson(app.store);
    group = await app.store.createGroup({ path: `team${serial}`, name: 'Team' });
    await app.store.setGroupMember(group.id, owner.user.id, 50);
  });

  const as = (person: Person, method: string, path = '', body?: object, of: string | number = group.id) =>
    app.ask(method, `/api/v4/groups/${of}/invitations${path}`, {
      token: person.token,
      ...(body === undefined ? {} : { body }),
    });
  const open = (path: string, token: string, person?: Person): Promise<Answer> =>
    app.ask('POST', `/-/invitation${path}`, {
      body: { token },
      ...(person === undefined ? {} : { token: person.token }),
    });
  const invited = async (email: string, level = 30, by = owner) => {
    const answer = await as(by, 'POST', '', { email, access_level: level });
    assert.deepEqual([answer.status, answer.json().status], [201, 'success'], answer.text);
    return tokenOf(answer.json().links[0].url);
  };

  it('give a role in the group and in the projects below', async () => {
    const project = await givenProject(app.store, { path: `${group.path}/app` });
    const token = await invited('grace@shop.test');
    const { state, invitation } = (await open('', token)).json();
    assert.deepEqual([state, invitation.kind, invitation.path], ['open', 'group', group.path]);
    const person = await givenPerson(app.store);
    const joined = await open('/join', token, person);
    assert.deepEqual([joined.status, joined.json()], [200, { kind: 'group', path: group.path }]);
    assert.equal(await app.store.accessLevel(project.id, person.user.id), 30);
    const [accepted] = await listAudit(app.store);
    assert.deepEqual(
      [accepted?.event, accepted?.entityType, accepted?.entityId],
      ['invitation_accepted', 'Group', group.id],
    );
    assert.deepEqual((await as(owner, 'GET')).json(), []);
  });

  it('are made by owners, changed and withdrawn', async () => {
    const maintainer = await givenPerson(app.store);
    await app.store.setGroupMember(group.id, maintainer.user.id, 40);
    assert.equal((await as(maintainer, 'POST', '', { email: 'a@shop.test', access_level: 10 })).status, 403);
    assert.equal((await as(maintainer, 'GET')).status, 403);
    const token = await invited('b@shop.test');
    assert.equal((await as(owner, 'PUT', '/b@shop.test', { access_level: 10 })).json().access_level, 10);
    assert.equal((await as(owner, 'POST', '/b@shop.test/link')).status, 201);
    assert.equal((await open('', token)).json().state, 'unknown');
    assert.equal((await as(owner, 'DELETE', '/b@shop.test')).status, 204);
    assert.equal((await as(owner, 'DELETE', '/b@shop.test')).status, 404);
    const { message } = (await as(owner, 'POST', '', { email: 'nobody', access_level: 10 })).json();
    assert.deepEqual(message, { nobody: 'Invite email is invalid' });
  });

  it('follow a group that moves, and end with it', async () => {
    const token = await invited('c@shop.test');
    await app.store.moveGroup(group.id, { path: `${group.path}-moved`, parentId: null });
    assert.equal((await open('', token)).json().invitation.path, `${group.path}-moved`);
    await app.store.deleteGroup(group.id);
    assert.equal((await open('', token)).json().state, 'unknown');
  });

  it('end when who invited is no owner any more', async () => {
    const second = await givenPerson(app.store);
    await app.store.setGroupMember(group.id, second.user.id, 50);
    const token = await invited('d@shop.test', 30, second);
    await app.store.setGroupMember(group.id, second.user.id, 40);
    assert.equal((await open('', token)).json().state, 'refused');
  });

  it('make the row of a group that has only projects', async () => {
    const administrator = await givenPerson(app.store, true);
    await givenProject(app.store, { path: `only${serial}/app` });
    const at = `only${serial}`;
    assert.deepEqual((await as(administrator, 'GET', '', undefined, at)).json(), []);
    assert.equal((await as(administrator, 'DELETE', '/e@shop.test', undefined, at)).status, 404);
    assert.equal(await app.store.groupByPath(at), null);
    const answer = await as(administrator, 'POST', '', { email: 'e@shop.test', access_level: 30 }, at);
    assert.equal(answer.status, 201, answer.text);
    assert.notEqual(await app.store.groupByPath(at), null);
    assert.equal((await as(administrator, 'GET', '', undefined, at)).json().length, 1);
  });
});
