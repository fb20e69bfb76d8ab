import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClientAddress } from '../../src/gateway/http/middleware/client-ip.ts';
import { readRoot } from '../support/doc-pages.ts';
import { Door } from '../support/door.ts';
import { suiteInFullRun } from '../support/full-run.ts';
import {
  findProgram,
  freePort,
  makeCertificate,
  nginxCommand,
  proxyFolder,
  type RunningProxy,
  startProxy,
  type TestCertificate,
} from '../support/proxies.ts';
import { startServiceHere } from '../support/service-here.ts';
import { eventually, type StartedService } from '../support/service-process.ts';

const HOST = 'errors.example.com';
/** Address of the proxies, and of a client elsewhere. */
const [PROXY, CLIENT] = ['127.0.0.1', '127.0.0.2'];
const MIB = 1024 * 1024;

/** Answers when the whole body is there. */
function takeWhole(request: IncomingMessage, response: ServerResponse): boolean {
  request.once('end', () => response.end('taken'));
  return true;
}

interface Place {
  readonly folder: string;
  readonly port: number;
  readonly tls: TestCertificate;
  /** Addresses of both gateways, as host and port. */
  readonly gateways: readonly [string, string];
  readonly subPath: boolean;
}

/** Replaces text that must be there. */
function put(text: string, was: string | RegExp, by: string): string {
  const changed = text.replace(was, () => by);
  assert.notEqual(changed, text, String(was));
  return changed;
}

function nginx(program: string, { folder, port, tls, gateways, subPath }: Place): string[] {
  const listen = `listen ${PROXY}:${port} ssl;\nssl_certificate ${tls.certificate};\nssl_certificate_key ${tls.key};`;
  if (subPath) {
    // The site has a location of its own for files that look like those of errgate.
    const others = 'location ~* \\.js$ { return 410; }';
    const locations = put(readRoot('deploy/nginx/errgate-sub-path.conf'), '127.0.0.1:8080', gateways[0]);
    return nginxCommand(program, folder, `server {\n${listen}\nserver_name ${HOST};\n${others}\n${locations}}`);
  }
  let text = readRoot('deploy/nginx/errgate.conf');
  text = put(text, 'server 127.0.0.1:8080', `server ${gateways[0]}`);
  text = put(text, 'server 127.0.0.1:8081', `server ${gateways[1]}`);
  text = put(text, /server \{\n {2}listen 80;[^}]*\}\n/, '');
  text = put(text, /listen 443 ssl http2;\n.*\n/, `listen ${PROXY}:${port} ssl http2;\n`);
  text = put(text, '/etc/nginx/tls/errors.example.com.crt', tls.certificate);
  text = put(text, '/etc/nginx/tls/errors.example.com.key', tls.key);
  text = put(text, '/var/log/nginx/errgate.log', join(folder, 'access.log'));
  return nginxCommand(program, folder, text);
}

