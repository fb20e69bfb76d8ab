import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { FORWARDED_HEADER } from '../../../src/domain/ingest/forward.ts';
import { AUTH, ENVELOPE, type IngestApp, limitsWith, NOW, startIngestApp, STORE } from '../../support/ingest-app.ts';

const ID = 'ab'.repeat(16);
const EVERYTHING = [
  `{"event_id":"${ID}"}`,
  '{"type":"event"}\n{"message":"x"}',
  '{"type":"transaction"}\n{}',
  '{"type":"session"}\n{}',
  '{"type":"replay_recording","length":2}\n\0\n',
  '{"type":"client_report"}\n{}',
].join('\n');

describe('requests of a project that forwards', () => {
  let app: IngestApp;

  beforeEach(async () => {
    const limited = { ...limitsWith().key, eventsPerMinute: 60, eventsBurst: 2 };
    app = await startIngestApp({ rates: limitsWith({ key: limited }) });
    app.store.forwards.set(42, NOW + 1000);
  });
  afterEach(() => app.close());

  const forwards = () => app.sink.records.filter(({ forward }) => forward !== undefined);

  it('are kept as they came, in the same write as their events', async () => {
    const body = gzipSync(EVERYTHING);
    const headers = { ...AUTH, 'Content-Encoding': 'gzip', 'User-Agent': 'sdk/1', [FORWARDED_HEADER]: 'other' };
    assert.equal((await app.send(ENVELOPE, { headers, body })).status, 200);
    assert.equal(app.sink.appends, 1);
    assert.deepEqual(app.sink.eventIds, [ID, ID]);
    const [kept] = forwards();
    const details = { form: 'envelope', encoding: 'gzip', via: 'other', userAgent: 'sdk/1', hasEvent: true };
    assert.deepEqual(kept?.forward, details);
    assert.deepEqual(Buffer.from(kept.body), body);
    assert.deepEqual([kept.eventId, kept.client, kept.outcomes], [ID, 'test/1.0', []]);
  });

  it('are kept without anything that is stored here', async () => {
    const body = '{}\n{"type":"transaction"}\n{}';
    assert.equal((await app.send(ENVELOPE, { headers: AUTH, body })).status, 200);
    const [kept] = forwards();
    assert.deepEqual([kept?.eventId, kept?.forward?.hasEvent], [null, false]);
    assert.equal(String(kept?.body), body);
  });

  it('are kept as the event that came to store, under the id of the answer', async () => {
    const sent = await app.send(STORE, { headers: AUTH, body: Buffer.from('{"message":"x"}').toString('base64') });
    const [kept] = forwards();
    assert.equal(kept?.eventId, sent.json['id']);
    assert.deepEqual([kept?.forward?.form, String(kept?.body)], ['event', '{"message":"x"}']);
    await app.send(STORE, { headers: AUTH, body: '{"type":"transaction"}' });
    assert.equal(forwards()[1]?.forward?.form, 'transaction');
  });

  it('are kept whole where a limit drops some items, and not at all where the SDK is told to wait', async () => {
    const event = '{"type":"event"}\n{}';
    const body = ['{}', event, event, event].join('\n');
    assert.equal((await app.send(ENVELOPE, { headers: AUTH, body })).status, 200);
    assert.equal(String(forwards()[0]?.body), body);
    assert.equal((await app.send(ENVELOPE, { headers: AUTH, body: `{}\n${event}` })).status, 429);
    assert.equal(forwards().length, 1);
  });

  it('are not kept when they are refused', async () => {
    for (const [headers, body] of [
      [{}, EVERYTHING],
      [AUTH, 'no envelope'],
      [AUTH, `{}\n{"type":"event"}\n{"x":"${'x'.repeat(1024 * 1024)}"}`],
    ] as const) {
      assert.ok((await app.send(ENVELOPE, { headers, body })).status >= 400);
    }
    assert.equal(app.sink.appends, 0);
  });

  it('are not kept after the end of the forward', async () => {
    app.clock.at = NOW + 1000;
    assert.equal((await app.send(ENVELOPE, { headers: AUTH, body: EVERYTHING })).status, 200);
    assert.deepEqual([forwards(), app.sink.eventIds], [[], [ID]]);
  });

  it('of another project are not kept', async () => {
    app.store.forwards.clear();
    app.store.forwards.set(46, null);
    assert.equal((await app.send(ENVELOPE, { headers: AUTH, body: EVERYTHING })).status, 200);
    assert.equal(forwards().length, 0);
  });
});
