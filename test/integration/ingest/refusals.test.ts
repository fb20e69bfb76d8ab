import assert from 'node:assert/strict';
import { AUTH, ENVELOPE, STORE, startIngestApp, type IngestApp, type SendOptions } from '../../support/ingest-app.ts';
import { assertCors, assertRefusal } from '../../support/ingest-assert.ts';

const EVENT = '{"message":"x"}';
const ENVELOPE_BODY = `{}\n{"type":"event"}\n${EVENT}`;
const key = (publicKey: string) => ({ 'X-Sentry-Auth': `Sentry sentry_key=${publicKey}, sentry_version=7` });
const pathOf = (kind: string, id: number | string) => `/errortracking/api/v1/projects/api/${id}/${kind}/`;

describe('ingestion refusals', () => {
  let app: IngestApp;
  before(async () => {
    app = await startIngestApp({
      limits: { maxRequestBytes: 100_000, maxInflatedBytes: 200_000, maxEventBytes: 50_000 },
    });
  });
  after(() => app.close());
  afterEach(() => {
    assert.deepEqual(app.logged, []);
    assert.deepEqual(app.passed, []);
  });

  interface Case {
    readonly what: string;
    readonly status: number;
    readonly reason: string;
    readonly options: SendOptions;
    /** Default: the project's own id. */
    readonly id?: number | string;
    /** Default: both. */
    readonly only?: 'store' | 'envelope';
  }

  const cases: Case[] = [
    { what: 'no key', status: 401, reason: 'unauthorized', options: {} },
    {
      what: 'no key in X-Sentry-Auth',
      status: 401,
      reason: 'unauthorized',
      options: { headers: { 'X-Sentry-Auth': 'Sentry sentry_version=7' } },
    },
    {
      what: 'an unreadable X-Sentry-Auth',
      status: 401,
      reason: 'unauthorized',
      options: { headers: { 'X-Sentry-Auth': 'glet_abc123' } },
    },
    { what: 'a key with a dash', status: 401, reason: 'unauthorized', options: { headers: key('glet-abc') } },
    { what: 'an empty key', status: 401, reason: 'unauthorized', options: { headers: key('') } },
    {
      what: 'a key of 256 characters',
      status: 401,
      reason: 'unauthorized',
      options: { headers: key('a'.repeat(256)) },
    },
    {
      what: 'protocol version 9',
      status: 401,
      reason: 'unauthorized',
      options: { headers: { 'X-Sentry-Auth': 'Sentry sentry_key=glet_abc123, sentry_version=9' } },
    },
    {
      what: 'a login of something else',
      status: 401,
      reason: 'unauthorized',
      options: { headers: { Authorization: 'Bearer glpat-x' } },
    },
    {
      what: 'two keys that differ',
      status: 401,
      reason: 'unauthorized',
      options: { headers: { ...key('glet_abc123'), Authorization: 'Sentry sentry_key=k' } },
    },
    { what: 'an unknown key', status: 403, reason: 'unknown_key', options: { headers: key('glet_nobody') } },
    { what: 'a disabled key', status: 403, reason: 'inactive_key', options: { headers: key('glet_disabled') } },
    {
      what: 'a key of another project',
      status: 403,
      reason: 'other_project',
      options: { headers: key('glet_neighbour') },
    },
    {
      what: 'an unknown project',
      status: 403,
      reason: 'other_project',
      options: { headers: key('glet_abc123') },
      id: 999,
    },
    {
      what: 'a project id beyond all numbers',
      status: 404,
      reason: 'unknown_project',
      options: { headers: key('glet_abc123') },
      id: '9'.repeat(400),
    },
    {
      what: 'a project without settings',
      status: 403,
      reason: 'not_configured',
      options: { headers: key('glet_unconfigured') },
      id: 43,
    },
    {
      what: 'a project that is switched off',
      status: 403,
      reason: 'not_active',
      options: { headers: key('glet_switchedoff') },
      id: 44,
    },
    {
      what: 'a project with an external tracker',
      status: 403,
      reason: 'not_integrated',
      options: { headers: key('glet_external') },
      id: 45,
    },
    { what: 'an empty body', status: 400, reason: 'invalid', options: { headers: AUTH, body: '' } },
    { what: 'text', status: 400, reason: 'invalid', options: { headers: AUTH, body: 'hello world' } },
    { what: 'NUL bytes', status: 400, reason: 'invalid', options: { headers: AUTH, body: Buffer.alloc(1000) } },
    { what: 'cut off JSON', status: 400, reason: 'invalid', options: { headers: AUTH, body: '{"message":"x' } },
    { what: 'a list', status: 400, reason: 'invalid', options: { headers: AUTH, body: '[{}]' } },
    {
      what: 'an item header that is no JSON',
      status: 400,
      reason: 'invalid',
      options: { headers: AUTH, body: '{}\n{"type"\n{}' },
      only: 'envelope',
    },
    {
      what: 'an item without type',
      status: 400,
      reason: 'invalid',
      options: { headers: AUTH, body: '{}\n{}\n{}' },
      only: 'envelope',
    },
    {
      what: 'a cut off envelope',
      status: 400,
      reason: 'invalid',
      options: { headers: AUTH, body: '{}\n{"type":"event","length":99}\n{}' },
      only: 'envelope',
    },
    {
      what: 'a broken gzip stream',
      status: 400,
      reason: 'invalid',
      options: { headers: { ...AUTH, 'Content-Encoding': 'gzip' } },
    },
    {
      what: 'a broken zstd stream',
      status: 400,
      reason: 'invalid',
      options: { headers: { ...AUTH, 'Content-Encoding': 'zstd' } },
    },
    {
      what: 'an unknown encoding',
      status: 415,
      reason: 'unsupported_encoding',
      options: { headers: { ...AUTH, 'Content-Encoding': 'lzma' } },
    },
    {
      what: 'too large a body',
      status: 413,
      reason: 'too_large',
      options: { headers: AUTH, body: 'x'.repeat(100_001) },
    },
    {
      what: 'too large a body in chunks',
      status: 413,
      reason: 'too_large',
      options: { headers: AUTH, body: 'x'.repeat(300_000), chunkBytes: 7000 },
    },
    {
      what: 'too large an event',
      status: 413,
      reason: 'too_large',
      options: { headers: AUTH, body: `{"a":"${'x'.repeat(50_000)}"}` },
      only: 'store',
    },
    {
      what: 'too large an event',
      status: 413,
      reason: 'too_large',
      options: { headers: AUTH, body: `{}\n{"type":"session"}\n{}\n{"type":"event"}\n{"a":"${'x'.repeat(50_000)}"}` },
      only: 'envelope',
    },
  ];
  for (const { what, status, reason, options, id = 42, only } of cases) {
    for (const kind of only === undefined ? ['store', 'envelope'] : [only]) {
      it(`${kind}: ${what} is answered ${status}`, async () => {
        const { records } = app.sink;
        const before = records.length;
        const counted = await app.count('refused', { reason });
        const body = options.body ?? (kind === 'store' ? EVENT : ENVELOPE_BODY);
        const answer = await app.send(pathOf(kind, id), { ...options, body });
        assertRefusal(answer, status);
        assert.equal(app.sink.records.length, before, 'nothing is journalled');
        assert.equal(await app.count('refused', { reason }), counted + 1);
      });
    }
  }

  it('415 lists the supported encodings', async () => {
    const answer = await app.send(STORE, { headers: { ...AUTH, 'Content-Encoding': 'lzma' }, body: EVENT });
    assert.equal(answer.headers['accept-encoding'], 'gzip, deflate, br, zstd');
  });

  for (const method of ['PUT', 'PATCH', 'DELETE', 'HEAD', 'GET']) {
    it(`${method} is answered 405`, async () => {
      for (const path of [STORE, ENVELOPE]) {
        const answer = await app.send(path, { method, headers: AUTH });
        assert.equal(answer.status, 405);
        assert.equal(answer.headers['allow'], 'POST, OPTIONS');
        assertCors(answer);
      }
    });
  }

  it('OPTIONS needs no key', async () => {
    for (const path of [STORE, ENVELOPE, '/api/42/store', '/api/999/envelope/']) {
      const answer = await app.send(path, {
        method: 'OPTIONS',
        headers: { Origin: 'https://app.example.com', 'Access-Control-Request-Method': 'POST' },
      });
      assert.equal(answer.status, 204);
      assertCors(answer);
    }
  });

  it('names the methods that each route takes', async () => {
    const methods = async (path: string): Promise<unknown> =>
      (await app.send(path, { method: 'OPTIONS' })).headers['access-control-allow-methods'];
    assert.equal(await methods(STORE), 'POST, GET, OPTIONS');
    assert.equal(await methods(ENVELOPE), 'POST, OPTIONS');
  });

  it('200 carries CORS and no Retry-After', async () => {
    for (const [path, body] of [
      [STORE, EVENT],
      [ENVELOPE, ENVELOPE_BODY],
      [ENVELOPE, '{}'],
    ] as const) {
      const answer = await app.send(path, { headers: AUTH, body });
      assert.equal(answer.status, 200);
      assertCors(answer);
      assert.equal(answer.headers['retry-after'], undefined);
      assert.equal(answer.headers['x-sentry-error'], undefined);
      assert.match(answer.headers['content-type'] ?? '', /^application\/json/);
    }
  });

  describe('DSN in the header of an envelope', () => {
    const withDsn = (dsn: string) => `${JSON.stringify({ dsn })}\n{"type":"event"}\n${EVENT}`;
    const host = 'http://127.0.0.1:1/errortracking/api/v1/projects';
    const rows: [what: string, dsn: string, headers: Record<string, string>, id: number | string, status: number][] = [
      ['alone', 'http://glet_abc123@127.0.0.1:1/errortracking/api/v1/projects/42', {}, 42, 200],
      ['that agrees', 'http://glet_abc123@127.0.0.1:1/errortracking/api/v1/projects/42', AUTH, 42, 200],
      ['of an alias', 'http://glet_abc123@errors.example.com/7001', {}, 7001, 200],
      ['of an alias that is a text', 'http://glet_abc123@errors.example.com/old-shop', {}, 'old-shop', 200],
      ['of an alias beside the project', 'http://glet_abc123@errors.example.com/7001', AUTH, 42, 403],
      ['with another key', 'http://k@127.0.0.1:1/42', AUTH, 42, 401],
      ['for another project', 'http://glet_abc123@127.0.0.1:1/46', AUTH, 42, 403],
      ['for another project, alone', 'http://glet_abc123@127.0.0.1:1/46', {}, 42, 403],
      ['with an unknown key', 'http://glet_nobody@127.0.0.1:1/42', {}, 42, 403],
      ['unreadable, alone', `${host}/42`, {}, 42, 401],
      ['unreadable beside a good key', `${host}/42`, AUTH, 42, 200],
    ];
    for (const [what, dsn, headers, id, status] of rows) {
      it(`${what} is answered ${status}`, async () => {
        for (const path of [pathOf('envelope', id), pathOf('store', id)]) {
          const answer = await app.send(path, {
            headers: { ...headers, 'Content-Type': 'application/x-sentry-envelope' },
            body: withDsn(dsn),
          });
          if (status === 200) {
            assert.equal(answer.status, 200, answer.text);
          } else {
            assertRefusal(answer, status);
          }
        }
      });
    }
  });
});