function caddy(program: string, { folder, port, tls, gateways, subPath }: Place): string[] {
  const own = `tls ${tls.certificate} ${tls.key}`;
  let text = `https://${HOST}:${port} {\nbind ${PROXY}\n${own}\n${readRoot('deploy/caddy/errgate-sub-path.caddy')}}\n`;
  if (subPath) {
    text = put(text, '127.0.0.1:8080', gateways[0]);
  } else {
    text = put(
      readRoot('deploy/caddy/Caddyfile'),
      /\{\$SITE:(.*)\} \{/,
      `https://${HOST}:${port} {\nbind ${PROXY}\n${own}`,
    );
    text = put(text, /^\{\n(?:\t.*\n)+\}\n/m, '');
    text = put(text, /\{\$GATEWAYS:.*?\}/, gateways.join(' '));
    text = put(text, '\tlog {\n', `\tlog {\n\t\toutput file ${join(folder, 'access.log')}\n`);
  }
  const options = '{\nadmin off\nauto_https off\nskip_install_trust\n}\n';
  writeFileSync(join(folder, 'Caddyfile'), `${options}${text}`);
  return [program, 'run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'];
}

function traefik(program: string, { folder, port, tls, gateways, subPath }: Place): string[] {
  let site = put(readRoot('deploy/traefik/errgate.yml'), 'http://127.0.0.1:8080', `http://${gateways[0]}`);
  site = put(site, 'http://127.0.0.1:8081', `http://${gateways[1]}`);
  site = put(site, 'certResolver: letsencrypt', `domains: [{ main: ${HOST} }]`);
  if (subPath) {
    const [, addition = ''] = /add "(.*?)" to the rule/.exec(site) ?? assert.fail();
    site = put(
      site,
      /^( *rule: '.*)'$/m,
      `      rule: 'Host(\`${HOST}\`) && !PathRegexp(\`(?i)^/errgate/-/metrics\`) ${addition}'`,
    );
  }
  const certificates = `tls:\n  certificates:\n    - certFile: ${tls.certificate}\n      keyFile: ${tls.key}\n`;
  writeFileSync(join(folder, 'errgate.yml'), `${site}\n${certificates}`);
  let text = put(readRoot('deploy/traefik/traefik.yml'), '/etc/traefik/errgate.yml', join(folder, 'errgate.yml'));
  text = put(text, /certificatesResolvers:\n( .*\n)+/, '');
  text = put(text, / {2}web:\n( {4}.*\n)+/, '');
  text = put(text, "':443'", `'${PROXY}:${port}'`);
  text = put(text, 'accessLog:\n', `accessLog:\n  filePath: ${join(folder, 'access.log')}\n`);
  writeFileSync(join(folder, 'traefik.yml'), text);
  return [program, `--configFile=${join(folder, 'traefik.yml')}`];
}

const PROXIES = [
  { name: 'nginx', command: nginx, install: 'apt-get install nginx-light' },
  { name: 'caddy', command: caddy, install: 'apt-get install caddy' },
  { name: 'traefik', command: traefik, install: 'https://doc.traefik.io/traefik/getting-started/install-traefik/' },
] as const;

for (const { name, command, install } of PROXIES) {
  suiteInFullRun(`${name} as deploy/${name} has it`, function () {
    this.timeout(60_000);
    const program = findProgram(name);
    let dataDir: string;
    let service: StartedService;
    let proxy: RunningProxy | null = null;
    let port: number;
    const doors = [new Door(() => service.url), new Door(() => service.url)] as const;

    before(async function () {
      if (program === undefined) {
        console.log(`      SKIPPED ${name} as deploy/${name} has it: install it (${install})`);
        this.skip();
      }
      dataDir = mkdtempSync(join(tmpdir(), 'errgate-behind-'));
      for (const door of doors) await door.open(0);
    });
    afterEach(async () => {
      await proxy?.close();
      proxy = null;
      await service.end('SIGTERM');
    });
    after(async () => {
      for (const door of doors) await door.shut();
      if (program !== undefined) rmSync(dataDir, { recursive: true, force: true });
    });

    /** Starts the service and the proxy in front of it. */
    async function start(subPath: boolean): Promise<string> {
      port = await freePort();
      const url = `https://${HOST}:${port}${subPath ? '/errgate' : ''}`;
      const folder = proxyFolder();
      service = await startServiceHere(dataDir, {
        ERRGATE_EXTERNAL_URL: url,
        ERRGATE_TRUSTED_PROXIES: PROXY,
        ERRGATE_MIN_FREE_DISK: '1',
      });
      const [first, second] = doors.map((door) => `${PROXY}:${door.port}`);
      const place: Place = {
        ...{ folder, port, subPath, tls: makeCertificate(folder, HOST) },
        gateways: [first ?? '', second ?? ''],
      };
      const isUp = async () => (await ask(`${subPath ? '/errgate' : ''}/-/liveness`)).status === 200;
      proxy = await startProxy(command(program ?? '', place), folder, isUp);
      for (const door of doors) door.seen.length = 0;
      return folder;
    }

    interface Question {
      readonly method?: string;
      readonly body?: string | Buffer;
      readonly headers?: Record<string, string>;
      /** Address that the client has. */
      readonly from?: string;
    }

    function begin(path: string, { method = 'GET', body, headers = {}, from = CLIENT }: Question = {}) {
      const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
      const where = { host: PROXY, port, path, servername: HOST, localAddress: from, rejectUnauthorized: false };
      const request = https.request({
        ...where,
        ...{ method, agent: false, headers: { Host: `${HOST}:${port}`, ...length, ...headers } },
      });
      // A peer may answer and go before it has the whole body.
      request.on('error', () => undefined);
      request.end(body);
      return request;
    }

    async function ask(path: string, question: Question = {}) {
      const request = begin(path, question);
      const [answer] = (await once(request, 'response')) as [IncomingMessage];
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      return { status: answer.statusCode, headers: answer.headers, text: Buffer.concat(chunks).toString() };
    }

    /** Sends an event to the address that its DSN names; returns the status. */
    async function sendEvent(message: string): Promise<number | undefined> {
      const dsn = new URL(service.first.dsn);
      // The DSN was made for the port of the first start.
      const at = dsn.pathname.lastIndexOf('/');
      const path = `${dsn.pathname.slice(0, at)}/api/${dsn.pathname.slice(at + 1)}/store/?sentry_key=${dsn.username}`;
      return (await ask(path, { method: 'POST', body: JSON.stringify({ message }) })).status;
    }

    const seen = () => doors.flatMap((door) => door.seen);

    it('carries events, bodies, answers and addresses, to two gateways', async () => {
      const folder = await start(false);
      // An event in, and its error out.
      assert.equal(await sendEvent('through the front'), 200);
      const headers = { 'PRIVATE-TOKEN': service.first.token };
      const list = `/api/v4/projects/${service.first.project_id}/error_tracking/errors`;
      await eventually(
        () => ask(list, { headers }),
        ({ text }) => text.includes('through the front'),
      );

      // Pages have a session whose cookie is for TLS alone.
      const page = await ask('/');
      assert.ok([200, 302, 303].includes(page.status ?? 0), String(page.status));
      for (const cookie of page.headers['set-cookie'] ?? []) assert.match(cookie, /; *secure/i);

      // The address of the client, also of one that claims another.
      for (const door of doors) door.seen.length = 0;
      await ask('/-/readiness', { headers: { 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'http' } });
      const asked = seen().find(({ headers: given }) => given['x-forwarded-for']?.includes(CLIENT));
      assert.ok(asked);
      const forwarded = asked.headers['x-forwarded-for'];
      assert.equal(createClientAddress([PROXY]).resolve(PROXY, forwarded as string), CLIENT);
      assert.equal(asked.headers['x-forwarded-proto'], 'https');
      assert.equal(asked.headers.host, `${HOST}:${port}`);

      // A body that is too large for errgate is refused by errgate, and one of a build tool arrives whole.
      const large = await ask('/api/1/envelope/', { method: 'POST', body: Buffer.alloc(21 * MIB, 'x') });
      assert.ok([401, 403, 413].includes(large.status ?? 0), String(large.status));
      assert.match(large.headers['x-sentry-error'] as string, /./);
      doors.forEach((door) => (door.answers = takeWhole));
      const body = Buffer.alloc(33 * MIB, 'x');
      const upload = await ask('/api/0/organizations/acme/chunk-upload/', { method: 'POST', body });
      assert.equal(upload.text, 'taken');
      assert.equal(Math.max(...seen().map(({ bytes }) => bytes)), body.length);

      // An answer that comes in parts is passed on in parts.
      let goOn = (): void => assert.fail('nobody asked');
      doors.forEach((door) => {
        door.answers = (request, response) => {
          if (request.url !== '/parts') return false;
          response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
          response.write('first\n');
          goOn = () => response.end('second\n');
          return true;
        };
      });
      const request = begin('/parts');
      const [answer] = (await once(request, 'response')) as [IncomingMessage];
      const [part] = (await once(answer, 'data')) as [Buffer];
      assert.equal(part.toString(), 'first\n');
      goOn();
      const [rest] = (await once(answer, 'data')) as [Buffer];
      assert.equal(rest.toString(), 'second\n');

      // Both gateways work, and one of them for two while the other is away.
      doors.forEach((door) => (door.answers = () => false));
      for (const door of doors) door.seen.length = 0;
      for (let n = 0; n < 10; n += 1) assert.equal(await sendEvent('to two'), 200);
      const posts = doors.map((door) => door.seen.filter(({ path }) => path.includes('/store/')).length);
      assert.ok(
        posts.every((count) => count > 0),
        posts.join(' '),
      );
      await doors[0].shut();
      // What was sent to it may fail until the proxy has noticed.
      const ten = async () => {
        const answers: (number | undefined)[] = [];
        for (let n = 0; n < 10; n += 1) answers.push(await sendEvent('to one'));
        return answers;
      };
      await eventually(ten, (answers) => answers.every((status) => status === 200));
      assert.ok(doors[1].seen.length >= 10);
      await doors[0].open(doors[0].port);

      // Nobody reads metrics through it. The proxy and this client are on one machine, so errgate would answer.
      for (const path of [
        ...['/-/metrics', '/-/metrics/', '/-/METRICS', '/-/%6detrics', '/-/metrics?x=1', '//-/metrics'],
        ...['/./-/metrics', '/x/../-/metrics', '/-//metrics', '/%2d/metrics', '/-/metrics%20', '/-/metrics;x'],
      ]) {
        const { status, text } = await ask(path, { from: PROXY });
        assert.ok(status !== 200 || !text.includes('errgate_'), path);
        assert.doesNotMatch(text, /^# TYPE/m, path);
      }
      assert.equal((await ask('/-/metrics', { from: PROXY })).status, 404);

      // A token in a query does not reach the log.
      await ask('/acme/shop/-/error_tracking/projects.json?token=s3cretToken', { from: CLIENT });
      const log = await eventually(
        async () => readFileSync(join(folder, 'access.log'), 'utf8'),
        (text) => text.length > 0,
      );
      assert.doesNotMatch(log, /s3cretToken/);
    });

    it('serves it below a sub-path', async () => {
      await start(true);
      assert.equal((await ask('/errgate/-/readiness')).status, 200);
      const dsn = new URL(service.first.dsn);
      const project = dsn.pathname.slice(dsn.pathname.lastIndexOf('/') + 1);
      const path = `/errgate/api/${project}/store/?sentry_key=${dsn.username}`;
      const body = JSON.stringify({ message: 'below a path' });
      assert.equal((await ask(path, { method: 'POST', body })).status, 200);
      for (const metrics of [
        '/errgate/-/metrics',
        '/errgate/-/METRICS',
        '/errgate//-/metrics',
        '/errgate/-/%6detrics',
      ]) {
        const { status, text } = await ask(metrics, { from: PROXY });
        assert.ok(status !== 200 || !text.includes('errgate_'), metrics);
      }
      assert.equal((await ask('/errgate/-/METRICS', { from: PROXY })).status, 404);
      const page = await ask('/errgate/');
      assert.ok([200, 302, 303].includes(page.status ?? 0), String(page.status));
      assert.notEqual((await ask('/errgate/assets/none.js')).status, 410, 'files are those of errgate');
    });
  });
}
