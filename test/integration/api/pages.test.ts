import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { startApp, type RunningApp } from '../../support/app.ts';
import { SQLITE } from '../../support/test-stores.ts';
import { rawHttp } from '../../support/raw-http.ts';

const SCRIPT = 'console.log("a page");'.repeat(100);
const INDEX = '<!doctype html><base href="__BASE__"><script type="module" src="./assets/main-1a2b.js"></script>';
const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const PAGES = [
  '/',
  '/users/sign_in',
  '/-/profile',
  '/-/profile/tokens',
  '/-/groups',
  '/-/groups/acme/web',
  '/-/groups/acme/web/-/audit_events',
  '/admin',
  '/admin/users',
  '/demo/shop/-/error_tracking',
  '/demo/deep/shop/-/error_tracking/17/details',
  '/demo/shop/-/error_tracking/releases',
  '/demo/shop/-/error_tracking/uploads',
  '/demo/shop/-/error_tracking/setup',
  '/demo/shop/-/error_tracking/outcomes',
  '/demo/shop/-/project_members',
  '/demo/shop/-/settings/operations',
  '/demo/shop/-/audit_events',
];

describe('the pages', () => {
  let app: RunningApp;
  let dir: string;

  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'errgate-ui-'));
    const ui = join(dir, 'ui');
    await mkdir(join(ui, 'assets'), { recursive: true });
    await writeFile(join(dir, 'secret.txt'), 'outside');
    await writeFile(join(ui, 'index.html'), INDEX);
    await writeFile(join(ui, 'favicon.svg'), '<svg/>');
    // A build keeps large files compressed alone.
    await writeFile(join(ui, 'assets/main-1a2b.js.br'), brotliCompressSync(SCRIPT));
    await writeFile(join(ui, 'assets/main-1a2b.js.gz'), gzipSync(SCRIPT));
    app = await startApp(SQLITE, { uiDir: ui });
  });
  after(async () => {
    await app.close();
    await rm(dir, { recursive: true, force: true });
  });
  beforeEach(() => {
    app.deps.externalUrl = () => 'https://errors.example.test';
  });

  const open = (path: string) => app.ask('GET', path, { headers: BROWSER });

  for (const path of PAGES) {
    it(`are served at ${path}, never cached, and restrict what they load`, async () => {
      const answer = await open(path);
      assert.equal(answer.status, 200);
      assert.equal(answer.text, INDEX.replace('__BASE__', '/'));
      assert.equal(answer.headers.get('Content-Type'), 'text/html; charset=utf-8');
      assert.equal(answer.headers.get('Cache-Control'), 'no-store');
      assert.equal(answer.headers.get('X-Content-Type-Options'), 'nosniff');
      assert.equal(answer.headers.get('Referrer-Policy'), 'same-origin');
      const policy = answer.headers.get('Content-Security-Policy') ?? '';
      assert.ok(policy.startsWith("default-src 'none'; script-src 'self'; style-src 'self';"));
      assert.ok(policy.includes("frame-ancestors 'none'") && !policy.includes('unsafe'));
    });
  }

  it('answer programs that accept any type, and HEAD', async () => {
    assert.equal((await app.ask('GET', '/', { headers: { Accept: '*/*' } })).text, INDEX.replace('__BASE__', '/'));
    const head = await app.ask('HEAD', '/demo/shop/-/error_tracking', { headers: BROWSER });
    assert.deepEqual([head.status, head.text], [200, '']);
  });

  it('work with and without the sub-path of the external address', async () => {
    app.deps.externalUrl = () => 'https://errors.example.test/de"ep/';
    for (const path of ['/', '/de%22ep/', '/de%22ep/demo/shop/-/error_tracking', '/demo/shop/-/settings/operations']) {
      const answer = await open(path);
      assert.deepEqual([answer.status, answer.text], [200, INDEX.replace('__BASE__', '/de%22ep/')], path);
    }
    assert.equal((await open('/de%22ep/assets/main-1a2b.js')).text, SCRIPT);
  });

  it('answer JSON at the same addresses to clients that ask for it', async () => {
    const path = '/demo/shop/-/error_tracking';
    assert.equal((await app.ask('GET', path, { headers: { Accept: 'application/json' } })).status, 401);
    assert.equal((await app.ask('GET', `${path}.json`, { headers: BROWSER })).status, 401);
    assert.equal((await app.ask('PATCH', '/demo/shop/-/settings/operations')).status, 401);
  });

  it('show browsers a page for unknown addresses', async () => {
    for (const path of ['/nothing', '/demo/shop/-/nothing', '/users/sign_out']) {
      const answer = await open(path);
      assert.deepEqual([answer.status, answer.text], [404, INDEX.replace('__BASE__', '/')], path);
    }
  });

  it('redirect from the address of a project to its errors', async () => {
    app.deps.externalUrl = () => 'https://errors.example.test/deep';
    for (const path of ['/demo/shop', '/deep/demo/shop']) {
      const answer = await open(path);
      assert.deepEqual(
        [answer.status, answer.headers.get('Location')],
        [302, '/deep/demo/shop/-/error_tracking'],
        path,
      );
    }
    assert.equal((await app.get('/demo/shop')).status, 404);
  });

  it('redirect from addresses of their JSON that have no page, and take no token along', async () => {
    app.deps.externalUrl = () => 'https://errors.example.test/deep';
    const error = '/deep/demo/shop/-/error_tracking/39/details';
    const settings = '/deep/demo/shop/-/settings/operations';
    for (const [path, location] of [
      ['/error_tracking/39', error],
      ['/error_tracking/39/', error],
      ['/error_tracking/39?range=7d', `${error}?range=7d`],
      ['/error_tracking/39/stack_trace', error],
      ['/error_tracking/projects?api_host=x&token=secret', settings],
      ['/settings', settings],
      ['/settings/', settings],
    ] as const) {
      const answer = await open(`/demo/shop/-${path}`);
      assert.deepEqual([answer.status, answer.headers.get('Location')], [302, location], path);
    }
    const unlike = ['/error_tracking/nothing', '/error_tracking/39/nothing', '/error_tracking/projects/x'];
    for (const path of unlike) assert.equal((await open(`/demo/shop/-${path}`)).status, 404, path);
    // Programs, and whoever asks for JSON by the address, are answered as before.
    assert.equal((await app.get('/demo/shop/-/error_tracking/39')).status, 405);
    assert.equal((await open('/demo/shop/-/error_tracking/39.json')).status, 405);
    assert.equal((await open('/demo/shop/-/error_tracking/39/stack_trace.json')).status, 401);
    assert.equal((await app.ask('PUT', '/demo/shop/-/error_tracking/39', { headers: BROWSER })).status, 401);
  });

  it('answer JSON to programs for unknown addresses', async () => {
    for (const path of ['/api/v4/nothing', '/assets/gone-9z.js', '/errortracking/nothing', '/api']) {
      const answer = await open(path);
      assert.deepEqual([answer.status, answer.json()], [404, { error: '404 Not Found' }], path);
    }
    assert.deepEqual((await app.get('/nothing')).json(), { error: '404 Not Found' });
    assert.equal((await app.ask('POST', '/', { headers: BROWSER })).status, 404);
    assert.equal((await open('/-/session/password')).status, 405);
  });

  it('let browsers cache hashed files for ever, compressed where the browser supports it', async () => {
    const path = '/assets/main-1a2b.js';
    for (const [accepted, sent] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const answer = await app.ask('GET', path, { headers: { 'Accept-Encoding': accepted } });
      assert.equal(answer.text, SCRIPT);
      assert.equal(answer.headers.get('Content-Encoding'), sent);
      assert.match(answer.headers.get('Vary') ?? '', /Accept-Encoding/);
      assert.equal(answer.headers.get('Cache-Control'), 'public, max-age=31536000, immutable');
      assert.match(answer.headers.get('Content-Type') ?? '', /^(text|application)\/javascript/);
    }
    const tag = (await app.get(path)).headers.get('ETag') ?? '';
    const again = await app.ask('GET', path, { headers: { 'If-None-Match': tag, 'Cache-Control': 'max-age=0' } });
    assert.deepEqual([again.status, again.text], [304, '']);
  });

  it('revalidate files with a fixed name', async () => {
    const answer = await app.get('/favicon.svg');
    assert.equal(answer.headers.get('Cache-Control'), 'no-cache');
    assert.match(answer.headers.get('Content-Type') ?? '', /^image\/svg/);
  });

  it('serve nothing outside their folder', async () => {
    for (const path of [
      '/../secret.txt',
      '/assets/../../secret.txt',
      '/assets/%2e%2e/%2e%2e/secret.txt',
      '/..%2fsecret.txt',
      '//secret.txt',
      '/assets/..\\..\\secret.txt',
      '/index.html%00.js',
    ]) {
      const text = await rawHttp(app.url, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      assert.match(text, /^HTTP\/1\.1 404 /, path);
      assert.ok(!text.includes('outside'), path);
    }
  });

  it('say how to build them when they are missing', async () => {
    const bare = await startApp(SQLITE, { uiDir: join(dir, 'nowhere') });
    try {
      const answer = await bare.ask('GET', '/', { headers: BROWSER });
      assert.equal(answer.status, 503);
      assert.match(answer.text, /npm run build/);
      assert.match(answer.headers.get('Content-Security-Policy') ?? '', /default-src 'none'/);
      assert.equal((await bare.get('/-/session')).status, 200);
    } finally {
      await bare.close();
    }
  });
});
