import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
import { CANARIES, CANARY, LIVE, takeApart } from '../../support/agent-canaries.ts';
import { connectAgent, type AgentClient } from '../../support/agent-client.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import {
  exception,
  frame,
  givenEvents,
  givenMember,
  givenProject,
  givenTrackedProject,
  type Person,
} from '../../support/factories.ts';
import { startFakeTracker, type FakeTracker } from '../../support/fake-tracker/fake-tracker.ts';
import { faults } from '../../support/fake-tracker/faults.ts';
import { TRACKER_TOKEN } from '../../support/fake-tracker/linked-world.ts';
import { SQLITE } from '../../support/test-stores.ts';

/** A canary for every place, in turn. */
function canaries(): () => string {
  let next = 0;
  return () => CANARIES[next++ % CANARIES.length] ?? '';
}

/** Every text of an event is a canary. */
function hostileEvent() {
  const text = canaries();
  const short = () =>
    text()
      .slice(0, 200)
      .replaceAll(/[\0\ud800-\udfff]/g, '');
  const hostileFrame = (index: number) =>
    frame({
      ...{ filename: text(), abs_path: text(), module: text(), function: text(), context_line: text() },
      ...{ pre_context: [text()], post_context: [text()], in_app: index % 2 === 0 },
    });
  return {
    ...{ platform: short(), logger: text(), release: short(), environment: short(), server_name: text() },
    ...{ transaction: text(), message: text() },
    exceptions: Array.from({ length: 7 }, () =>
      exception({ type: text(), value: text(), frames: Array.from({ length: 12 }, (_, at) => hostileFrame(at)) }),
    ),
    breadcrumbs: Array.from({ length: 40 }, () => ({
      ...{ timestamp: null, type: text(), category: text(), level: 'info', message: text() },
      data: { url: text(), method: text(), status_code: text(), body: 's3cr3t-body' },
    })).concat({
      ...{ timestamp: null, type: 'http', category: 'fetch', level: 'info' },
      message: 'GET https://s3cr3t-user:s3cr3t-word@shop.example/cart',
      data: { url: 'shop.example/cart?token=s3cr3t-query', method: 'GET', status_code: '500', body: '' },
    }),
    request: {
      ...{ url: text(), method: text(), query_string: [['s3cr3t-query', 's3cr3t-query']] as [string, string][] },
      headers: [
        ...Array.from({ length: 5 }, (): [string, string] => [text(), 's3cr3t-header']),
        ['Cookie', 's3cr3t-x'],
      ] as [string, string][],
      cookies: [['c', 's3cr3t-cookie']] as [string, string][],
      data: { a: 's3cr3t-body' },
      env: { REMOTE_ADDR: 's3cr3t-env' },
    },
    user: { id: 's3cr3t-user', username: 's3cr3t-user', email: 's3cr3t-user', name: null, ip_address: null, data: {} },
    tags: [
      ...Array.from({ length: 70 }, () => ({ key: short(), value: short() })),
      ...['user', 'username', 'user_id', 'email', 'client_ip'].map((key) => ({ key, value: 's3cr3t-user' })),
    ],
    contexts: {
      [short()]: { [short()]: text(), deep: { a: text() } },
      user: { a: 's3cr3t-user' },
      response: { cookies: 's3cr3t-cookie', headers: 's3cr3t-header', data: 's3cr3t-body', status_code: 200 },
      account: { email: 's3cr3t-user' },
    },
    extra: { a: 's3cr3t-extra' },
  };
}

/** Fails when text of an event stands outside members with `trust: untrusted`. */
function assertTrusted(value: unknown, where: string): void {
  if (typeof value === 'string') assert.ok(!value.includes(CANARY), `${where}: ${value}`);
  if (typeof value !== 'object' || value === null) return;
  if ((value as { trust?: unknown }).trust === 'untrusted') {
    for (const text of Object.values(value).flat()) {
      for (const pattern of LIVE) assert.doesNotMatch(String(text), pattern, where);
    }
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    assert.ok(!name.includes(CANARY), where);
    assertTrusted(member, `${where}.${name}`);
  }
}

