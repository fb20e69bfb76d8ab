import assert from 'node:assert/strict';
import { AUTH, ENVELOPE, NOW, STORE, startIngestApp, type IngestApp } from '../../support/ingest-app.ts';

const ID = '7f9bdf379dd94837b0dd965053664889';
const OTHER = 'a227fdf2bf76432ab2898ca20f2b3fd2';

describe('results of accepted requests', () => {
  let app: IngestApp;
  beforeEach(async () => {
    app = await startIngestApp();
  });
  afterEach(() => app.close());

  const envelope = (...lines: (string | object)[]) =>
    app.send(ENVELOPE, {
      headers: AUTH,
      body: lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
    });

  it('an event becomes one record with everything that the digest needs', async () => {
    await envelope({ event_id: ID, sent_at: '2026-11-20T11:59:58.500Z' }, { type: 'event' }, '{"message":"x"}');
    const [record, ...others] = app.sink.records;
    assert.ok(record !== undefined);
    assert.deepEqual(others, []);
    assert.deepEqual(
      { ...record, body: Buffer.from(record.body).toString() },
      {
        projectId: 42,
        keyId: 1,
        receivedAt: NOW,
        eventId: ID,
        sentAt: NOW - 1500,
        clientIp: '127.0.0.1',
        client: 'test/1.0',
        outcomes: [],
        body: '{"message":"x"}',
      },
    );
  });

  it('several events and items are appended at once; the first id is answered', async () => {
    const answer = await envelope(
      { event_id: ID },
      { type: 'attachment', length: 3 },
      'a\nb',
      { type: 'event' },
      '{"n":1}',
      { type: 'session' },
      '{}',
      { type: 'event' },
      { event_id: OTHER },
      { type: 'client_report' },
      { discarded_events: [{ reason: 'queue_overflow', category: 'error', quantity: 4 }] },
    );
    assert.deepEqual(answer.json, { id: ID });
    assert.equal(app.sink.appends, 1);
    assert.deepEqual(app.sink.eventIds, [ID, OTHER]);
    assert.deepEqual(app.sink.outcomes, [
      'attachment filtered/unsupported_item 1',
      'error client_discard/queue_overflow 4',
    ]);
    assert.deepEqual(app.sink.records[1]?.outcomes, []);
    assert.equal(await app.count('accepted'), 2);
    assert.deepEqual(app.sink.items, ['session']);
    assert.equal(await app.count('dropped'), 1);
    assert.equal(await app.count('dropped', { category: 'attachment', reason: 'unsupported_item' }), 1);
  });

  it('an envelope without event is answered {} and leaves one record of outcomes', async () => {
    const answer = await envelope({ event_id: ID }, { type: 'attachment' }, { event_id: ID, comments: 'x' });
    assert.equal(answer.status, 200);
    assert.equal(answer.text, '{}');
    assert.equal(app.sink.records.length, 1);
    assert.equal(app.sink.records[0]?.eventId, null);
    assert.equal(app.sink.records[0].body.length, 0);
    assert.deepEqual(app.sink.outcomes, ['attachment filtered/unsupported_item 1']);
    assert.equal(await app.count('accepted'), 0);
  });

  it('sessions and reports are kept, one record each, and counted', async () => {
    const report = { event_id: ID, comments: 'x' };
    const answer = await envelope(
      ...[{ event_id: ID }, { type: 'user_report' }, report, { type: 'session' }, '[]', { type: 'sessions' }, '{}'],
      ...[{ type: 'feedback' }, '{"a":1}', { type: 'session' }, { sid: 'x'.repeat(70_000) }],
    );
    assert.equal(answer.text, '{}');
    assert.equal(app.sink.appends, 1);
    assert.deepEqual(app.sink.eventIds, []);
    assert.deepEqual(app.sink.items, ['user_report', 'sessions', 'feedback']);
    assert.deepEqual(
      app.sink.records.map(({ eventId, body }) => [eventId, Buffer.from(body).toString()]),
      [
        [ID, JSON.stringify(report)],
        [ID, '{}'],
        [ID, '{"a":1}'],
      ],
    );
    assert.deepEqual(app.sink.outcomes, ['session invalid/invalid_json 1', 'session invalid/too_large 1']);
    assert.equal(await app.count('accepted'), 0);
  });

  it('an envelope of headers only is answered {} and stores nothing', async () => {
    for (const body of ['{}', '{}\n', `{"event_id":"${ID}"}\r\n\r\n`]) {
      assert.equal((await envelope(body)).text, '{}');
    }
    assert.equal(app.sink.appends, 0);
  });

  it('an event of broken JSON is answered 200 and counted as invalid', async () => {
    const answer = await envelope({ event_id: ID }, { type: 'event' }, '{"message":');
    assert.equal(answer.status, 200);
    assert.equal(answer.text, '{}');
    assert.deepEqual(app.sink.outcomes, ['error invalid/invalid_json 1']);
    assert.deepEqual(app.sink.eventIds, []);
    assert.equal(await app.count('dropped', { category: 'error', reason: 'invalid_json' }), 1);
  });

  it('an event without id anywhere gets one, which is answered', async () => {
    for (const send of [envelope('{}', { type: 'event' }, '{}'), app.send(STORE, { headers: AUTH, body: '{}' })]) {
      const { json } = await send;
      assert.match(String(json['id']), /^[0-9a-f]{32}$/);
      assert.equal(app.sink.eventIds.at(-1), json['id']);
    }
  });

  it('dashed and upper-case ids are answered as 32 lower-case digits', async () => {
    const dashed = '7F9BDF37-9DD9-4837-B0DD-965053664889';
    assert.deepEqual((await envelope({ event_id: dashed }, { type: 'event' }, '{}')).json, { id: ID });
    const store = await app.send(STORE, { headers: AUTH, body: JSON.stringify({ event_id: dashed }) });
    assert.deepEqual(store.json, { id: ID });
  });

  it('a transaction sent to store is answered, dropped and counted', async () => {
    const answer = await app.send(STORE, { headers: AUTH, body: '{"type":"transaction","event_id":"x"}' });
    assert.equal(answer.status, 200);
    assert.equal(answer.text, '{}');
    assert.deepEqual(app.sink.outcomes, ['transaction filtered/unsupported_item 1']);
  });

  it('an envelope sent to store is read as one when its type says so', async () => {
    const body = `{"event_id":"${ID}"}\n{"type":"event"}\n{}`;
    const headers = { ...AUTH, 'Content-Type': 'Application/X-Sentry-Envelope; charset=utf-8' };
    assert.deepEqual((await app.send(STORE, { headers, body })).json, { id: ID });
    assert.equal((await app.send(STORE, { headers: AUTH, body })).status, 400);
  });

  for (const type of [
    'application/json',
    'text/plain;charset=UTF-8',
    'application/octet-stream',
    'application/x-www-form-urlencoded',
    'application/x-sentry-envelope',
    'nonsense',
  ]) {
    it(`the content type ${type} changes nothing for an envelope`, async () => {
      const body = `{"event_id":"${ID}"}\n{"type":"event"}\n{}`;
      const answer = await app.send(ENVELOPE, { headers: { ...AUTH, 'Content-Type': type }, body });
      assert.deepEqual(answer.json, { id: ID });
    });
  }

  it('unusual but readable events are kept unchanged', async () => {
    const bodies = [
      '{"message":"\\u0000 and \\ud800"}',
      '{"__proto__":{"x":1},"constructor":{"prototype":{}}}',
      `{"extra":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`,
      '{"timestamp":1e400,"thread_id":123456789012345678901234567890}',
      '{"tags":[["a",1]],"exception":null,"message":{"a":[]}}',
    ];
    for (const body of bodies) {
      for (const [path, text] of [
        [STORE, body],
        [ENVELOPE, `{}\n{"type":"event"}\n${body}`],
      ] as const) {
        assert.equal((await app.send(path, { headers: AUTH, body: text })).status, 200, body.slice(0, 50));
        assert.equal(Buffer.from(app.sink.records.at(-1)?.body ?? '').toString(), body);
      }
    }
  });
});
