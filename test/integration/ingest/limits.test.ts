import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { AppError } from '../../../src/domain/app-error.ts';
import { closedGate } from '../../support/gate.ts';
import {
  AUTH,
  ENVELOPE,
  limitsWith,
  STORE,
  startIngestApp,
  type IngestApp,
  type IngestAppOptions,
} from '../../support/ingest-app.ts';
import { assertCors } from '../../support/ingest-assert.ts';
import { eventually } from '../../support/service-process.ts';

const EVENT = '{"message":"x"}';
const lines = (...parts: string[]) => parts.join('\n');
const EVENT_ITEM = lines('{"type":"event"}', EVENT);
const SESSION_ITEM = lines('{"type":"session"}', '{"sid":"c0c9c4c0b2a64a0a8a0b0e2f3f4f5a6b"}');
const NEVER_KEPT = '3600:transaction;span;profile;profile_chunk;replay;log_item;trace_metric;monitor:project';

describe('limits', () => {
  let app: IngestApp | null = null;
  afterEach(async () => {
    await app?.close();
    app = null;
  });
  const start = async (options: IngestAppOptions): Promise<IngestApp> => (app = await startIngestApp(options));
  const TWO_EVENTS = { rates: limitsWith({ key: { eventsPerMinute: 60, eventsBurst: 2 } }) };

  it('refuse a store request before its body is read', async () => {
    const { send, sink, refusedOutcomes, count } = await start(TWO_EVENTS);
    for (let event = 0; event < 2; event += 1) {
      assert.equal((await send(STORE, { headers: AUTH, body: EVENT })).status, 200);
    }
    // No JSON, no known encoding, too large: none of it matters any more.
    const answer = await send(STORE, { headers: { ...AUTH, 'Content-Encoding': 'lzma' }, body: 'x'.repeat(3_000_000) });
    assert.equal(answer.status, 429);
    assertCors(answer);
    assert.equal(answer.headers['retry-after'], '2');
    assert.equal(answer.headers['x-sentry-rate-limits'], '2:error;default:key');
    assert.equal(answer.headers['x-sentry-error'], answer.json['detail']);
    assert.equal(sink.records.length, 2);
    assert.deepEqual(await refusedOutcomes(), ['error rate_limited/key_limit 1']);
    assert.equal(await count('refused', { reason: 'key_limit' }), 1);
    assert.equal(await count('dropped', { category: 'error', reason: 'key_limit' }), 1);
  });

  it('accept events again as time passes', async () => {
    const { send, clock } = await start(TWO_EVENTS);
    const statuses: number[] = [];
    for (let event = 0; event < 6; event += 1) {
      statuses.push((await send(STORE, { headers: AUTH, body: EVENT })).status);
      if (event === 3) clock.at += 1000;
    }
    assert.deepEqual(statuses, [200, 200, 429, 429, 200, 429]);
  });

  it('drop the events of an envelope one by one, and keep its other items', async () => {
    const { send, sink, refusedOutcomes } = await start(TWO_EVENTS);
    const report = lines(
      '{"type":"client_report"}',
      '{"discarded_events":[{"reason":"before_send","category":"error","quantity":3}]}',
    );
    const body = lines('{}', EVENT_ITEM, EVENT_ITEM, EVENT_ITEM, SESSION_ITEM, report);
    const answer = await send(ENVELOPE, { headers: AUTH, body });
    assert.equal(answer.status, 200);
    assert.match(String(answer.json['id']), /^[0-9a-f]{32}$/);
    assert.equal(answer.headers['x-sentry-rate-limits'], '2:error;default:key');
    assert.equal(answer.headers['retry-after'], undefined, 'it would hold back everything');
    assert.equal(sink.eventIds.length, 2);
    assert.deepEqual(sink.outcomes, ['error rate_limited/key_limit 1', 'error client_discard/before_send 3']);
    assert.deepEqual(await refusedOutcomes(), []);
  });

  it('answer 429 to an envelope without any event left, without a record of its own', async () => {
    const { send, sink, refusedOutcomes } = await start(TWO_EVENTS);
    await send(ENVELOPE, { headers: AUTH, body: lines('{}', EVENT_ITEM, EVENT_ITEM) });
    const appends = sink.appends;
    for (let request = 0; request < 5; request += 1) {
      const answer = await send(ENVELOPE, { headers: AUTH, body: lines('{}', EVENT_ITEM, EVENT_ITEM) });
      assert.equal(answer.status, 429);
      assert.equal(answer.headers['x-sentry-rate-limits'], '2:error;default:key');
    }
    assert.equal(sink.appends, appends);
    assert.deepEqual(await refusedOutcomes(), ['error rate_limited/key_limit 10']);
    assert.equal(sink.appends, appends + 1);
  });

  it('do not apply to sessions where events are limited, and the other way round', async () => {
    const rates = limitsWith({ key: { eventsPerMinute: 60, eventsBurst: 1, sessionsPerMinute: 60, sessionsBurst: 1 } });
    const { send } = await start({ rates });
    const session = () => send(ENVELOPE, { headers: AUTH, body: lines('{}', SESSION_ITEM) });
    const event = () => send(ENVELOPE, { headers: AUTH, body: lines('{}', EVENT_ITEM) });
    assert.deepEqual([(await event()).status, (await event()).status], [200, 429]);
    assert.equal((await session()).status, 200);
    const limited = await session();
    assert.equal(limited.status, 429);
    assert.equal(limited.headers['x-sentry-rate-limits'], '1:session:key');
    const both = await send(ENVELOPE, { headers: AUTH, body: lines('{}', EVENT_ITEM, SESSION_ITEM) });
    assert.equal(both.headers['x-sentry-rate-limits'], '1:error;default:key,1:session:key');
  });

  it('count user reports and feedback as events', async () => {
    const { send, refusedOutcomes } = await start(TWO_EVENTS);
    await send(ENVELOPE, { headers: AUTH, body: lines('{}', EVENT_ITEM, EVENT_ITEM) });
    const reports = lines('{"type":"user_report"}', '{}', '{"type":"feedback"}', '{}');
    assert.equal((await send(ENVELOPE, { headers: AUTH, body: lines('{}', reports) })).status, 429);
    assert.deepEqual(await refusedOutcomes(), [
      'default rate_limited/key_limit 1',
      'feedback rate_limited/key_limit 1',
    ]);
  });

  it('never drop client reports', async () => {
    const { send, sink } = await start({ rates: limitsWith({ key: { eventsPerMinute: 1, sessionsPerMinute: 1 } }) });
    const report = '{"discarded_events":[{"reason":"before_send","category":"error","quantity":1}]}';
    for (let request = 0; request < 20; request += 1) {
      const answer = await send(ENVELOPE, { headers: AUTH, body: lines('{}', '{"type":"client_report"}', report) });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers['x-sentry-rate-limits'], undefined);
    }
    assert.equal(sink.outcomes.length, 20);
  });

  it('refuse envelopes unread in a flood, whatever they hold', async () => {
    const { send, refusedOutcomes } = await start(TWO_EVENTS);
    for (let request = 0; request < 22; request += 1) {
      const answer = await send(ENVELOPE, { headers: AUTH, body: lines('{}', EVENT_ITEM) });
      assert.equal(answer.headers['x-sentry-rate-limits'], request < 2 ? undefined : '2:error;default:key');
    }
    await refusedOutcomes();
    const headers = { ...AUTH, 'Content-Encoding': 'gzip' };
    const unread = await send(ENVELOPE, { headers, body: gzipSync(lines('{}', SESSION_ITEM)).subarray(0, 10) });
    assert.equal(unread.status, 429);
    assert.equal(unread.headers['x-sentry-rate-limits'], '2:error;default;session:key');
    assert.deepEqual(await refusedOutcomes(), ['default rate_limited/key_limit 1']);
  });

  it('apply to a key that only the DSN of the envelope names', async () => {
    const { send } = await start(TWO_EVENTS);
    const body = lines('{"dsn":"http://glet_abc123@127.0.0.1/42"}', EVENT_ITEM);
    const statuses: number[] = [];
    for (let request = 0; request < 3; request += 1) statuses.push((await send(ENVELOPE, { body })).status);
    assert.deepEqual(statuses, [200, 200, 429]);
  });

  it('name the project and the instance as separate scopes', async () => {
    for (const [rates, header] of [
      [limitsWith({ project: { eventsPerMinute: 1 } }), '60:error;default:project'],
      [limitsWith({ instance: { eventsPerMinute: 1 } }), '60:error;default:organization'],
    ] as const) {
      const { send, close } = await startIngestApp({ rates });
      await send(STORE, { headers: AUTH, body: EVENT });
      const answer = await send(STORE, { headers: AUTH, body: EVENT });
      assert.equal(answer.headers['x-sentry-rate-limits'], header);
      assert.equal(answer.headers['retry-after'], '60');
      await close();
    }
  });

  it('are announced for at most 300 seconds, as whole seconds', async () => {
    const { send } = await start({
      rates: limitsWith({ spikeGuard: { enabled: true } }),
      usual: { perMinute: 0.1, burst: 1 },
    });
    await send(STORE, { headers: AUTH, body: EVENT });
    const answer = await send(STORE, { headers: AUTH, body: EVENT });
    assert.equal(answer.headers['x-sentry-rate-limits'], '300:error;default:project');
    assert.equal(answer.headers['retry-after'], '300');
  });

  it('announce categories that are never kept, where configured, on answers of 200 and 429', async () => {
    const { send } = await start({ ...TWO_EVENTS, announceNeverKept: true });
    const announced = async (path: string, body: string) =>
      (await send(path, { headers: AUTH, body })).headers['x-sentry-rate-limits'];
    assert.equal(await announced(STORE, EVENT), NEVER_KEPT);
    assert.equal(await announced(ENVELOPE, '{}'), NEVER_KEPT);
    assert.equal(await announced(ENVELOPE, lines('{}', EVENT_ITEM, EVENT_ITEM)), `2:error;default:key,${NEVER_KEPT}`);
    assert.equal(await announced(STORE, EVENT), `2:error;default:key,${NEVER_KEPT}`);
    assert.equal(await announced(STORE.replace('42', '46'), EVENT), undefined, 'not on refusals');
  });

  it('refuse requests while too many are in progress, and count them', async () => {
    const { send, sink, refusedOutcomes } = await start({ limits: { maxRequestsInFlight: 2 } });
    const gate = closedGate();
    const append = sink.append.bind(sink);
    let waiting = 0;
    sink.append = async (records) => {
      waiting += 1;
      await gate.passed;
      return append(records);
    };
    const first = [send(STORE, { headers: AUTH, body: EVENT }), send(STORE, { headers: AUTH, body: EVENT })];
    await eventually(
      async () => waiting,
      (now) => now === 2,
    );
    const answer = await send(STORE, { headers: AUTH, body: EVENT });
    assert.equal(answer.status, 503);
    assert.equal(answer.headers['retry-after'], '5');
    assert.equal(answer.headers['x-sentry-rate-limits'], undefined);
    gate.open();
    assert.deepEqual(
      (await Promise.all(first)).map(({ status }) => status),
      [200, 200],
    );
    assert.deepEqual(await refusedOutcomes(), ['error rate_limited/busy 1']);
    assert.equal((await send(STORE, { headers: AUTH, body: EVENT })).status, 200);
  });
});

