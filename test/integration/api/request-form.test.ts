import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import type { Project } from '../../../src/domain/projects/project.ts';
import { startApp, type Ask, type RunningApp } from '../../support/app.ts';
import { describeOnStores } from '../../support/test-stores.ts';
import { givenMember, givenProject, givenTrackedProject, type Person } from '../../support/factories.ts';
import { rawHttp } from '../../support/raw-http.ts';

describeOnStores('the form of requests', (kind) => {
  let app: RunningApp;
  let project: Project;
  let maintainer: Person;
  let settings: string;

  before(async () => {
    app = await startApp(kind);
    project = await givenProject(app.store);
    maintainer = await givenMember(app.store, project, 'maintainer');
    settings = `/api/v4/projects/${project.id}/error_tracking/settings`;
  });
  after(() => app.close());

  const put = (ask: Ask) => app.ask('PUT', settings, { token: maintainer.token, ...ask });
  const typed = (type: string, body: unknown) => put({ headers: { 'Content-Type': type }, body });

  describe('routes', () => {
    it('that are unknown answer 404', async () => {
      for (const path of [
        '/api/v4/nothing',
        '/api/v4',
        '/api/v5/version',
        '/x',
        '/-/nothing',
        '/api/v4/projects/1/x',
      ]) {
        const answer = await app.get(path);
        assert.equal(answer.status, 404, path);
        assert.deepEqual(answer.json(), { error: '404 Not Found' });
      }
    });

    it('with another method answer 405 and name the methods', async () => {
      const base = `/api/v4/projects/${project.id}/error_tracking`;
      for (const [method, path, allow] of [
        ['DELETE', settings, 'GET, HEAD, PATCH, PUT'],
        ['OPTIONS', settings, 'GET, HEAD, PATCH, PUT'],
        ['PUT', `${base}/client_keys`, 'GET, HEAD, POST'],
        ['GET', `${base}/client_keys/1`, 'DELETE, PUT'],
        ['POST', `${base}/errors`, 'GET, HEAD'],
        ['POST', '/api/v4/version', 'GET, HEAD'],
        ['POST', '/-/liveness', 'GET, HEAD'],
        ['POST', '/g/p/-/error_tracking.json', 'GET, HEAD'],
        ['OPTIONS', '/g/p/-/error_tracking/projects.json', 'GET, HEAD, POST'],
        ['OPTIONS', '/g/p/-/error_tracking/17.json', 'PUT'],
      ] as const) {
        const answer = await app.ask(method, path, {});
        assert.equal(answer.status, 405, `${method} ${path}`);
        assert.deepEqual(answer.json(), { error: '405 Not Allowed' });
        assert.equal(answer.headers.get('Allow'), allow);
      }
    });

    it('of the API of other trackers that build tools do not need answer 404 with a text that their tools show', async () => {
      for (const [method, path] of [
        ['GET', '/api/0/organizations/acme/issues/'],
        ['POST', '/api/0/organizations/acme/monitors/'],
        ['PUT', '/api/0/projects/acme/shop/issues/'],
        ['DELETE', '/api/0/organizations/acme/chunk-upload/'],
      ] as const) {
        const answer = await app.ask(method, path, { headers: { Authorization: 'Bearer sntrys_x' } });
        assert.equal(answer.status, 404, path);
        assert.match(answer.headers.get('Content-Type') ?? '', /^application\/json/);
        const body = answer.json() as { detail: string };
        assert.deepEqual(Object.keys(body), ['detail']);
        assert.match(body.detail, /releases and source maps\..*DSN.*\/api\/v4/);
      }
    });

    it('of version 3 are gone', async () => {
      for (const path of ['/api/v3', '/api/v3/projects/1']) {
        const answer = await app.get(path);
        assert.equal(answer.status, 410);
        assert.deepEqual(answer.json(), { error: 'API V3 is no longer supported. Use API V4 instead.' });
      }
    });

    it('answer with a slash at the end and with or without the sub-path of the external address', async () => {
      assert.equal((await app.get(`${settings}/`)).status, 401);
      const sub = await startApp(kind, { externalUrl: () => 'http://127.0.0.1/err/gate' });
      for (const path of ['/err/gate/-/liveness', '/-/liveness', '/err/gate/api/v4/openapi.json']) {
        assert.equal((await sub.get(path)).status, 200, path);
      }
      assert.equal((await sub.get('/err/gates/-/liveness')).status, 404);
      await sub.close();
    });

    it('answer HEAD like GET, without a body', async () => {
      const answer = await app.ask('HEAD', '/api/v4/version', { token: maintainer.token });
      assert.deepEqual([answer.status, answer.text], [200, '']);
      assert.notEqual(answer.headers.get('Content-Length'), '0');
    });
  });

  describe('bodies', () => {
    it('that are broken JSON answer 400, before the token is checked', async () => {
      for (const body of ['{', '{"active":tru', 'null', '5', '"text"', '{"a":1}}', '\u0000', '{"__proto__":{"x":1}}']) {
        const answer = await typed('application/json', body);
        assert.equal(answer.status, 400, body);
        assert.deepEqual(answer.json(), { error: 'message body does not match declared format' });
      }
      const stranger = await app.ask('PUT', settings, { headers: { 'Content-Type': 'application/json' }, body: '{' });
      assert.equal(stranger.status, 400);
    });

    it('that are broken JSON get the documented answer on routes with another shape, too', async () => {
      const form = `/${project.path}/-`;
      for (const [method, path] of [
        ['PATCH', `${form}/settings/operations.json`],
        ['POST', `${form}/error_tracking/projects.json`],
      ] as const) {
        // The answer is compared with the documented one on the way.
        const answer = await app.ask(method, path, {
          token: maintainer.token,
          headers: { 'Content-Type': 'application/json' },
          body: '{',
        });
        assert.equal(answer.status, 400, path);
        assert.deepEqual(answer.json(), { error: 'message body does not match declared format' });
      }
    });

    it('that are lists or empty carry no parameters', async () => {
      for (const body of ['[]', '[{"active":true}]', '']) {
        const answer = await typed('application/json', body);
        assert.match(answer.json().error, /^active is missing/);
      }
    });

    it('of an unsupported type answer 415', async () => {
      for (const type of ['text/plain', 'application/xml', 'application/gzip', 'image/png']) {
        const answer = await typed(`${type}; charset=utf-8`, '<x/>');
        assert.equal(answer.status, 415);
        assert.deepEqual(answer.json(), { error: `The provided content-type '${type}' is not supported.` });
      }
      assert.equal((await typed('nonsense', 'x')).status, 415);
    });

    it('without a type are read as JSON', async () => {
      const body = '{"active":false,"integrated":true}';
      const head = `PUT ${settings} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nPRIVATE-TOKEN: ${maintainer.token}`;
      const answer = await rawHttp(app.url, `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      assert.match(answer, /^HTTP\/1\.1 200 /);
    });

    it('that are compressed are inflated within the limit', async () => {
      const send = (body: Buffer, encoding = 'gzip') =>
        put({ headers: { 'Content-Type': 'application/json', 'Content-Encoding': encoding }, body });
      assert.equal((await send(gzipSync('{"active":false,"integrated":true}'))).status, 200);
      const bomb = await send(gzipSync(`{"active":"${'0'.repeat(10 * 1024 * 1024)}"}`));
      assert.equal(bomb.status, 413);
      assert.equal((await send(Buffer.from('no gzip'))).status, 400);
      assert.equal((await send(Buffer.from('{}'), 'made-up')).status, 415);
    });

    it('larger than a megabyte answer 413, announced or not', async () => {
      const large = JSON.stringify({ active: true, integrated: true, more: 'x'.repeat(1024 * 1024) });
      const announced = await typed('application/json', large);
      assert.equal(announced.status, 413);
      assert.deepEqual(announced.json(), { error: 'The request body is larger than 1048576 bytes.' });
      const head = `PUT ${settings} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nPRIVATE-TOKEN: ${maintainer.token}`;
      const chunk = `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`;
      for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
        const answer = await rawHttp(app.url, `${head}\r\nContent-Type: ${type}\r\n\r\n${chunk}`);
        assert.match(answer, /^HTTP\/1\.1 413 /, type);
      }
      const part = `--b\r\nContent-Disposition: form-data; name="active"\r\n\r\n${'x'.repeat(1_100_000)}\r\n--b--\r\n`;
      const multipart = `${head}\r\nContent-Type: multipart/form-data; boundary=b\r\nConnection: close\r\n\r\n`;
      const answer = await rawHttp(app.url, `${multipart}${part.length.toString(16)}\r\n${part}\r\n0\r\n\r\n`);
      assert.match(answer, /^HTTP\/1\.1 413 /);
    });

    it('that are broken forms answer 400', async () => {
      assert.equal((await typed('multipart/form-data', 'x')).status, 400);
      assert.equal((await typed('multipart/form-data; boundary=b', 'no parts here')).status, 400);
      const odd = await typed('application/x-www-form-urlencoded', '%FF=%&&=&active=%zz&a[b][c][d]=1&__proto__[x]=1');
      assert.match(odd.json().error, /^active is invalid/);
    });

    it('of GET are not read', async () => {
      const head = `GET ${settings} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nPRIVATE-TOKEN: ${maintainer.token}`;
      const answer = await rawHttp(app.url, `${head}\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nxx`);
      assert.match(answer, /^HTTP\/1\.1 200 /);
    });
  });

  it('must accept JSON', async () => {
    const accepting = (accept: string) =>
      app.ask('GET', '/api/v4/version', { token: maintainer.token, headers: { Accept: accept } });
    for (const accept of ['application/json', '*/*', 'application/*', 'text/html, */*;q=0.1']) {
      assert.equal((await accepting(accept)).status, 200, accept);
    }
    const refused = await accepting('application/xml');
    assert.equal(refused.status, 406);
    assert.equal(typeof refused.json().error, 'string');
  });

  describe('answers carry', () => {
    it('the host’s headers, errors too', async () => {
      const paths = ['/api/v4/version', '/api/v4/nothing', settings, '/-/liveness'];
      for (const path of paths) {
        const { headers } = await app.get(path, maintainer.token);
        assert.equal(headers.get('X-Frame-Options'), 'SAMEORIGIN', path);
        assert.equal(headers.get('X-Content-Type-Options'), 'nosniff');
        assert.equal(headers.get('Vary'), 'Origin');
        assert.equal(headers.get('Cache-Control'), 'max-age=0, private, must-revalidate');
        assert.match(headers.get('X-Request-Id') ?? '', /^[0-9a-f-]{36}$/);
        assert.match(headers.get('X-Runtime') ?? '', /^\d+\.\d{6}$/);
        assert.match(headers.get('Content-Type') ?? '', /^application\/json/);
      }
    });

    it('an entity tag that saves the body', async () => {
      const first = await app.get('/api/v4/version', maintainer.token);
      const tag = first.headers.get('ETag') ?? '';
      assert.match(tag, /^W\/"/);
      const head = `GET /api/v4/version HTTP/1.1\r\nHost: x\r\nConnection: close\r\nPRIVATE-TOKEN: ${maintainer.token}`;
      const again = await rawHttp(app.url, `${head}\r\nIf-None-Match: ${tag}\r\n\r\n`);
      assert.match(again, /^HTTP\/1\.1 304 [^]*\r\n\r\n$/);
      const changed = await rawHttp(app.url, `${head}\r\nIf-None-Match: W/"other"\r\n\r\n`);
      assert.match(changed, /^HTTP\/1\.1 200 /);
    });

    it('a request id of their own unless a trusted proxy gave one', async () => {
      const headers = { 'X-Request-Id': 'from-outside' };
      const own = await app.ask('GET', '/-/liveness', { headers });
      assert.notEqual(own.headers.get('X-Request-Id'), 'from-outside');
      const behind = await startApp(kind, { trustedProxies: ['127.0.0.0/8'] });
      const handedOn = await behind.ask('GET', '/-/liveness', { headers });
      assert.equal(handedOn.headers.get('X-Request-Id'), 'from-outside');
      const unfit = await behind.ask('GET', '/-/liveness', { headers: { 'X-Request-Id': 'a b' } });
      assert.notEqual(unfit.headers.get('X-Request-Id'), 'a b');
      await behind.close();
    });
  });

  it('goes to ingestion first, which is counted under its own name', async () => {
    const withIngest = await startApp(kind, {
      ingest: {
        targetOf: (path) => (path === '/api/1/store/' ? { kind: 'store', dsnId: '1' } : null),
        answer: async () => ({ status: 200, headers: [], body: '{}', held: false }),
      },
    });
    const answer = await withIngest.ask('POST', '/api/1/store/', { body: '{' });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('X-Frame-Options'), null);
    assert.equal((await withIngest.get('/api/v4/version')).status, 401);
    const text = await withIngest.deps.metrics.registry.metrics();
    assert.match(text, /errgate_http_requests_total\{group="ingest",method="POST",status="200"\} 1/);
    assert.match(text, /errgate_http_requests_total\{group="api",method="GET",status="401"\} 1/);
    await withIngest.close();
  });

  it('hostile paths, queries and tokens never lead to a 5xx', async () => {
    const tracked = await givenTrackedProject(app.store);
    const member = await givenMember(app.store, tracked, 'maintainer');
    const nasty = ['%00', '%', '%zz', '%FF', '..', '../..', '%2e%2e%2f', '☃', '%E2%98%83', 'a'.repeat(6000), '//'];
    const more = [
      "'",
      '"',
      '<script>',
      '{}',
      '[]',
      '$where',
      '__proto__',
      'constructor',
      '-1',
      '1e400',
      '%F0%9F%92%A9',
    ];
    const templates = [
      '/api/v4/projects/{}',
      '/api/v4/projects/{}/error_tracking/settings',
      `/api/v4/projects/${tracked.id}/error_tracking/client_keys/{}`,
      `/api/v4/projects/${tracked.id}/error_tracking/errors/{}`,
      `/api/v4/projects/${tracked.id}/error_tracking/errors/1/events/{}`,
      `/api/v4/projects/${tracked.id}/error_tracking/errors?cursor={}&search={}&per_page={}`,
      `/api/v4/projects/${tracked.id}/error_tracking/errors?search={}&environment={}&release={}`,
      `/api/v4/projects/${tracked.id}/error_tracking/outcomes?since={}`,
      '/api/v4/projects?page={}&per_page={}&private_token={}',
      '/{}/-/error_tracking.json?sort={}',
      `/${tracked.path}/-/error_tracking.json?search_term={}&cursor={}`,
      `/${tracked.path}/-/error_tracking/{}/details.json`,
      '/{}',
      '/-/readiness?for={}',
    ];
    for (const template of templates) {
      for (const text of [...nasty, ...more]) {
        const path = Buffer.from(template.replaceAll('{}', text), 'utf8').toString('latin1');
        for (const method of ['GET', 'PUT', 'DELETE']) {
          const request = `${method} ${path.slice(0, 15000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nPRIVATE-TOKEN: ${member.token}\r\n\r\n`;
          const answer = await rawHttp(app.url, Buffer.from(request, 'latin1'));
          assert.match(answer, /^HTTP\/1\.1 [234]\d\d /, `${method} ${template} ${text.slice(0, 20)}`);
        }
      }
    }
    assert.deepEqual(
      app.log.filter(({ level }) => level === 'error'),
      [],
    );
  });
});