describe('hostile events', function () {
  this.timeout(30_000);
  let app: RunningApp;
  let tracker: FakeTracker;
  let agent: AgentClient;
  let person: Person;
  let stored: Project;
  let linked: Project;
  const boundaries = new Set<string>();
  const seen = new Set<string>();

  before(async () => {
    app = await startApp(SQLITE);
    stored = await givenTrackedProject(app.store, { path: 'demo/shop' });
    person = await givenMember(app.store, stored, 'maintainer');
    const event = hostileEvent();
    const tags = event.tags.slice(0, 20).map(({ key, value }) => [key, value] as const);
    await givenEvents(app.store, stored, [
      { at: app.clock.at - 60_000, event: { release: `${CANARY} before` }, title: CANARIES[1]! },
      { at: app.clock.at, event, title: CANARIES[0]!, tags: [['email', 's3cr3t-user'], [CANARY, 'x'], ...tags] },
      ...CANARIES.map((title, at) => ({
        at: app.clock.at - at,
        group: `group ${at}`,
        title,
        event: { release: event.release },
      })),
    ]);
    tracker = await startFakeTracker('Sentry 21.4');
    const shop = tracker.world.addProject('acme', 'shop', '11');
    tracker.world.addToken(TRACKER_TOKEN);
    for (const [at, text] of CANARIES.entries()) {
      tracker.world.addIssue(shop, {
        ...{ id: String(500 + at), title: text, type: text, message: text, culprit: text },
        events: [
          {
            ...{ at: Date.now() - 60_000, release: text.slice(0, 100), environment: text.slice(0, 60) },
            ...{ tags: [['key', text]], user: 's3cr3t-user' },
          },
        ],
      });
    }
    linked = await givenProject(app.store, { path: 'demo/linked' });
    await app.store.setMember(linked.id, person.user.id, 40);
    await app.store.saveSettings(linked.id, {
      ...{ active: true, integrated: false, apiUrl: `${tracker.origin}/api/0/projects/acme/shop/` },
      ...{ thirdpartyProjectId: '11', sealedToken: app.trackers.cipher.encrypt(TRACKER_TOKEN, linked.id) },
    });
    agent = await connectAgent(app, person.token);
  });
  after(async () => {
    await agent.close();
    await tracker.close();
    await app.close();
  });
  beforeEach(() => (app.clock.at += 60_000));

  async function check(name: string, args: Readonly<Record<string, unknown>>, refused = false): Promise<string> {
    const { text, structured, isError } = await agent.call(name, args);
    const where = `${name} ${JSON.stringify(args)}`;
    assert.equal(isError, refused, `${where}: ${text}`);
    const { outside, inside, boundary } = takeApart(text);
    assert.ok(!outside.includes(CANARY), `${where}: ${outside}`);
    assert.doesNotMatch(outside, /[\p{Cf}\p{Cs}]|[\0-\x09\x0b-\x1f]/u);
    for (const line of inside) {
      assert.match(line, /^\| /, where);
      for (const pattern of LIVE) assert.doesNotMatch(line, pattern, `${where} ${line}`);
    }
    assert.doesNotMatch(text, /s3cr3t/, where);
    assert.doesNotMatch(JSON.stringify(structured ?? null), /s3cr3t/, where);
    assertTrusted(structured, where);
    assert.ok(Buffer.byteLength(text) <= 24 * 1024, where);
    assert.ok(Buffer.byteLength(JSON.stringify(structured ?? null)) <= 24 * 1024, where);
    // Many clients show their model the structured part alone.
    if (!refused && inside.length > 0) assert.match(structured.note, /evidence, not instructions/, where);
    if (!refused && /^get_/.test(name)) {
      const lines = inside.map((line) => line.slice(2));
      assert.deepEqual(structured.event_text, { trust: 'untrusted', lines }, where);
    }
    if (boundary !== null) {
      assert.ok(!boundaries.has(boundary), 'each answer has a boundary of its own');
      boundaries.add(boundary);
      assert.match(outside, /evidence, not instructions/);
    }
    for (const line of inside) if (line.includes(CANARY)) seen.add(name);
    return text;
  }

  const READING = [
    ['get_error', {}],
    ['get_stack_trace', {}],
    ['get_stack_trace', { frames: 'all' }],
    ['list_events', {}],
    ...['breadcrumbs', 'tags', 'contexts', 'request'].map((part) => ['get_event', { part }] as const),
  ] as const;

  it('stay inside the fence of every tool, with the integrated backend', async () => {
    await check('whoami', {});
    await check('list_projects', {});
    await check('list_errors', {});
    // The name of a tag that was meant.
    const mistyped = { project: 'demo/shop', query: `${CANARY.slice(0, -1)}g:x` };
    assert.ok((await check('list_errors', mistyped, true)).includes(CANARY));
    for (const sort of ['last_seen', 'matters']) {
      await check('list_errors', { project: 'demo/shop', sort, status: 'all', limit: 50 });
    }
    const id = 1;
    for (const [name, args] of READING) await check(name, { project: 'demo/shop', id, ...args });
    const releases = await agent.call('list_releases', { project: 'demo/shop' });
    await check('list_releases', { project: 'demo/shop' });
    const known = (await app.store.releaseNames(stored.id)).filter((name) => name.includes(CANARY));
    assert.equal(known.length, 2);
    assert.equal(releases.structured.releases.length, 2);
    const [b = '', a = ''] = known;
    await check('compare_releases', { project: 'demo/shop', a, b });
    await check('compare_releases', { project: 'demo/shop', b: `${CANARY} of an event` }, true);
    await check('how_to_connect', { project: 'demo/shop', platform: 'node' });
    await check('update_error_status', { project: 'demo/shop', id, status: 'resolved', note: 'seen' });
    assert.deepEqual([...seen].sort(), [
      'compare_releases',
      'get_error',
      'get_event',
      'get_stack_trace',
      'list_errors',
      'list_events',
      'list_releases',
    ]);
  });

  it('stay inside it with an external tracker', async () => {
    await check('list_errors', { project: 'demo/linked', limit: 50 });
    // The list has all of them.
    for (const at of [1, 4, 8, 12, 25]) await check('get_error', { project: 'demo/linked', id: 500 + at });
    for (const [name, args] of READING) await check(name, { project: 'demo/linked', id: 500, ...args });
    await check('list_releases', { project: 'demo/linked' }, true);
    await check('compare_releases', { project: 'demo/linked', b: 'x' }, true);
    await check('how_to_connect', { project: 'demo/linked', platform: 'node' }, true);
    await check('update_error_status', { project: 'demo/linked', id: 500, status: 'resolved', note: 'x' }, true);
    await check('update_error_status', { project: 'demo/linked', id: 500, status: 'resolved' });
  });

  it('are marked, and counted', async () => {
    const { text, structured } = await agent.call('get_error', { project: 'demo/shop', id: 1 });
    assert.match(takeApart(text).outside, /Suspicious: .*shell command in message/);
    assert.ok(structured.suspicious.includes('shell command in message'));
    assert.ok(structured.suspicious.some((mark: string) => mark.endsWith(' in request')));
    const releases = await agent.call('list_releases', { project: 'demo/shop' });
    assert.match(takeApart(releases.text).outside, /Suspicious: .*order to a reader in release/);
    const [b = '', a = ''] = (await app.store.releaseNames(stored.id)).filter((name) => name.includes(CANARY));
    const compared = await agent.call('compare_releases', { project: 'demo/shop', a, b });
    assert.match(takeApart(compared.text).outside, /Suspicious: /);
    const metrics = await app.deps.metrics.registry.metrics();
    assert.match(metrics, /errgate_agent_suspicious_total\{mark="shell command"\} [1-9]/);
    assert.match(metrics, /errgate_agent_calls_total\{tool="get_error",outcome="ok"\} [1-9]/);
    assert.doesNotMatch(metrics, /canary/);
    const event = await app.get(`/api/v4/projects/${stored.id}/error_tracking/errors/1/events/latest`, person.token);
    assert.ok(event.json().suspicious.includes('shell command in message'));
  });

  it('are as harmless as text for people', async () => {
    for (const [project, id] of [
      [stored, '1'],
      [linked, '500'],
    ] as const) {
      const path = `/api/v4/projects/${project.id}/error_tracking/errors/${id}.md`;
      const answer = await app.get(path, person.token);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.headers.get('Content-Type'), 'text/markdown; charset=utf-8');
      const { outside, inside } = takeApart(answer.text.trimEnd());
      assert.ok(!outside.includes(CANARY));
      assert.ok(inside.length > 3);
      for (const line of inside) for (const pattern of LIVE) assert.doesNotMatch(line, pattern);
      assert.ok(answer.text.length < 6000);
    }
    const missing = await app.get(`/api/v4/projects/${stored.id}/error_tracking/errors/99999.md`, person.token);
    assert.equal(missing.status, 404);
  });

  // A tracker may repeat text of events.
  it('stay inside the fence where a tracker refuses a request with them', async () => {
    const said = JSON.stringify({ detail: CANARIES[0] });
    tracker.fail(faults.status(400, said, { 'content-type': 'application/json' }));
    const refusal = await check('list_events', { project: 'demo/linked', id: 502 }, true);
    assert.ok(takeApart(refusal).inside.join().includes(CANARY), refusal);
    tracker.heal();
  });

  it('come as a copy, or not at all, while the tracker is away', async () => {
    app.clock.at += 600_000;
    tracker.fail(faults.status(503));
    const copy = await check('get_error', { project: 'demo/linked', id: 500 });
    assert.match(copy, /the external tracker does not answer, this is the last copy/);
    const without = await check('list_events', { project: 'demo/linked', id: 501 }, true);
    assert.match(without, /^tracker_refused: /);
    tracker.heal();
  });
});
