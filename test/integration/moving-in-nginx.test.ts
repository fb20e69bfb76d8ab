import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  findProgram,
  freePort,
  makeCertificate,
  nginxCommand,
  proxyFolder,
  type RunningProxy,
  startProxy,
} from '../support/proxies.ts';

const NGINX = findProgram('nginx');
const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'moving-in.md');
const HOST = 'sentry.example.com';

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly bytes: number;
}

/** Server that answers with its name, and keeps what it was asked. */
async function startNamed(name: string) {
  const asked: Asked[] = [];
  const server = http.createServer((req, res) => {
    let bytes = 0;
    req.on('data', (chunk: Buffer) => (bytes += chunk.length));
    req.on('end', () => {
      asked.push({ method: req.method ?? '', path: req.url ?? '', headers: req.headers, bytes });
      res.end(name);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { asked, port: (server.address() as AddressInfo).port, close };
}

(NGINX === undefined ? describe.skip : describe)('nginx as docs/moving-in.md has it', () => {
  let errgate: Awaited<ReturnType<typeof startNamed>>;
  let old: Awaited<ReturnType<typeof startNamed>>;
  let nginx: RunningProxy;
  let port: number;

  before(async () => {
    [errgate, old, port] = [await startNamed('errgate'), await startNamed('old'), await freePort()];
    const folder = proxyFolder();
    const { key, certificate } = makeCertificate(folder, HOST);
    const example = /```nginx\n(.*?)```/s.exec(readFileSync(PAGE, 'utf8'))?.[1] ?? assert.fail('there is no example');
    const replaced = example
      .replace('127.0.0.1:8080', `127.0.0.1:${errgate.port}`)
      .replace('10.0.0.5:9000', `127.0.0.1:${old.port}`)
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace('/etc/nginx/sentry.example.com.crt', certificate)
      .replace('/etc/nginx/sentry.example.com.key', key);
    assert.doesNotMatch(replaced, /\/etc\/nginx|10\.0\.0\.5|8080/);
    const isUp = async () => (await ask('GET', '/ready')).status !== undefined;
    nginx = await startProxy(nginxCommand(NGINX ?? '', folder, replaced), folder, isUp);
  });

  after(async () => {
    await nginx.close();
    errgate.close();
    old.close();
  });

  async function ask(method: string, path: string, body?: Buffer) {
    const options = { method, host: '127.0.0.1', port, path, headers: { Host: HOST }, rejectUnauthorized: false };
    const request = https.request({ ...options, agent: false });
    request.end(body);
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    return { status: answer.statusCode, location: answer.headers.location, text: Buffer.concat(chunks).toString() };
  }

  it('sends events of old DSNs to errgate, with the address of the client', async () => {
    for (const path of ['/api/42/envelope/', '/api/42/envelope', '/api/42/store/?sentry_key=k', '/api/shop-1/store/']) {
      assert.deepEqual([path, (await ask('POST', path, Buffer.from('x'))).text], [path, 'errgate']);
      const { headers } = errgate.asked.at(-1) ?? assert.fail();
      assert.equal(errgate.asked.at(-1)?.path, path);
      assert.deepEqual(
        [headers['x-forwarded-for'], headers['x-forwarded-proto'], headers.host],
        ['127.0.0.1', 'https', HOST],
      );
    }
    assert.equal((await ask('OPTIONS', '/api/42/envelope/')).text, 'errgate');
    const large = Buffer.alloc(30 * 1024 * 1024, 'x');
    assert.equal((await ask('POST', '/api/42/envelope/', large)).status, 200);
    assert.equal(errgate.asked.at(-1)?.bytes, large.length);
  });

  it('sends the rest of the API to the old tracker', async () => {
    for (const [method, path] of [
      ['GET', '/api/0/'],
      ['GET', '/api/0/organizations/acme/releases/?per_page=5'],
      ['POST', '/api/0/organizations/acme/chunk-upload/'],
      ['POST', '/api/42/cron/nightly/0123456789abcdef/'],
      ['POST', '/api/42/minidump/?sentry_key=k'],
      ['POST', '/api/42/security/?sentry_key=k'],
    ] as const) {
      const { text } = await ask(method, path);
      assert.deepEqual([path, text, old.asked.at(-1)?.path], [path, 'old', path]);
    }
  });

  it('sends old links to the address of errgate', async () => {
    for (const path of [
      '/organizations/acme/issues/4711/?project=2',
      '/acme/shop/issues/4711/',
      '/issues/4711/',
      '/',
    ]) {
      const { status, location } = await ask('GET', path);
      assert.deepEqual([status, location], [302, `https://errors.example.com${path}`]);
    }
  });
});

if (NGINX === undefined) {
  console.log('      SKIPPED nginx as docs/moving-in.md has it: install nginx (apt-get install nginx-light) to run it');
}
