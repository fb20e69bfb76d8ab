import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
import { AGENT_TOOLS } from '../../../src/gateway/agents/tools/agent-tools.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { connectAgent, type Era } from '../../support/agent-client.ts';
import { givenEvents, givenMember, givenToken, givenTrackedProject, type Person } from '../../support/factories.ts';
import { givenSession } from '../../support/browser-session.ts';
import { SQLITE } from '../../support/test-stores.ts';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

describe('the endpoint of agents', () => {
  let app: RunningApp;
  let project: Project;
  let reporter: Person;

  before(async () => {
    app = await startApp(SQLITE);
    project = await givenTrackedProject(app.store, { path: 'demo/shop' });
    reporter = await givenMember(app.store, project, 'reporter');
    await givenEvents(app.store, project, [{ at: app.clock.at }]);
  });
  after(() => app.close());
  // Each test has a minute's worth of messages.
  beforeEach(() => (app.clock.at += 60_000));

  const send = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    app.ask('POST', '/-/mcp', { body, headers: { Authorization: `Bearer ${reporter.token}`, ...headers } });

  for (const era of ['legacy', 'modern'] as const satisfies Era[]) {
    it(`serves the official client of the ${era} era`, async () => {
      const agent = await connectAgent(app, reporter.token, era);
      const { tools } = await agent.client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        AGENT_TOOLS.map(({ name }) => name),
      );
      assert.equal(tools.length, 11);
      assert.match(agent.client.getInstructions() ?? '', /evidence, not instructions/);
      for (const { annotations, description, name } of tools) {
        assert.equal(annotations?.readOnlyHint, name !== 'update_error_status', name);
        assert.equal(annotations.destructiveHint, false);
        assert.ok((description ?? '').length > 30 && (description ?? '').length < 400, name);
      }
      const { text, structured } = await agent.call('whoami');
      assert.match(text, new RegExp(`User ${reporter.user.username}`));
      assert.deepEqual(structured.scopes, ['api']);
      await agent.close();
    });
  }

  it('lists its tools in few tokens', async () => {
    const { text } = await send(LIST);
    assert.ok(text.length < 14_000, String(text.length));
  });

  it('wants a bearer token, and accepts neither sessions nor other headers', async () => {
    const session = await givenSession(app, reporter.user);
    for (const headers of [{}, session, { 'PRIVATE-TOKEN': reporter.token }, { Authorization: 'Bearer wrong' }]) {
      const answer = await app.ask('POST', '/-/mcp', { body: LIST, headers: { ...headers } });
      assert.equal(answer.status, 401);
      assert.match(answer.headers.get('WWW-Authenticate') ?? '', /^Bearer /);
    }
    assert.equal((await app.ask('POST', `/-/mcp?private_token=${reporter.token}`, { body: LIST })).status, 401);
  });

  it('refuses tokens that have expired, were revoked, are for builds, or of blocked users', async () => {
    const statusWith = async (token: string) =>
      (await app.ask('POST', '/-/mcp', { body: LIST, headers: { Authorization: `Bearer ${token}` } })).status;
    const { user } = await givenMember(app.store, project, 'owner');
    const token = async (...given: Parameters<typeof givenToken> extends [unknown, unknown, ...infer R] ? R : never) =>
      givenToken(app.store, user, ...given);
    assert.equal(await statusWith((await token(['api'], app.clock.at - 1)).text), 401);
    assert.equal(await statusWith((await token(['ci'])).text), 403);
    const revoked = await token(['read_api']);
    assert.equal(await statusWith(revoked.text), 200);
    await app.store.revokeToken(revoked.id);
    const kept = await token(['api']);
    await app.store.setUserBlocked(user.id, true);
    app.clock.at += 2000;
    assert.equal(await statusWith(revoked.text), 401);
    assert.equal(await statusWith(kept.text), 401);
  });

  it('refuses pages of other sites, and of other names of this machine', async () => {
    const here = { Origin: 'https://errors.example.test', Host: 'errors.example.test' };
    for (const headers of [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { ...here, Host: 'evil.example' },
      { Origin: 'http://evil.example', Host: 'evil.example' },
    ]) {
      const answer = await send(LIST, headers);
      assert.equal(answer.status, 403, JSON.stringify(headers));
    }
  });

  it('answers GET and DELETE with 405', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      for (const accept of ['text/event-stream', 'text/html']) {
        const headers = { Authorization: `Bearer ${reporter.token}`, Accept: accept };
        const answer = await app.ask(method, '/-/mcp', { headers });
        assert.equal(answer.status, 405, `${method} ${accept}`);
        assert.equal(answer.headers.get('Allow'), 'POST');
      }
    }
  });

  it('answers garbage with a refusal, and goes on', async () => {
    const json = { 'Content-Type': 'application/json' };
    for (const [body, headers] of [
      ['{', json],
      ['null', json],
      ['"text"', json],
      ['[]', json],
      [JSON.stringify([LIST, LIST]), json],
      ['{}', json],
      ['{"jsonrpc":"1.0"}', json],
      [JSON.stringify({ ...LIST, method: 7 }), json],
      [JSON.stringify({ ...LIST, id: { a: 1 } }), json],
      ['a=1', { 'Content-Type': 'application/x-www-form-urlencoded' }],
      ['x', { 'Content-Type': 'text/plain' }],
      [JSON.stringify(LIST), { ...json, 'MCP-Protocol-Version': '1999-01-01' }],
      [JSON.stringify(LIST), { ...json, 'MCP-Protocol-Version': '2026-07-28' }],
      [`${'['.repeat(50_000)}${']'.repeat(50_000)}`, json],
    ] as const) {
      const answer = await send(body, headers);
      assert.ok(answer.status >= 400 && answer.status < 500, `${body.slice(0, 60)}: ${answer.status} ${answer.text}`);
    }
    const unknown = await send({ ...LIST, method: 'no/such' });
    assert.match(unknown.text, /-32601/);
    const large = await send(`{"jsonrpc":"2.0","x":"${'x'.repeat(1024 * 1024)}"}`, json);
    assert.equal(large.status, 413);
    assert.equal((await send(LIST)).status, 200);
    assert.deepEqual(
      app.log.filter(({ level }) => level === 'error'),
      [],
    );
  });

  it('holds no streams open', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const body = {
      ...{ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen' },
      params: { notifications: { toolsListChanged: true }, _meta: meta },
    };
    const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'subscriptions/listen' };
    const answer = await send(body, headers);
    assert.match(answer.text, /"error"/);
  });

  it('answers 60 messages a minute of a token, and those of others', async () => {
    const { user } = await givenMember(app.store, project, 'reporter');
    const flood = { Authorization: `Bearer ${(await givenToken(app.store, user, ['read_api'])).text}` };
    const answers = await Promise.all(Array.from({ length: 80 }, () => send({ ...LIST, method: 'ping' }, flood)));
    const refused = answers.filter(({ status }) => status === 429);
    assert.equal(refused.length, 20);
    assert.equal(refused[0]?.headers.get('Retry-After'), '1');
    assert.equal((await send({ ...LIST, method: 'ping' })).status, 200);
    app.clock.at += 2000;
    assert.equal((await send({ ...LIST, method: 'ping' }, flood)).status, 200);
  });

  it('names wrong arguments and unknown tools to the agent', async () => {
    const agent = await connectAgent(app, reporter.token);
    for (const [name, args] of [
      ['list_errors', { project: 'demo/shop', limit: 500 }],
      ['list_errors', { project: 'demo/shop', sort: 'loud' }],
      ['get_error', {}],
      ['get_error', { id: 'x', more: true }],
      ['get_error', { id: 'https://evil.example/demo/shop/-/error_tracking/1/details' }],
      ['get_event', { project: 'demo/shop', id: 1, event: 'x' }],
    ] as const) {
      const { isError, text } = await agent.call(name, args);
      assert.ok(isError, name);
      assert.ok(text.length > 20 && text.length < 700, text);
    }
    await assert.rejects(agent.call('drop_tables'));
    await agent.close();
  });
});
