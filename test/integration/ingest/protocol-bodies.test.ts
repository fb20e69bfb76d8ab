import assert from 'node:assert/strict';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { AUTH, ENVELOPE, STORE, startIngestApp, type IngestApp } from '../../support/ingest-app.ts';
import { assertRefusal } from '../../support/ingest-assert.ts';
import { zstdRaw } from '../../support/ingest-zstd.ts';

const ID = '7f9bdf379dd94837b0dd965053664889';
const EVENT = JSON.stringify({ event_id: ID, message: 'grüße '.repeat(50) });
const ITEM = `{"type":"event"}\n${EVENT}`;

describe('protocol: encodings, content types, limits', () => {
  let app: IngestApp;
  before(async () => {
    app = await startIngestApp({
      limits: { maxRequestBytes: 100_000, maxInflatedBytes: 80_000, maxEventBytes: 50_000 },
    });
  });
  after(() => app.close());
  beforeEach(() => {
    app.sink.records = [];
  });

  /** Both routes take it and keep the very bytes of the event. */
  async function assertTaken(encoding: string | null, encode: (body: Buffer) => Buffer): Promise<void> {
    for (const [path, body] of [
      [STORE, EVENT],
      [ENVELOPE, `{}\n${ITEM}`],
    ] as const) {
      for (const chunk of [{}, { chunkBytes: 50 }]) {
        const headers = encoding === null ? AUTH : { ...AUTH, 'Content-Encoding': encoding };
        const answer = await app.send(path, { headers, body: encode(Buffer.from(body)), ...chunk });
        assert.equal(answer.status, 200, answer.text);
        assert.equal(Buffer.from(app.sink.records.at(-1)?.body ?? []).toString(), EVENT);
      }
    }
  }
  const same = (body: Buffer) => body;

  describe('3.1 Content-Encoding', () => {
    it('gzip is decoded', () => assertTaken('gzip', gzipSync));
    it('deflate is decoded, as zlib', () => assertTaken('deflate', deflateSync));
    it('deflate is decoded, also raw', () => assertTaken('deflate', deflateRawSync));
    it('br is decoded', () => assertTaken('br', brotliCompressSync));
    it('zstd is decoded', () => assertTaken('zstd', zstdRaw));
    it('names are read in any case', () => assertTaken('GZip', gzipSync));
    it('absent, empty, identity and utf-8 mean no encoding', async () => {
      for (const encoding of [null, '', 'identity', 'utf-8', 'UTF-8']) await assertTaken(encoding, same);
    });
    it('bodies may come chunked, without a length, in pieces of any size', async () => {
      for (const chunkBytes of [1, 7, 100]) {
        assert.equal((await app.send(STORE, { headers: AUTH, body: EVENT, chunkBytes })).status, 200);
      }
    });
    it('an unknown encoding, or several at once, are answered 415 with the supported ones in Accept-Encoding', async () => {
      for (const encoding of ['lzma', 'gzip, deflate', 'x']) {
        const answer = await app.send(STORE, { headers: { ...AUTH, 'Content-Encoding': encoding }, body: EVENT });
        assertRefusal(answer, 415);
        assert.equal(answer.headers['accept-encoding'], 'gzip, deflate, br, zstd');
      }
    });
    it('a corrupt or cut off stream is answered 400', async () => {
      for (const [encoding, encode] of [
        ['gzip', gzipSync],
        ['deflate', deflateSync],
        ['br', brotliCompressSync],
        ['zstd', zstdRaw],
      ] as const) {
        const headers = { ...AUTH, 'Content-Encoding': encoding };
        const wire = encode(Buffer.from(EVENT));
        assertRefusal(await app.send(STORE, { headers, body: wire.subarray(0, wire.length - 9) }), 400);
        assertRefusal(await app.send(ENVELOPE, { headers, body: 'no stream at all' }), 400);
      }
    });
  });

  describe('3.2 Content-Type', () => {
    it('envelope ignores it', async () => {
      for (const type of [
        'application/json',
        'text/plain;charset=UTF-8',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        'nonsense',
      ]) {
        const answer = await app.send(ENVELOPE, { headers: { ...AUTH, 'Content-Type': type }, body: `{}\n${ITEM}` });
        assert.deepEqual(answer.json, { id: ID }, type);
      }
    });
    it('store reads application/x-sentry-envelope as an envelope, and everything else as an event', async () => {
      const envelope = { ...AUTH, 'Content-Type': 'application/x-sentry-envelope' };
      assert.equal((await app.send(STORE, { headers: envelope, body: `{}\n${ITEM}` })).status, 200);
      for (const type of [
        'application/json',
        'application/octet-stream',
        'text/plain',
        'application/x-www-form-urlencoded',
      ]) {
        const answer = await app.send(STORE, { headers: { ...AUTH, 'Content-Type': type }, body: EVENT });
        assert.deepEqual(answer.json, { id: ID }, type);
      }
    });
  });

  describe('3.3 Body of store', () => {
    const taken = async (body: string | Buffer) => {
      const answer = await app.send(STORE, { headers: AUTH, body });
      assert.equal(answer.status, 200, answer.text);
      return JSON.parse(Buffer.from(app.sink.records.at(-1)?.body ?? []).toString()) as Record<string, unknown>;
    };
    it('JSON is read, also with spaces around it', async () => {
      assert.equal((await taken(` \r\n\t${EVENT}\n `))['event_id'], ID);
    });
    it('base64 of JSON is read', async () => {
      assert.equal((await taken(Buffer.from(EVENT).toString('base64')))['event_id'], ID);
    });
    it('base64 of zlib of JSON is read, as older SDKs send it', async () => {
      assert.equal((await taken(deflateSync(EVENT).toString('base64')))['event_id'], ID);
    });
    it('bare NaN and Infinity of old Python clients are read as null, from any client', async () => {
      const event = await taken('{"extra":{"a":NaN,"b":-Infinity,"c":[Infinity]},"message":"NaN"}');
      assert.deepEqual(event, { extra: { a: null, b: null, c: [null] }, message: 'NaN' });
    });
    it('GET with sentry_data accepts an event in the address and answers an image', async () => {
      for (const data of [EVENT, Buffer.from(EVENT).toString('base64')]) {
        const path = `/api/42/store/?sentry_key=glet_abc123&sentry_data=${encodeURIComponent(data)}`;
        const answer = await app.send(path, { method: 'GET' });
        assert.equal(answer.status, 200, answer.text);
        assert.equal(answer.headers['content-type'], 'image/gif');
        assert.deepEqual(app.sink.eventIds.at(-1), ID);
      }
    });
    it('of several sentry_data the first counts, in the address as in a body', async () => {
      const data = `sentry_data=${encodeURIComponent(EVENT)}&sentry_data=x`;
      const answers = [
        await app.send(`/api/42/store/?sentry_key=glet_abc123&${data}`, { method: 'GET' }),
        await app.send(STORE, { headers: AUTH, body: data }),
      ];
      for (const answer of answers) assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(app.sink.eventIds.slice(-2), [ID, ID]);
    });
    it('anything else is answered 400', async () => {
      for (const body of ['', 'hello', '[]', '"x"', 'null', '{', 'sentry_data=']) {
        const answer = await app.send(STORE, { headers: AUTH, body });
        assertRefusal(answer, 400);
        assert.equal(answer.json['detail'], 'The body is not an event: it must be one JSON object.', body);
      }
    });
    it('compressed data in base64 that is cut off is answered 400, with a reason of its own', async () => {
      const broken = deflateSync(EVENT).subarray(0, 20).toString('base64');
      const answer = await app.send(STORE, { headers: AUTH, body: broken });
      assertRefusal(answer, 400);
      assert.match(String(answer.json['detail']), /compressed .* corrupt or cut off/);
    });
  });

  describe('3.4 Limits', () => {
    it('a request that is too large on the wire is answered 413, chunked or not', async () => {
      for (const chunk of [{}, { chunkBytes: 5000 }]) {
        assertRefusal(await app.send(ENVELOPE, { headers: AUTH, body: 'x'.repeat(100_001), ...chunk }), 413);
      }
    });
    it('a request that is too large when inflated is answered 413', async () => {
      for (const [encoding, encode] of [
        ['gzip', gzipSync],
        ['deflate', deflateSync],
        ['deflate', deflateRawSync],
        ['br', brotliCompressSync],
      ] as const) {
        const headers = { ...AUTH, 'Content-Encoding': encoding };
        assertRefusal(await app.send(ENVELOPE, { headers, body: encode(Buffer.alloc(80_001, '{}')) }), 413);
      }
    });
    it('an envelope with an event that is too large is answered 413 as a whole', async () => {
      const body = `{}\n${ITEM}\n{"type":"event"}\n{"a":"${'x'.repeat(50_000)}"}`;
      assertRefusal(await app.send(ENVELOPE, { headers: AUTH, body }), 413);
      assert.deepEqual(app.sink.records, []);
    });
    it('an event that is too large is answered 413 at store, also as base64 of zlib', async () => {
      const event = `{"a":"${'x'.repeat(50_000)}"}`;
      assertRefusal(await app.send(STORE, { headers: AUTH, body: event }), 413);
      assertRefusal(await app.send(STORE, { headers: AUTH, body: deflateSync(event).toString('base64') }), 413);
    });
    it('other items may be as large as the request; they are dropped', async () => {
      const body = `{}\n{"type":"attachment","length":60000}\n${'x'.repeat(60_000)}\n${ITEM}`;
      assert.deepEqual((await app.send(ENVELOPE, { headers: AUTH, body })).json, { id: ID });
    });
    it('more than 1,000 items are answered 413 as a whole, and each is counted', async () => {
      const items = [
        ...Array.from({ length: 1500 }, () => '{"type":"event"}\n{"message":"x"}'),
        '{"type":"log","item_count":20}\n{}',
        ...Array.from({ length: 600 }, () => '{"type":"session"}\n{}'),
      ];
      assertRefusal(await app.send(ENVELOPE, { headers: AUTH, body: ['{}', ...items].join('\n') }), 413);
      assert.deepEqual(app.sink.records, []);
      await app.ledger.flush();
      const counted = app.sink.outcomes.filter((outcome) => outcome.includes('too_many_items'));
      assert.deepEqual(counted, [
        'error invalid/too_many_items 1500',
        'log_item invalid/too_many_items 20',
        'session invalid/too_many_items 600',
      ]);
    });
    it('1,000 items are accepted', async () => {
      const body = ['{}', ...Array.from({ length: 1000 }, () => '{"type":"span"}\n{}')].join('\n');
      assert.deepEqual((await app.send(ENVELOPE, { headers: AUTH, body })).json, {});
      assert.deepEqual(app.sink.outcomes, ['span filtered/unsupported_item 1000']);
    });
    it('an event that is a transaction is answered {}, dropped and counted', async () => {
      const event = { event_id: ID, type: 'transaction', transaction: '/cart' };
      for (const header of ['{}', `{"event_id":"${ID}"}`]) {
        app.sink.records = [];
        const body = `${header}\n{"type":"event"}\n${JSON.stringify(event)}`;
        assert.deepEqual((await app.send(ENVELOPE, { headers: AUTH, body })).json, {});
        assert.deepEqual(app.sink.eventIds, []);
        assert.deepEqual(app.sink.outcomes, ['transaction filtered/unsupported_item 1']);
      }
    });
  });
});
