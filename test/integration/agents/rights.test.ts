import assert from 'node:assert/strict';
import { AppError } from '../../../src/domain/app-error.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import { connectAgent, type AgentClient } from '../../support/agent-client.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { listAudit } from '../../support/audit-data.ts';
import { givenEvents, givenMember, givenPerson, givenToken, givenTrackedProject } from '../../support/factories.ts';
import { describeOnStores } from '../../support/test-stores.ts';

/** Calls of every tool that names a project. */
const callsIn = (project: string | number) =>
  [
    ['list_errors', { project }],
    ['get_error', { project, id: 1 }],
    ['get_stack_trace', { project, id: 1 }],
    ['list_events', { project, id: 1 }],
    ['get_event', { project, id: 1, part: 'tags' }],
    ['list_releases', { project }],
    ['compare_releases', { project, a: 'app@0.9', b: 'app@1.0' }],
    ['update_error_status', { project, id: 1, status: 'resolved' }],
  ] as const;

describeOnStores('rights of agents', (kind) => {
  let app: RunningApp;
  let project: Project;
  let other: Project;
  const agents: AgentClient[] = [];

  before(async () => {
    app = await startApp(kind);
    project = await givenTrackedProject(app.store, { path: 'demo/shop' });
    other = await givenTrackedProject(app.store, { path: 'other/secret' });
    await givenEvents(app.store, project, [
      { at: app.clock.at - 60_000, event: { release: 'app@0.9' } },
      { at: app.clock.at },
    ]);
    await givenEvents(app.store, other, [{ at: app.clock.at, title: 'a secret' }]);
  });
  afterEach(async () => {
    for (const agent of agents.splice(0)) await agent.close();
  });
  after(() => app.close());

  async function agentWith(token: string): Promise<AgentClient> {
    const agent = await connectAgent(app, token);
    agents.push(agent);
    return agent;
  }

  it('are those of the token: read_api reads, api also sets a status', async () => {
    const { user } = await givenMember(app.store, project, 'developer');
    const reading = await agentWith((await givenToken(app.store, user, ['read_api'])).text);
    const writing = await agentWith((await givenToken(app.store, user, ['api'])).text);
    for (const [name, args] of callsIn('demo/shop')) {
      const { isError, text } = await reading.call(name, args);
      assert.equal(isError, name === 'update_error_status', text);
      if (isError) assert.match(text, /^insufficient_scope: .*scope api/);
      assert.equal((await writing.call(name, args)).isError, false);
    }
  });

  it('end at other projects, which are not found, by any name', async () => {
    const agent = await agentWith((await givenMember(app.store, project, 'owner')).token);
    const url = `https://errors.example.test/other/secret/-/error_tracking/1/details`;
    for (const named of [other.path, other.id, 'no/such', 999_999]) {
      for (const [name, args] of callsIn(named)) {
        const { isError, text } = await agent.call(name, args);
        assert.ok(isError);
        assert.equal(
          text,
          'project_not_found: There is no such project, or this token does not see it. list_projects names those that it sees.',
        );
      }
    }
    for (const id of [url, 'other/secret#1']) {
      assert.match((await agent.call('get_error', { id })).text, /^project_not_found: /);
    }
    assert.match(
      (await agent.call('how_to_connect', { project: 'other/secret', platform: 'go' })).text,
      /^project_not/,
    );
    const { text } = await agent.call('list_projects');
    assert.ok(text.includes('demo/shop') && !text.includes('secret'));
    assert.doesNotMatch((await agent.call('list_errors')).text, /secret/);
    assert.match((await agent.call('get_error', { project: 'demo/shop', id: 999 })).text, /^not_found: /);
  });

  it('are those of the role', async () => {
    for (const [role, reads, writes] of [
      ['guest', false, false],
      ['reporter', true, false],
      ['developer', true, true],
    ] as const) {
      const agent = await agentWith((await givenMember(app.store, project, role)).token);
      for (const [name, args] of callsIn(project.id)) {
        const { isError, text } = await agent.call(name, args);
        assert.equal(isError, !(name === 'update_error_status' ? writes : reads), `${role} ${name} ${text}`);
        if (isError) assert.match(text, /^forbidden: /);
      }
    }
  });

  it('show a DSN to maintainers whose token has the scope api', async () => {
    const key = await app.store.createKey(project.id, `glet_${'ab'.repeat(16)}`);
    const { user, token } = await givenMember(app.store, project, 'maintainer');
    const reading = (await givenToken(app.store, user, ['read_api'])).text;
    const developer = (await givenMember(app.store, project, 'developer')).token;
    const connect = async (by: string) =>
      (await agentWith(by)).call('how_to_connect', { project: 'demo/shop', platform: 'python' });
    const { structured, text } = await connect(token);
    assert.equal(
      structured.dsn,
      `https://${key.publicKey}@errors.example.test/errortracking/api/v1/projects/${project.id}`,
    );
    assert.match(text, /pip install sentry-sdk/);
    for (const by of [reading, developer]) {
      const refused = await connect(by);
      assert.equal(refused.structured.dsn, null);
      assert.doesNotMatch(refused.text, /glet_/);
      assert.match(refused.text, /Ask a maintainer/);
    }
  });

  it('leave the name of the agent in the activity and the audit log', async () => {
    const { user } = await givenMember(app.store, project, 'developer');
    const { text: token, id: tokenId } = await givenToken(app.store, user, ['api']);
    const agent = await agentWith(token);
    await agent.call('update_error_status', { project: 'demo/shop', id: 1, status: 'unresolved' });
    const { text, structured } = await agent.call('update_error_status', {
      ...{ id: 'demo/shop#1', status: 'resolved', in_release: 'app@1.0', note: 'Fixed by the guard in show().' },
    });
    assert.match(text, /Error 1 of demo\/shop is resolved now, and was unresolved/);
    assert.deepEqual([structured.before, structured.status], ['unresolved', 'resolved']);
    const base = `/api/v4/projects/${project.id}/error_tracking/errors/1`;
    const [noted, resolved] = (await app.get(`${base}/activity`, token)).json();
    assert.deepEqual([noted.kind, noted.agent, noted.user.id], ['note_added', 'test', user.id]);
    assert.deepEqual([resolved.kind, resolved.agent, resolved.user.id], ['resolved', 'test', user.id]);
    assert.deepEqual(resolved.status_details, { inRelease: 'app@1.0' });
    assert.equal((await app.get(`${base}/notes`, token)).json().at(-1).text, 'Fixed by the guard in show().');
    const [event] = await listAudit(app.store);
    assert.equal(event!.event, 'error_changed_by_agent');
    assert.equal(event!.outcome, 'done');
    assert.deepEqual([event!.authorId, event!.details.tokenId], [user.id, tokenId]);
    assert.deepEqual(event!.details.changes, [{ name: 'status', from: 'unresolved', to: 'resolved' }]);
    await app.ask('PUT', base, { token, body: { status: 'unresolved' } });
    const [byHand] = (await app.get(`${base}/activity`, token)).json();
    assert.deepEqual([byHand.kind, byHand.agent], ['unresolved', null]);
  });

  it('set the status where the error has no room for a note, and say so', async () => {
    const { token } = await givenMember(app.store, project, 'developer');
    const addNote = app.store.addNote.bind(app.store);
    app.store.addNote = () => Promise.reject(new AppError('conflict', 'an error has at most 200 notes'));
    const agent = await agentWith(token);
    const change = { project: 'demo/shop', id: 1, status: 'ignored', note: 'one more' };
    const { text, isError, structured } = await agent.call('update_error_status', change);
    app.store.addNote = addNote;
    assert.equal(isError, false, text);
    assert.match(text, /is ignored now.*\nThe note was not added: an error has at most/);
    assert.match(structured.notices[0], /^The note was not added/);
    assert.equal((await listAudit(app.store))[0]!.outcome, 'done');
  });

  it('refuse changes that are none', async () => {
    const agent = await agentWith((await givenMember(app.store, project, 'developer')).token);
    for (const args of [
      { status: 'deleted' },
      { status: 'ignored', in_release: 'app@1.0' },
      { status: 'resolved', note: ' ' },
      { status: 'resolved', in_release: 'a\0b' },
      { status: 'resolved', assignee: 1 },
    ]) {
      assert.ok((await agent.call('update_error_status', { project: 'demo/shop', id: 1, ...args })).isError);
    }
    for (const id of ['other/secret#1', 'https://errors.example.test/other/secret/-/error_tracking/1/details']) {
      const change = { project: 'demo/shop', id, status: 'resolved' };
      assert.match((await agent.call('update_error_status', change)).text, /^invalid_parameter: .*different projects/);
    }
    const missing = await agent.call('update_error_status', { project: 'demo/shop', id: 999, status: 'resolved' });
    assert.match(missing.text, /^not_found: /);
  });

  it('reach all projects of an administrator', async () => {
    const agent = await agentWith((await givenPerson(app.store, true)).token);
    const { text } = await agent.call('list_projects', { query: 'SECRET' });
    assert.match(text, /^1 projects:\nother\/secret \(id \d+\): integrated$/);
  });
});
