import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { captures } from '../support/ingest-captures.ts';
import { readPages } from '../support/read-pages.ts';
import { eventually, type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { describeOnStores, type ProcessStore } from '../support/test-stores.ts';

interface ReleaseBody {
  readonly release: string;
  readonly events: number;
  readonly new_errors: number;
  readonly sessions: Record<string, number>;
  readonly users: { readonly total: number; readonly crashed: number };
  readonly crash_free_sessions: number | null;
  readonly crash_free_users: number | null;
  readonly sessions_24h: number;
  readonly adoption_24h: number | null;
}

interface EventBody {
  readonly event_id: string;
  readonly user_reports: readonly { readonly kind: string; readonly comments: string }[];
}

interface OutcomeBody {
  readonly outcomes: readonly { category: string; outcome: string; reason: string; quantity: number }[];
}

const MINUTE = 60_000;
const EVENT = 'c0c9c4c0b2a64a0a8a0b0e2f3f4f5a6b';

describeOnStores('sessions and reports in, releases and events out', (kind, suite) => {
  suite.timeout(60_000);
  let dataDir: string;
  let store: ProcessStore;
  let service: ServiceProcess;
  let base: string;
  let sent = 0;

  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'errgate-sessions-'));
    store = kind.forProcesses();
    service = await startServiceProcess(dataDir, store.env);
    base = `/api/v4/projects/${service.first.project_id}/error_tracking`;
  });
  after(async () => {
    assert.equal(await service.end('SIGTERM'), 0);
    rmSync(dataDir, { recursive: true, force: true });
    await store.remove();
  });

  async function send(head: object, ...items: readonly (readonly [type: string, payload: object])[]): Promise<unknown> {
    const { host, pathname, protocol, username } = new URL(service.first.dsn);
    const id = pathname.split('/').at(-1) ?? '';
    const url = `${protocol}//${host}${pathname.slice(0, -id.length)}api/${id}/envelope/?sentry_key=${username}`;
    const lines = [head, ...items.flatMap(([type, payload]) => [{ type }, payload])];
    const body = lines.map((line) => JSON.stringify(line)).join('\n');
    const answer = await fetch(url, { method: 'POST', body });
    assert.equal(answer.status, 200, await answer.clone().text());
    sent += items.filter(([type]) => type !== 'client_report').length;
    return answer.json();
  }

  /** Everything that was sent is counted, whatever became of it. */
  async function settled(): Promise<OutcomeBody['outcomes']> {
    return eventually(
      async () => ((await service.get(`${base}/outcomes?per_page=1000`)) as OutcomeBody).outcomes,
      (rows) => {
        const own = rows.filter(({ outcome }) => outcome !== 'client_discard');
        return own.reduce((sum, { quantity }) => sum + quantity, 0) === sent;
      },
    );
  }

  /** Releases once one of them is as it must be: the parts of a batch show up one after the other. */
  const releasesWhen = (done: (release: ReleaseBody) => boolean, query = '') =>
    eventually(
      () => readPages<ReleaseBody>(service, `${base}/releases?per_page=1${query}`),
      (all) => all.some(done),
    );
  const iso = (at: number): string => new Date(at).toISOString();
  const update = (sid: string, status: string, more: object = {}) =>
    ['session', { sid, started: iso(Date.now() - MINUTE), timestamp: iso(Date.now()), status, ...more }] as const;
  const attrs = (release: string, environment: string) => ({ attrs: { release, environment } });
  const sid = (digit: number): string => String(digit).repeat(32);

  it('count sessions of SDKs of every kind, and crash-free rates', async () => {
    const ok = attrs('shop@2', 'production');
    assert.deepEqual(await send({}, update(sid(1), 'ok', { ...ok, did: 'ada', init: true })), {});
    await send({}, update(sid(1), 'crashed', { ...ok, did: 'ada', errors: 1 }));
    await send({}, update(sid(1), 'exited', { ...ok, did: 'ada' }), update(sid(2), 'exited', { ...ok, did: 'bob' }));
    const sums = { aggregates: [{ started: iso(Date.now() - MINUTE), exited: 5, errored: 1 }] };
    await send({}, ['sessions', { ...attrs('shop@2', 'staging'), ...sums }]);
    await send({}, ['sessions', { ...attrs('shop@1', 'production'), ...sums }]);
    await send({}, update('nonsense', 'ok', ok), ['attachment', { a: 1 }]);
    const outcomes = await settled();
    const pages = await releasesWhen((each) => each.release === 'shop@2' && each.sessions['total'] === 8);
    const release = pages.find((each) => each.release === 'shop@2');
    assert.equal(pages.length, 2);
    assert.deepEqual(release?.sessions, { total: 8, healthy: 6, errored: 1, unhandled: 0, abnormal: 0, crashed: 1 });
    assert.deepEqual(release.users, { total: 2, crashed: 1 });
    assert.deepEqual([release.crash_free_sessions, release.crash_free_users], [1 - 1 / 8, 0.5]);
    assert.deepEqual([release.sessions_24h, release.adoption_24h], [8, 8 / 14]);
    const staging = await releasesWhen((each) => each.sessions['total'] === 6, '&environment=staging');
    assert.deepEqual(
      staging.map((each) => [each.release, each.sessions['total'], each.crash_free_users, each.adoption_24h]),
      [['shop@2', 6, null, 1]],
    );
    const counted = (category: string) =>
      outcomes
        .filter((row) => row.category === category)
        .map(({ outcome, reason, quantity }) => `${outcome}/${reason} ${quantity}`)
        .sort();
    assert.deepEqual(counted('session'), ['accepted/ 6', 'invalid/invalid_session 1']);
    assert.deepEqual(counted('attachment'), ['filtered/unsupported_item 1']);
  });

  it('show user reports with the event, whether they arrive before or after it', async () => {
    const report = { event_id: EVENT, name: 'Ada', email: 'ada@example.test', comments: 'before' };
    await send({ event_id: EVENT }, ['user_report', report]);
    const message = { message: 'it broke', release: 'shop@3', environment: 'production' };
    assert.deepEqual(await send({ event_id: EVENT }, ['event', message]), { id: EVENT });
    const feedback = { message: 'after 4111 1111 1111 1111', associated_event_id: EVENT };
    await send({ event_id: 'f'.repeat(32) }, ['feedback', { type: 'feedback', contexts: { feedback } }]);
    await send(
      { event_id: EVENT },
      ['user_report', report],
      ['feedback', { contexts: { feedback: { message: 'x' } } }],
    );
    await settled();
    const [error] = await eventually(
      async () => (await service.get(`${base}/errors`)) as { id: string }[],
      (all) => all.length === 1,
    );
    for (const path of ['latest', EVENT]) {
      const event = await eventually(
        async () => (await service.get(`${base}/errors/${error?.id}/events/${path}`)) as EventBody,
        ({ user_reports: reports }) => reports.length === 2,
      );
      assert.deepEqual(
        event.user_reports.map((each) => [each.kind, each.comments]),
        [
          ['user_report', 'before'],
          ['feedback', 'after [Filtered]'],
        ],
      );
    }
    const ofError = (await service.get(
      `${base}/errors/${error?.id}/user_reports`,
    )) as (EventBody['user_reports'][number] & {
      readonly event_id: string;
    })[];
    assert.deepEqual(
      ofError.map(({ comments, event_id: about }) => [comments, about]),
      [
        ['after [Filtered]', EVENT],
        ['before', EVENT],
      ],
    );
    const [release] = await releasesWhen(({ release: name, events }) => name === 'shop@3' && events === 1);
    assert.deepEqual(
      [release?.release, release?.events, release?.new_errors, release?.crash_free_sessions],
      ['shop@3', 1, 1, null],
    );
  });

  it('add up losses at the client, once', async () => {
    const discarded_events = [
      { reason: 'ratelimit_backoff', category: 'error', quantity: 7 },
      { reason: 'sample_rate', category: 'session', quantity: 2 },
    ];
    await send({}, ['client_report', { timestamp: iso(Date.now()), discarded_events }]);
    await send({}, ['client_report', { timestamp: iso(Date.now()), discarded_events }]);
    const lost = await eventually(
      async () =>
        ((await service.get(`${base}/outcomes`)) as OutcomeBody).outcomes.filter(
          ({ outcome }) => outcome === 'client_discard',
        ),
      (rows) => rows.reduce((sum, { quantity }) => sum + quantity, 0) === 18,
    );
    assert.deepEqual(lost.map(({ category, reason, quantity }) => `${category} ${reason} ${quantity}`).sort(), [
      'error ratelimit_backoff 14',
      'session sample_rate 4',
    ]);
  });

  it('take the captured sessions of every SDK, whose sessions began at any time', async () => {
    const before = (await settled()).filter(({ category }) => category === 'session');
    const bodies = captures().filter(({ body }) => /^\{[^\n]*"type":"sessions?"/m.test(body.toString('latin1')));
    assert.ok(bodies.length >= 15);
    for (const { body } of bodies) {
      const lines = body.toString('utf8').split('\n');
      const at = lines.findIndex((line) => /^\{[^\n]*"type":"sessions?"/.test(line));
      const now = iso(Date.now() - MINUTE);
      const payload = (lines[at + 1] ?? '').replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, `"${now}"`);
      const { type } = JSON.parse(lines[at] ?? '') as { type: string };
      await send({}, [type, JSON.parse(payload) as object]);
    }
    const after = (await settled()).filter(({ category }) => category === 'session');
    const accepted = (rows: OutcomeBody['outcomes']) =>
      rows.reduce((sum, { outcome, quantity }) => sum + (outcome === 'accepted' ? quantity : 0), 0);
    assert.equal(accepted(after) - accepted(before), bodies.length);
    const [release] = await releasesWhen(({ sessions }) => sessions['total'] === 11, '&environment=prod');
    // Seven sessions by id (two of Java, five of Node), three of them with errors; four that servers counted.
    assert.deepEqual(release?.sessions, { total: 11, healthy: 8, errored: 3, unhandled: 0, abnormal: 0, crashed: 0 });
    assert.deepEqual([release.release, release.users], ['app@1.0.0', { total: 1, crashed: 0 }]);
  });
});