describe('refused requests and items are counted for their project', () => {
  let app: IngestApp;
  beforeEach(async () => {
    app = await startIngestApp({ limits: { maxRequestBytes: 100_000, maxEventBytes: 1000 } });
  });
  afterEach(() => app.close());

  const large = `{"a":"${'x'.repeat(2000)}"}`;
  const cases: [what: string, path: string, headers: Record<string, string>, body: string, outcomes: string[]][] = [
    ['no JSON at all', STORE, {}, '[1]', ['error invalid/invalid_json 1']],
    ['too large an event', STORE, {}, large, ['error invalid/too_large 1']],
    ['too large a body', STORE, {}, 'x'.repeat(100_001), ['error invalid/too_large 1']],
    ['a broken stream', STORE, { 'Content-Encoding': 'gzip' }, 'x', ['error invalid/corrupt_encoding 1']],
    ['an unknown encoding', STORE, { 'Content-Encoding': 'lzma' }, EVENT, ['error invalid/unsupported_encoding 1']],
    ['no envelope', ENVELOPE, {}, 'hello', ['default invalid/malformed_envelope 1']],
    [
      'a cut off envelope',
      ENVELOPE,
      {},
      '{}\n{"type":"event","length":99}\n{}',
      ['default invalid/truncated_envelope 1'],
    ],
    [
      'an envelope with too large an event',
      ENVELOPE,
      {},
      lines('{}', SESSION_ITEM, '{"type":"event"}', large, EVENT_ITEM),
      ['session invalid/too_large 1', 'error invalid/too_large 2'],
    ],
    [
      'an envelope whose DSN has another key',
      ENVELOPE,
      {},
      lines('{"dsn":"http://k@127.0.0.1/42"}', EVENT_ITEM),
      ['default invalid/contradicting_dsn 1'],
    ],
  ];
  for (const [what, path, headers, body, outcomes] of cases) {
    it(`${what}: ${outcomes.join(', ')}`, async () => {
      const answer = await app.send(path, { headers: { ...AUTH, ...headers }, body });
      assert.ok(answer.status >= 400);
      assert.equal(app.sink.records.length, 0);
      assert.deepEqual(await app.refusedOutcomes(), outcomes);
    });
  }

  it('every item of a request that the journal refuses', async () => {
    app.sink.error = new AppError('ingest_unavailable', 'The journal is full.', {
      details: { reason: 'journal_full' },
    });
    const body = lines('{}', EVENT_ITEM, '{"type":"transaction"}', '{}', EVENT_ITEM);
    assert.equal((await app.send(ENVELOPE, { headers: AUTH, body })).status, 503);
    app.sink.error = null;
    assert.deepEqual(await app.refusedOutcomes(), [
      'transaction filtered/unsupported_item 1',
      'error rate_limited/journal_full 2',
    ]);
  });

  it('requests of known keys without permission, for the project of the key', async () => {
    const key = (name: string) => ({ 'X-Sentry-Auth': `Sentry sentry_key=${name}` });
    await app.send(STORE, { headers: key('glet_disabled'), body: EVENT });
    await app.send(ENVELOPE.replace('42', '44'), { headers: key('glet_switchedoff'), body: EVENT });
    await app.send(ENVELOPE.replace('42', '43'), { body: lines('{"dsn":"http://glet_unconfigured@127.0.0.1/43"}') });
    await app.send(STORE, { headers: key('glet_neighbour'), body: EVENT });
    await app.send(STORE, { headers: key('glet_nobody'), body: EVENT });
    await app.ledger.flush();
    assert.deepEqual(
      app.sink.records.map(({ projectId, keyId, outcomes }) => [projectId, keyId, outcomes]),
      [
        [42, 2, [{ category: 'error', outcome: 'filtered', reason: 'inactive_key', quantity: 1 }]],
        [44, 4, [{ category: 'default', outcome: 'filtered', reason: 'not_active', quantity: 1 }]],
        [43, 3, [{ category: 'default', outcome: 'filtered', reason: 'not_configured', quantity: 1 }]],
      ],
    );
  });
});
