import assert from 'node:assert/strict';
import { normaliseEvent } from '../../../src/integrated/digest/normalise/normalise-event.ts';
import {
  AUTH,
  ENVELOPE,
  NOW,
  startIngestApp,
  type IngestApp,
  type IngestAnswerOverHttp,
} from '../../support/ingest-app.ts';
import { assertRefusal } from '../../support/ingest-assert.ts';

const ID = '7f9bdf379dd94837b0dd965053664889';
const OTHER = 'a227fdf2bf76432ab2898ca20f2b3fd2';
const EVENT = '{"message":"x"}';

describe('protocol: envelopes', () => {
  let app: IngestApp;
  before(async () => {
    app = await startIngestApp();
  });
  after(() => app.close());
  beforeEach(() => {
    app.sink.records = [];
  });

  const send = (body: string | Buffer): Promise<IngestAnswerOverHttp> => app.send(ENVELOPE, { headers: AUTH, body });
  const bodies = (): string[] =>
    app.sink.records.filter(({ eventId }) => eventId !== null).map(({ body }) => Buffer.from(body).toString());
  /** Answered 200, and exactly these events are kept. */
  async function keeps(body: string | Buffer, ...events: string[]): Promise<void> {
    app.sink.records = [];
    const answer = await send(body);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(bodies(), events);
  }

  describe('4 Grammar', () => {
    it('a payload with a length has that number of bytes, of any value', async () => {
      const event = '{"message":\n"a\\u0000b\\n"}';
      const binary = Buffer.from([0, 10, 13, 123, 255]);
      const head = Buffer.from(`{}\n{"type":"attachment","length":${binary.length}}\n`);
      await keeps(
        Buffer.concat([head, binary, Buffer.from(`\n{"type":"event","length":${event.length}}\n${event}`)]),
        event,
      );
    });

    it('a payload without a length ends with its line, or with the body', async () => {
      await keeps(`{}\n{"type":"event"}\n${EVENT}\n{"type":"session"}\n{}`, EVENT);
      await keeps(`{}\n{"type":"event"}\n${EVENT}`, EVENT);
      await keeps(`{}\n{"type":"event","length":null}\n${EVENT}`, EVENT);
    });

    it('the newline at the end may be missing', async () => {
      for (const end of ['', '\n']) {
        await keeps(`{}\n{"type":"event"}\n${EVENT}${end}`, EVENT);
        await keeps(`{}\n{"type":"event","length":${EVENT.length}}\n${EVENT}${end}`, EVENT);
      }
    });

    it('the length may be a number or digits, the keys of a header in any order', async () => {
      await keeps(`{}\n{"content_type":"application/json","length":"${EVENT.length}","type":"event"}\n${EVENT}`, EVENT);
    });

    it('carriage returns before the newline of a header line are ignored', async () => {
      await keeps(`{"event_id":"${ID}"}\r\n{"type":"event"}\r\n${EVENT}`, EVENT);
    });

    it('blank lines before a header are skipped', async () => {
      await keeps(`\n{}\n\n\n{"type":"event"}\n${EVENT}\n\n\r\n{"type":"event"}\n${EVENT}\n\n`, EVENT, EVENT);
    });

    it('the header {} is valid, and an envelope of headers only is answered 200 {}', async () => {
      for (const body of ['{}', '{}\n', `{"event_id":"${ID}","sent_at":"2026-11-20T12:00:00Z"}\n`]) {
        assert.equal((await send(body)).text, '{}');
      }
    });

    it('an item header at the end has an empty payload', async () => {
      await keeps(`{}\n{"type":"event"}\n${EVENT}\n{"type":"attachment"}`, EVENT);
    });

    it('unknown attributes of headers are ignored', async () => {
      await keeps(
        `{"x":{"y":[1]},"trace":{},"retention":90}\n{"type":"event","platform":"x","z":null}\n${EVENT}`,
        EVENT,
      );
    });

    it('unknown items are skipped by the same rules, with and without a length', async () => {
      await keeps(`{}\n{"type":"future","length":5}\na\nb\nc\n{"type":"event"}\n${EVENT}`, EVENT);
      await keeps(`{}\n{"type":"future"}\nwhatever\n{"type":"event"}\n${EVENT}`, EVENT);
    });

    it('several events are all kept, each under its own id; the first one is answered', async () => {
      const second = JSON.stringify({ event_id: OTHER });
      const answer = await send(`{"event_id":"${ID}"}\n{"type":"event"}\n${EVENT}\n{"type":"event"}\n${second}`);
      assert.deepEqual(answer.json, { id: ID });
      assert.deepEqual(app.sink.eventIds, [ID, OTHER]);
    });

    it('sessions, attachments and reports are read beside an event', async () => {
      const items = ['{"type":"session"}\n{}', '{"type":"attachment","length":2}\n{}', '{"type":"user_report"}\n{}'];
      for (const item of items) {
        await keeps(`{}\n{"type":"event"}\n${EVENT}\n${item}`, EVENT);
        await keeps(`{}\n${item}\n{"type":"event"}\n${EVENT}`, EVENT);
      }
    });

    it('an item header without type, or that is not an object: items before it are kept; without any, 400', async () => {
      for (const header of [
        '{}',
        '{"type":1}',
        '[]',
        'x',
        '{"type":"event","length":-1}',
        '{"type":"event","length":1.5}',
      ]) {
        await keeps(`{}\n{"type":"event"}\n${EVENT}\n${header}\n{}`, EVENT);
        assert.deepEqual(app.sink.outcomes, ['default invalid/malformed_envelope 1']);
        assertRefusal(await send(`{}\n${header}\n{}`), 400);
      }
    });

    it('fewer bytes than the length says: items before it are kept; without any, 400', async () => {
      await keeps(`{}\n{"type":"event"}\n${EVENT}\n{"type":"event","length":99}\n{}`, EVENT);
      assert.deepEqual(app.sink.outcomes, ['default invalid/truncated_envelope 1']);
      assertRefusal(await send('{}\n{"type":"event","length":99}\n{}'), 400);
    });

    it('no newline after the length: items before it are kept; without any, 400', async () => {
      await keeps(`{}\n{"type":"event"}\n${EVENT}\n{"type":"event","length":1}\n{}`, EVENT);
      assertRefusal(await send('{}\n{"type":"event","length":1}\n{}'), 400);
    });

    it('an event of broken JSON is answered 200 and counted as invalid; other items are kept', async () => {
      await keeps(`{}\n{"type":"event"}\n{"message":\n{"type":"event"}\n${EVENT}`, EVENT);
      assert.deepEqual(app.sink.outcomes, ['error invalid/invalid_json 1']);
      assert.equal((await send('{}\n{"type":"event"}\n[1]')).text, '{}');
    });

    it('a first line that is not a JSON object is answered 400', async () => {
      for (const body of ['', 'x', '[]\n', '{"a":\n', `${EVENT.slice(1)}\n`]) assertRefusal(await send(body), 400);
    });
  });

  describe('4.1 Headers of the envelope', () => {
    it('its event_id is used instead of the one in the payload', async () => {
      await send(`{"event_id":"${ID}"}\n{"type":"event"}\n{"event_id":"${OTHER}"}`);
      assert.deepEqual(app.sink.eventIds, [ID]);
    });

    it('ids may have dashes and capitals; they are answered as 32 lower-case hex digits', async () => {
      for (const id of [
        '7F9BDF37-9DD9-4837-B0DD-965053664889',
        '7f9bdf37-9dd9-4837-b0dd-965053664889',
        ID.toUpperCase(),
      ]) {
        assert.deepEqual((await send(`{"event_id":"${id}"}\n{"type":"event"}\n{}`)).json, { id: ID });
        assert.deepEqual((await send(`{}\n{"type":"event"}\n{"event_id":"${id}"}`)).json, { id: ID });
      }
    });

    it('an event without an id, or with an invalid one, gets one, which is answered', async () => {
      for (const id of ['', '"event_id":null', '"event_id":"x"', `"event_id":"${'0'.repeat(32)}"`]) {
        const { json } = await send(`{${id}}\n{"type":"event"}\n{}`);
        assert.match(String(json['id']), /^[0-9a-f]{12}4[0-9a-f]{19}$/);
        assert.equal(app.sink.eventIds.at(-1), json['id']);
      }
    });

    it('sent_at is kept, with any precision and offset', async () => {
      for (const sent of [
        '2026-11-20T12:00:00Z',
        '2026-11-20T12:00:00.000000Z',
        '2026-11-20T13:00:00+01:00',
        '2026-11-20T12:00:00.000000001Z',
      ]) {
        await send(`{"sent_at":"${sent}"}\n{"type":"event"}\n{}`);
        assert.equal(app.sink.records.at(-1)?.sentAt, NOW, sent);
      }
      await send('{"sent_at":"yesterday"}\n{"type":"event"}\n{}');
      assert.equal(app.sink.records.at(-1)?.sentAt, null);
    });
  });

  describe('4.3 Clock of the sender', () => {
    const at = (timestamp: number | undefined, sentAt: number | null): number => {
      const origin = { eventId: ID, receivedAt: NOW, sentAt, clientIp: null };
      const event = timestamp === undefined ? {} : { timestamp: timestamp / 1000 };
      const result = normaliseEvent(event, origin, { inAppInclude: [], inAppExclude: [] });
      assert.ok(result.kind !== 'dropped');
      return result.at - NOW;
    };
    const HOUR = 3_600_000;

    it('is corrected where sent_at differs from the time of receipt by 55 minutes or more', () => {
      assert.equal(at(NOW - 2 * HOUR - 5000, NOW - 2 * HOUR), -5000);
      assert.equal(at(NOW + 2 * HOUR - 5000, NOW + 2 * HOUR), -5000);
      assert.equal(at(NOW - HOUR / 2, NOW - HOUR / 2), -HOUR / 2);
    });

    it('is trusted without sent_at', () => {
      assert.equal(at(NOW - 2 * HOUR, null), -2 * HOUR);
    });

    it('more than a minute ahead, more than 30 days behind, or absent: the time of receipt is used', () => {
      for (const timestamp of [NOW + 61_000, NOW - 31 * 24 * HOUR, undefined]) assert.equal(at(timestamp, null), 0);
      assert.equal(at(NOW + 59_000, null), 59_000);
      assert.equal(at(NOW - 29 * 24 * HOUR, null), -29 * 24 * HOUR);
    });
  });
});
