import assert from 'node:assert/strict';
import { firstAuditId } from '../../../src/domain/audit/audit-event.ts';
import { AppError } from '../../../src/domain/app-error.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { auditEvent, listAudit } from '../../support/audit-data.ts';
import {
  givenMember,
  givenPassword,
  givenPerson,
  givenProject,
  givenToken,
  type Person,
} from '../../support/factories.ts';
import { describeOnStores } from '../../support/test-stores.ts';

describeOnStores('audit log over REST', (kind) => {
  let app: RunningApp;
  let project: Project;
  let admin: Person;
  let owner: Person;
  let path: string;

  before(async () => {
    app = await startApp(kind);
  });
  after(() => app.close());
  beforeEach(async () => {
    project = await givenProject(app.store);
    admin = await givenPerson(app.store, true);
    owner = await givenMember(app.store, project, 'owner');
    path = `/api/v4/projects/${project.id}`;
    // Beyond the limits of refusals of the test before.
    app.clock.at += 86_400_000;
  });

  const events = async (query = '', of = `${path}/audit_events`, token = owner.token) => {
    const answer = await app.get(`${of}${query}`, token);
    assert.equal(answer.status, 200, answer.text);
    return answer.json() as { id: number; event_name: string; details: Record<string, unknown> }[];
  };
  const change = (body: object, token = owner.token) => app.ask('PUT', path, { token, body });

  it('shows owners who changed a project, in the shape of the host', async () => {
    const at = new Date(app.clock.at).toISOString();
    assert.equal((await change({ name: 'Renamed' })).status, 200);
    const tokenId = (await app.store.listTokens(owner.user.id))[0]?.id;
    assert.deepEqual(await events(), [
      {
        id: firstAuditId(app.clock.at),
        author_id: owner.user.id,
        entity_id: project.id,
        entity_type: 'Project',
        event_name: 'project_changed',
        details: {
          ...{ author_name: owner.user.username, ip_address: '127.0.0.1', entity_path: project.path },
          ...{ target_type: 'Project', target_id: String(project.id), target_details: project.path },
          ...{ outcome: 'done', changes: [{ name: 'name', from: project.name, to: 'Renamed' }], token_id: tokenId },
          ...{ change: 'name', from: project.name, to: 'Renamed' },
        },
        created_at: at,
      },
    ]);
  });

  it('is filtered by time, author, event and outcome, and paged', async () => {
    const begin = app.clock.at;
    for (const name of ['a', 'b', 'c']) {
      await change({ name });
      app.clock.at += 60_000;
    }
    await app.ask('POST', `${path}/members`, {
      token: admin.token,
      body: { user_id: admin.user.id, access_level: 20 },
    });
    const names = async (query: string) => (await events(query)).map(({ event_name: name }) => name);
    assert.deepEqual(await names(`?author_id=${admin.user.id}`), ['member_added']);
    assert.deepEqual(await names('?event_name=member_added'), ['member_added']);
    assert.deepEqual(await names('?outcome=refused'), []);
    const instant = (minutes: number) => new Date(begin + minutes * 60_000).toISOString();
    const times = `?created_after=${instant(1)}&created_before=${instant(2)}`;
    assert.deepEqual(
      (await events(times)).map(({ details }) => details['to']),
      ['c', 'b'],
    );
    const first = await app.get(`${path}/audit_events?per_page=3`, owner.token);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('Link') ?? '')?.[1] ?? '';
    const second = await app.get(next.slice(next.indexOf('/api/')), owner.token);
    assert.deepEqual([first.json().length, second.json().length, second.headers.get('Link')], [3, 1, null]);
    const cursor = new URL(next).searchParams.get('cursor') ?? '';
    for (const wrong of [`?cursor=${cursor}&outcome=done`, '?cursor=x', '?created_after=x', '?event_name=x']) {
      assert.equal((await app.get(`${path}/audit_events${wrong}`, owner.token)).status, 400, wrong);
    }
  });

  it('of a group has what was changed of the group, for its owners', async () => {
    const group = await app.store.createGroup({ path: `group${project.id}`, name: 'Group' });
    await app.store.setGroupMember(group.id, owner.user.id, 50);
    const ofGroup = `/api/v4/groups/${group.id}`;
    assert.equal((await app.ask('PUT', ofGroup, { token: owner.token, body: { name: 'Team' } })).status, 200);
    const [event, ...others] = await events('', `${ofGroup}/audit_events`);
    assert.deepEqual(
      [event?.event_name, event?.details['entity_path'], event?.details['from'], event?.details['to']],
      ['group_changed', group.path, 'Group', 'Team'],
    );
    assert.deepEqual(others, []);
    assert.match((await app.get(`${ofGroup}/audit_events.csv`, owner.token)).text, /group_changed,done/);
    const maintainer = await givenPerson(app.store);
    await app.store.setGroupMember(group.id, maintainer.user.id, 40);
    assert.equal((await app.get(`${ofGroup}/audit_events`, maintainer.token)).status, 403);
    // It is there because it has a project.
    const neverMade = `/api/v4/groups/${encodeURIComponent(project.path.slice(0, project.path.lastIndexOf('/')))}`;
    assert.deepEqual(await events('', `${neverMade}/audit_events`, admin.token), []);
  });

  it('says that an administrator set the password of somebody, and never has it', async () => {
    const other = await givenPassword(app.store, 'correct horse');
    const body = { password: 'battery staple 9' };
    const answer = await app.ask('PUT', `/api/v4/users/${other.id}`, { token: admin.token, body });
    assert.equal(answer.status, 200, answer.text);
    const [event] = await events(`?entity_type=User&entity_id=${other.id}`, '/api/v4/audit_events', admin.token);
    assert.deepEqual(event?.details['changes'], [{ name: 'password', from: '(hidden)', to: '(hidden, replaced)' }]);
  });

  it('of the instance has everything, by entity, for administrators', async () => {
    const made = await app.ask('POST', '/api/v4/users', { token: admin.token, body: { username: `u${project.id}` } });
    const { id } = made.json() as { id: number };
    const all = '/api/v4/audit_events';
    const [event] = await events(`?entity_type=User&entity_id=${id}`, all, admin.token);
    assert.equal(event?.event_name, 'user_created');
    assert.deepEqual((await events(`?author_id=${admin.user.id}`, all, admin.token)).length, 1);
    assert.deepEqual(await events('?entity_type=Instance&event_name=user_created', all, admin.token), []);
    for (const wrong of ['?entity_type=User', '?entity_id=1', '?entity_type=Instance&entity_id=1']) {
      assert.equal((await app.get(`${all}${wrong}`, admin.token)).status, 400, wrong);
    }
    assert.equal((await app.get(all, owner.token)).status, 403);
  });

  it('is a file for spreadsheets, in which no text is a formula', async () => {
    await change({ name: '=HYPERLINK("http://evil.test")' });
    const answer = await app.get(`${path}/audit_events.csv?bom=true`, owner.token);
    const [head, row] = answer.text.split('\r\n');
    assert.match(head ?? '', /^id,created_at,event_name,outcome,/);
    assert.match(row ?? '', /project_changed,done,/);
    assert.doesNotMatch(answer.text, /(^|[,;"])=/m);
    assert.match(answer.headers.get('Content-Disposition') ?? '', /audit-events\.csv/);
    assert.equal((await app.get('/api/v4/audit_events.csv', admin.token)).status, 200);
  });

  it('stays readable for administrators when the project is deleted', async () => {
    assert.equal((await app.ask('DELETE', path, { token: owner.token })).status, 202);
    const query = `?entity_type=Project&entity_id=${project.id}`;
    const [event] = await events(query, '/api/v4/audit_events', admin.token);
    assert.deepEqual([event?.event_name, event?.details['entity_path']], ['project_deleted', project.path]);
  });

  describe('of what was not done', () => {
    it('says that a change failed, with its code and without its values', async () => {
      const other = await givenProject(app.store);
      assert.equal((await change({ path: other.path })).status, 409);
      const [event] = await events();
      assert.deepEqual([event?.details['outcome'], event?.details['code']], ['failed', 'conflict']);
      assert.deepEqual(event?.details['changes'], []);
    });

    it('has members who tried what they may not, for the owners of the project', async () => {
      const guest = await givenMember(app.store, project, 'guest');
      assert.equal((await change({ name: 'mine' }, guest.token)).status, 403);
      const reader = (await givenToken(app.store, owner.user, ['read_api'])).text;
      assert.equal((await change({ name: 'mine' }, reader)).status, 403);
      const found = await events();
      assert.deepEqual(
        found.map(({ event_name: name, details }) => [
          name,
          details['author_name'],
          details['code'],
          details['target_details'],
        ]),
        [
          ['access_refused', owner.user.username, 'insufficient_scope', 'updateProject'],
          ['access_refused', guest.user.username, 'forbidden', 'updateProject'],
        ],
      );
    });

    it('has changes of a group that one cannot see as refused', async () => {
      const group = await app.store.createGroup({ path: `hidden${project.id}`, name: 'Hidden' });
      const stranger = await givenPerson(app.store);
      const ask = (method: string, path: string, body: object) =>
        app.ask(method, `/api/v4/groups/${group.id}${path}`, { token: stranger.token, body });
      assert.equal((await ask('PUT', '', { name: 'Mine' })).status, 404);
      assert.equal((await ask('POST', '/members', { user_id: stranger.user.id, access_level: 50 })).status, 404);
      const found = (await listAudit(app.store)).filter(({ authorId }) => authorId === stranger.user.id);
      assert.deepEqual(
        found.map(({ event, outcome, details }) => [event, outcome, details.code]),
        [
          ['access_refused', 'refused', 'group_not_found'],
          ['access_refused', 'refused', 'group_not_found'],
        ],
      );
    });

    it('has refused sign-ins, but never what was typed as a name that nobody has', async () => {
      const user = await givenPassword(app.store, 'correct horse');
      const signIn = (username: string) =>
        app.ask('POST', '/-/session', { body: { username, password: 'wrong horse' } });
      assert.equal((await signIn(user.username)).status, 401);
      assert.equal((await signIn('my secret password')).status, 401);
      const [unknown, known] = await listAudit(app.store);
      assert.deepEqual(
        [known?.event, known?.outcome, known?.authorId, known?.entityId, known?.targetName],
        ['sign_in_refused', 'refused', null, user.id, user.username],
      );
      assert.deepEqual([unknown?.entityType, unknown?.targetName], ['Instance', 'unknown user name']);
      assert.doesNotMatch(JSON.stringify([unknown, known]), /horse|secret/);
    });

    it('is bounded: a flood of refusals has few events, and one with their number', async () => {
      const guest = await givenMember(app.store, project, 'guest');
      for (let turn = 0; turn < 30; turn += 1) assert.equal((await change({ name: 'x' }, guest.token)).status, 403);
      assert.equal((await events('?per_page=100')).length, 10);
      await app.auditTrail.writeLeftOut();
      await app.auditTrail.writeLeftOut();
      const [left, next] = await listAudit(app.store);
      assert.deepEqual(
        [left?.event, left?.details.leftOut, left?.address, next?.authorId],
        ['access_refused', 20, '127.0.0.1', guest.user.id],
      );
    });
  });

  it('refuses a change that it cannot write, and makes none', async () => {
    const { auditTrail } = app.deps;
    const away = () => Promise.reject(new AppError('store_unavailable', 'the store is away'));
    app.deps.auditTrail = { ...auditTrail, begin: away, record: away };
    try {
      assert.equal((await change({ name: 'unlogged' })).status, 503);
      assert.equal((await app.store.projectById(project.id))?.name, project.name);
      const user = await givenPassword(app.store, 'correct horse');
      const body = { username: user.username, password: 'correct horse' };
      const answer = await app.ask('POST', '/-/session', { body });
      assert.deepEqual([answer.status, answer.headers.getSetCookie()], [503, []]);
    } finally {
      app.deps.auditTrail = auditTrail;
    }
  });

  it('shows a change whose process ended amid it as started', async () => {
    await app.store.addAuditEvent(
      auditEvent(0, { id: firstAuditId(app.clock.at), outcome: 'started', entityId: project.id }),
    );
    const [event] = await events();
    assert.equal(event?.details['outcome'], 'started');
  });
});
