import assert from 'node:assert/strict';
import { AUTH, startIngestApp, type IngestApp } from '../../support/ingest-app.ts';
import { assertRefusal } from '../../support/ingest-assert.ts';

const ID = '7f9bdf379dd94837b0dd965053664889';
const EVENT = JSON.stringify({ event_id: ID });
const ENVELOPE_BODY = `{"event_id":"${ID}"}\n{"type":"event"}\n{}`;

describe('ingestion addresses', () => {
  let app: IngestApp;
  before(async () => {
    app = await startIngestApp({ basePath: '/errgate' });
  });
  after(() => app.close());

  for (const base of ['', '/errgate']) {
    for (const prefix of ['/errortracking/api/v1/projects', '']) {
      for (const id of [42, 7001, '042', '07001', 'old-shop', 43]) {
        for (const end of ['', '/', '//']) {
          for (const kind of ['store', 'envelope']) {
            const path = `${base}${prefix}/api/${id}/${kind}${end}`;
            it(`accepts events at ${path}`, async () => {
              app.sink.records = [];
              const answer = await app.send(path, { headers: AUTH, body: kind === 'store' ? EVENT : ENVELOPE_BODY });
              assert.equal(answer.status, 200, answer.text);
              assert.deepEqual(answer.json, { id: ID });
              assert.deepEqual(
                app.sink.records.map((record) => [record.projectId, record.keyId, record.eventId]),
                [[42, 1, ID]],
              );
            });
          }
        }
      }
    }
  }

  it('joins repeated slashes and reads the query', async () => {
    const answer = await app.send('//errgate//errortracking//api/v1/projects/api//42//store//?sentry_key=glet_abc123', {
      body: EVENT,
    });
    assert.equal(answer.status, 200, answer.text);
  });

  for (const path of [
    '/',
    '/api/v4/projects/42',
    '/api/42',
    '/api/v4/store/',
    '/api/v4/projects/store',
    '/api/42/minidump/',
    '/api/42/store/x',
    '/x/api/42/store/',
    '/api/v4/42/store/',
    '/errortracking/api/v1/projects/42/store/',
    '/errgate/errgate/api/42/store/',
    '/errgateX/api/42/store/',
  ]) {
    it(`passes ${path} on unchanged`, async () => {
      app.passed.length = 0;
      const answer = await app.send(path, { headers: AUTH, body: EVENT });
      assert.equal(answer.status, 404);
      assert.deepEqual(app.passed, [`POST ${path}`]);
      assert.equal(answer.headers['access-control-allow-origin'], undefined);
    });
  }

  for (const id of ['%34%32', 'a.b', 'a b', 'é', `4${'2'.repeat(64)}`].map(encodeURI)) {
    for (const base of ['', '/errgate/errortracking/api/v1/projects']) {
      it(`answers 404 to the project id in ${base}/api/${id}/, in a way that SDKs and browsers can read`, async () => {
        for (const kind of ['store/', 'envelope']) {
          app.passed.length = 0;
          const path = `${base}/api/${id}/${kind}`;
          assertRefusal(await app.send(path, { headers: AUTH, body: EVENT }), 404);
          assert.equal((await app.send(path, { method: 'OPTIONS' })).status, 204);
          assert.deepEqual(app.passed, []);
        }
      });
    }
  }

  for (const id of ['abc', '4x', '-1', '7', 'Old-shop', '99999999999999999999', '0']) {
    for (const base of ['', '/errgate/errortracking/api/v1/projects']) {
      it(`answers 403 to the unknown project id in ${base}/api/${id}/`, async () => {
        for (const kind of ['store/', 'envelope']) {
          assertRefusal(await app.send(`${base}/api/${id}/${kind}`, { headers: AUTH, body: EVENT }), 403);
        }
      });
    }
  }

  it('goes by the key where projects share an alias, on both ways', async () => {
    for (const base of ['', '/errortracking/api/v1/projects']) {
      app.sink.records = [];
      for (const key of ['glet_abc123', 'glet_neighbour']) {
        const path = `${base}/api/7001/store/?sentry_key=${key}`;
        assert.equal((await app.send(path, { body: EVENT })).status, 200);
      }
      assert.deepEqual(
        app.sink.records.map(({ projectId }) => projectId),
        [42, 46],
      );
    }
  });

  it('accepts an event in the address of an image', async () => {
    for (const data of [EVENT, Buffer.from('{"message":"~~~???","n":">>>"}').toString('base64')]) {
      app.sink.records = [];
      const path = `/api/42/store/?sentry_version=7&sentry_key=glet_abc123&sentry_data=${encodeURIComponent(data)}`;
      const answer = await app.send(path, { method: 'GET' });
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.headers['content-type'], 'image/gif');
      assert.equal(answer.text.slice(0, 6), 'GIF89a');
      assert.equal(app.sink.records.length, 1);
    }
    assert.equal(
      (await app.send('/api/42/store/?sentry_key=glet_abc123&sentry_data=x', { method: 'GET' })).status,
      400,
    );
    assert.equal(
      (await app.send('/api/42/envelope/?sentry_key=glet_abc123&sentry_data=%7B%7D', { method: 'GET' })).status,
      405,
    );
  });

  it('takes the key from every carrier, and from several that agree', async () => {
    const basic = `Basic ${Buffer.from('glet_abc123:').toString('base64')}`;
    const sentry = 'Sentry sentry_key=glet_abc123,sentry_version=7';
    const carriers: [headers: Record<string, string>, query: string][] = [
      [{ 'X-Sentry-Auth': sentry }, ''],
      [{ Authorization: sentry }, ''],
      [{ Authorization: basic }, ''],
      [{}, '?sentry_key=glet_abc123&sentry_version=7'],
      [{ 'X-Sentry-Auth': sentry, Authorization: basic }, '?sentry_key=glet_abc123'],
      [{ 'X-Sentry-Auth': sentry, Authorization: 'Basic dXNlcjpwYXNzd29yZA==' }, ''],
    ];
    for (const [headers, query] of carriers) {
      assert.equal((await app.send(`/api/42/store/${query}`, { headers, body: EVENT })).status, 200);
      assert.equal((await app.send(`/api/42/envelope/${query}`, { headers, body: ENVELOPE_BODY })).status, 200);
    }
    const differ = await app.send('/api/42/store/?sentry_key=k', { headers: AUTH, body: EVENT });
    assert.equal(differ.status, 401);
  });

  it('keeps the client and its version', async () => {
    app.sink.records = [];
    await app.send('/api/42/store/', { headers: AUTH, body: EVENT });
    await app.send('/api/42/store/?sentry_key=glet_abc123', { headers: { 'User-Agent': 'curl/8' }, body: EVENT });
    await app.send('/api/42/store/?sentry_key=glet_abc123', { body: EVENT });
    assert.deepEqual(
      app.sink.records.map((record) => [record.clientIp, record.client]),
      [
        ['127.0.0.1', 'test/1.0'],
        ['127.0.0.1', 'curl/8'],
        ['127.0.0.1', null],
      ],
    );
  });
});
