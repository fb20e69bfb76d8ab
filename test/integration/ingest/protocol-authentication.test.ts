import assert from 'node:assert/strict';
import { AppError } from '../../../src/domain/app-error.ts';
import { AUTH, ENVELOPE, limitsWith, STORE, startIngestApp, type IngestApp } from '../../support/ingest-app.ts';
import { assertCors, assertRefusal } from '../../support/ingest-assert.ts';

const EVENT = '{"message":"x"}';
const ITEM = `{"type":"event"}\n${EVENT}`;
const withDsn = (dsn: string) => `${JSON.stringify({ dsn })}\n${ITEM}`;
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('protocol: addresses and authentication', () => {
  let app: IngestApp;
  before(async () => {
    app = await startIngestApp({ basePath: '/errgate', limits: { maxRequestBytes: 100_000, maxEventBytes: 50_000 } });
  });
  after(() => app.close());

  const store = async (headers: Record<string, string>, query = '') =>
    (await app.send(`${STORE}${query}`, { headers, body: EVENT })).status;
  const header = (text: string) => store({ 'X-Sentry-Auth': text });

  describe('1.1 Addresses', () => {
    it('the address that SDKs derive from the DSN accepts envelopes and events', async () => {
      for (const prefix of ['/errortracking/api/v1/projects', '/errgate/errortracking/api/v1/projects', '']) {
        assert.equal((await app.send(`${prefix}/api/42/store/`, { headers: AUTH, body: EVENT })).status, 200);
        assert.equal(
          (await app.send(`${prefix}/api/42/envelope/`, { headers: AUTH, body: `{}\n${ITEM}` })).status,
          200,
        );
      }
    });

    it('a project id that no project can have is answered 404, with a reason that SDKs can read', async () => {
      assertRefusal(await app.send('/api/o1.shop/store/', { headers: AUTH, body: EVENT }), 404);
    });
  });

  describe('1.2 Slashes', () => {
    it('the last slash may be missing or repeated; nothing is redirected', async () => {
      for (const end of ['', '/', '//']) {
        const answer = await app.send(`/api/42/store${end}`, { headers: AUTH, body: EVENT });
        assert.equal(answer.status, 200);
        assert.equal(answer.headers.location, undefined);
      }
    });
  });

  describe('2.1 X-Sentry-Auth', () => {
    it('the word Sentry is read in any case', async () => {
      for (const word of ['Sentry', 'sentry', 'SENTRY'])
        assert.equal(await header(`${word} sentry_key=glet_abc123`), 200);
    });

    it('pairs are separated by commas, with and without spaces, in any order', async () => {
      for (const pairs of [
        'sentry_key=glet_abc123, sentry_version=7, sentry_client=sentry.python/2.68.0',
        'sentry_version=7,sentry_client=sentry.java/8.53.0,sentry_key=glet_abc123',
        'sentry_version=7 ,  sentry_key=glet_abc123 ,sentry_client=x',
      ]) {
        assert.equal(await header(`Sentry ${pairs}`), 200, pairs);
      }
    });

    it('the form of every SDK is read: Go, Java, PHP, Python, Ruby, Rust', async () => {
      for (const text of [
        'Sentry sentry_version=7, sentry_timestamp=1763640000, sentry_client=sentry.go/0.20.0, sentry_key=glet_abc123',
        'Sentry sentry_version=7, sentry_client=sentry.go/0.27.0, sentry_key=glet_abc123',
        'Sentry sentry_version=7,sentry_client=sentry.java/6.18.1,sentry_key=glet_abc123',
        'Sentry sentry_version=7, sentry_client=sentry.php/3.18.0, sentry_key=glet_abc123',
        'Sentry sentry_key=glet_abc123, sentry_version=7, sentry_client=sentry.python/1.21.0',
        'Sentry sentry_version=7, sentry_client=sentry-ruby/5.9.0, sentry_timestamp=1763640000, sentry_key=glet_abc123',
        'Sentry sentry_version=7, sentry_timestamp=1763640000, sentry_key=glet_abc123, sentry_client=sentry-ruby/6.6.2',
        'Sentry sentry_key=glet_abc123, sentry_version=7, sentry_timestamp=1763640000.5, sentry_client=sentry.rust/0.31.0',
      ]) {
        assert.equal(await header(text), 200, text);
      }
    });

    it('the secret and time of older SDKs, and unknown pairs, are ignored', async () => {
      const old = 'sentry_secret=s3cret, sentry_timestamp=1, x=y, novalue, =, sentry_key=glet_abc123';
      assert.equal(await header(`Sentry ${old}`), 200);
    });

    it('the version may be missing, 7, 7.0 or unreadable; above 8 is answered 401', async () => {
      for (const [version, status] of [
        ['', 200],
        [', sentry_version=7', 200],
        [', sentry_version=7.0', 200],
        [', sentry_version=x', 200],
        [', sentry_version=8', 200],
        [', sentry_version=9', 401],
      ] as const) {
        assert.equal(await header(`Sentry sentry_key=glet_abc123${version}`), status, version);
      }
    });

    it('a missing key, or one that is not a word of at most 255 characters, is answered 401', async () => {
      for (const key of ['', 'a-b', 'a b', 'ä', 'x'.repeat(256)]) {
        assert.equal(await header(`Sentry sentry_key=${encodeURI(key)}`), 401, key);
      }
      assert.equal(await header('Sentry sentry_version=7'), 401);
    });

    it('the name and version of the client are kept with the event', async () => {
      app.sink.records = [];
      await header('Sentry sentry_key=glet_abc123, sentry_client=sentry.java/8.53.0');
      assert.equal(app.sink.records[0]?.client, 'sentry.java/8.53.0');
    });
  });

  describe('2.2 Other carriers', () => {
    it('Authorization: Sentry … is read like X-Sentry-Auth', async () => {
      assert.equal(await store({ Authorization: 'Sentry sentry_key=glet_abc123, sentry_version=7' }), 200);
    });

    it('Authorization: Basic with the key and an empty password is read', async () => {
      assert.equal(await store({ Authorization: basic('glet_abc123:') }), 200);
      assert.equal(await store({ Authorization: basic('user:password') }), 401, 'that is for something else');
    });

    it('sentry_key, sentry_version and sentry_client are read from the query, percent-encoded', async () => {
      app.sink.records = [];
      const query = '?sentry_key=glet_abc123&sentry_version=7&sentry_client=sentry.javascript.browser%2F10.22.0';
      assert.equal(await store({}, query), 200);
      assert.equal(app.sink.records[0]?.client, 'sentry.javascript.browser/10.22.0');
    });

    it('sentry_key is found behind a thousand other parameters', async () => {
      assert.equal(await store({}, `?${'a&'.repeat(1000)}sentry_key=glet_abc123`), 200);
    });

    it('the dsn in the header of an envelope authorises it: its user is the key, its last part the project', async () => {
      for (const dsn of [
        'http://glet_abc123@127.0.0.1:1/errortracking/api/v1/projects/42',
        'https://glet_abc123:secret@errors.example.com/42',
      ]) {
        assert.equal((await app.send(ENVELOPE, { body: withDsn(dsn) })).status, 200, dsn);
      }
    });
  });

  describe('2.3 Several carriers', () => {
    it('several carriers with the same key are accepted', async () => {
      const headers = { ...AUTH, Authorization: basic('glet_abc123:') };
      const path = `${ENVELOPE}?sentry_key=glet_abc123&sentry_key=glet_abc123`;
      const body = withDsn('http://glet_abc123@127.0.0.1/42');
      assert.equal((await app.send(path, { headers, body })).status, 200);
    });

    it('different keys in one request are answered 401, in any carriers', async () => {
      assert.equal(await store({ ...AUTH, Authorization: 'Sentry sentry_key=k' }), 401);
      assert.equal(await store(AUTH, '?sentry_key=k'), 401);
      assert.equal(await store({}, '?sentry_key=k&sentry_key=glet_abc123'), 401);
      assert.equal(await header('Sentry sentry_key=k, sentry_key=glet_abc123'), 401);
      assertRefusal(await app.send(ENVELOPE, { headers: AUTH, body: withDsn('http://k@127.0.0.1/42') }), 401);
    });

    it('a dsn for another project than the address is answered 403', async () => {
      assertRefusal(await app.send(ENVELOPE, { headers: AUTH, body: withDsn('http://glet_abc123@127.0.0.1/46') }), 403);
      assertRefusal(await app.send(ENVELOPE, { body: withDsn('http://glet_abc123@127.0.0.1/46') }), 403);
    });

    it('a dsn that cannot be read is ignored beside a readable key', async () => {
      assert.equal((await app.send(ENVELOPE, { headers: AUTH, body: withDsn('nonsense') })).status, 200);
      assert.equal((await app.send(ENVELOPE, { body: withDsn('nonsense') })).status, 401);
    });

    it('a request without a key is answered 401', async () => {
      assertRefusal(await app.send(STORE, { body: EVENT }), 401);
      assertRefusal(await app.send(ENVELOPE, { body: `{}\n${ITEM}` }), 401);
    });

    it('a project has any aliases, also those of other projects: the key decides', async () => {
      for (const alias of ['7001', 'old-shop', '43']) {
        assert.equal((await app.send(`/api/${alias}/store/`, { headers: AUTH, body: EVENT })).status, 200);
      }
    });

    it('a key of another project than the address is answered 403', async () => {
      assertRefusal(await app.send('/api/46/store/', { headers: AUTH, body: EVENT }), 403);
      assertRefusal(await app.send('/api/999/store/', { headers: AUTH, body: EVENT }), 403);
    });

    it('keys that are unknown, disabled, or of a project without error tracking are answered 403', async () => {
      for (const [key, id] of [
        ['glet_nobody', 42],
        ['glet_disabled', 42],
        ['glet_unconfigured', 43],
        ['glet_switchedoff', 44],
        ['glet_external', 45],
      ] as const) {
        const answer = await app.send(`/api/${id}/store/?sentry_key=${key}`, { body: EVENT });
        assertRefusal(answer, 403);
      }
    });
  });

  describe('2.4 Browsers', () => {
    it('a simple request needs no preflight: text/plain or no content type, the key in the query', async () => {
      for (const headers of [{ 'Content-Type': 'text/plain;charset=UTF-8' }, {}]) {
        const answer = await app.send(`${ENVELOPE}?sentry_key=glet_abc123&sentry_version=7`, {
          headers: { ...headers, Origin: 'https://shop.example.com' },
          body: `{}\n${ITEM}`,
        });
        assert.equal(answer.status, 200);
        assert.equal(answer.headers['access-control-allow-origin'], '*');
      }
    });

    it('a request forwarded by a tunnel is authorised by the dsn of the envelope alone', async () => {
      const body = withDsn('https://glet_abc123@errors.example.com/errortracking/api/v1/projects/42');
      assert.equal((await app.send(ENVELOPE, { headers: { 'Content-Type': 'text/plain' }, body })).status, 200);
    });
  });

  describe('2.5 CORS', () => {
    const large = 'x'.repeat(100_001);
    const answers: [status: number, send: () => ReturnType<IngestApp['send']>][] = [
      [200, () => app.send(STORE, { headers: AUTH, body: EVENT })],
      [204, () => app.send(STORE, { method: 'OPTIONS' })],
      [400, () => app.send(STORE, { headers: AUTH, body: 'x' })],
      [401, () => app.send(STORE, { body: EVENT })],
      [403, () => app.send(STORE, { headers: { 'X-Sentry-Auth': 'Sentry sentry_key=k2' }, body: EVENT })],
      [404, () => app.send('/api/x.y/store/', { headers: AUTH, body: EVENT })],
      [405, () => app.send(STORE, { method: 'PUT', headers: AUTH, body: EVENT })],
      [413, () => app.send(STORE, { headers: AUTH, body: large })],
      [415, () => app.send(STORE, { headers: { ...AUTH, 'Content-Encoding': 'lzma' }, body: EVENT })],
    ];
    for (const [status, send] of answers) {
      it(`the headers are present on ${status}`, async () => {
        const answer = await send();
        assert.equal(answer.status, status);
        assertCors(answer);
      });
    }

    it('the headers are present on 429', async () => {
      const limited = await startIngestApp({ rates: limitsWith({ key: { eventsPerMinute: 1 } }) });
      try {
        const send = () => limited.send(STORE, { headers: AUTH, body: EVENT });
        assert.deepEqual([(await send()).status, (await send()).status], [200, 429]);
        assertCors(await send());
      } finally {
        await limited.close();
      }
    });

    for (const error of [
      new AppError('ingest_unavailable', 'The disk is full.', { retryAfterSeconds: 10 }),
      new Error('a mistake of ours'),
    ]) {
      it(`the headers are present on 503, after ${error instanceof AppError ? 'a refusal' : 'an internal error'}`, async () => {
        app.sink.error = error;
        try {
          const answer = await app.send(STORE, { headers: AUTH, body: EVENT });
          assert.equal(answer.status, 503);
          assertCors(answer);
        } finally {
          app.sink.error = null;
        }
      });
    }

    it('a preflight is answered 204 without a key', async () => {
      const preflight = { Origin: 'https://shop.example.com', 'Access-Control-Request-Method': 'POST' };
      assert.equal((await app.send(ENVELOPE, { method: 'OPTIONS', headers: preflight })).status, 204);
    });

    it('the headers of SDKs and of their tracing are allowed; those that SDKs read are exposed; no credentials', async () => {
      const { headers } = await app.send(ENVELOPE, { method: 'OPTIONS' });
      const allowed = (headers['access-control-allow-headers'] ?? '').split(', ');
      for (const name of [
        'x-sentry-auth',
        'content-type',
        'authorization',
        'content-encoding',
        'sentry-trace',
        'baggage',
        'traceparent',
      ]) {
        assert.ok(allowed.includes(name), name);
      }
      assert.equal(headers['access-control-expose-headers'], 'x-sentry-error, x-sentry-rate-limits, retry-after');
      assert.equal(headers['access-control-max-age'], '3600');
      assert.equal(headers['access-control-allow-credentials'], undefined);
    });
  });
});
