import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildOnce } from '../../support/cli-process.ts';
import { callServe, startServiceHere } from '../../support/service-here.ts';
import {
  eventually,
  type ServiceProcess,
  type StartedService,
  startServiceProcess,
} from '../../support/service-process.ts';

describe('errgate serve', () => {
  let folder: string;
  let dataDir: string;
  const services: StartedService[] = [];
  before(async function () {
    this.timeout(120_000);
    await buildOnce();
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'errgate-serve-'));
    dataDir = join(folder, 'data');
  });
  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.end('SIGKILL')));
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(env: NodeJS.ProcessEnv = {}): Promise<ServiceProcess> {
    const service = await startServiceProcess(dataDir, { ERRGATE_MIN_FREE_DISK: '1', ...env });
    services.push(service);
    return service;
  }
  /** Service inside this process, which starts in less time. For tests of what the service does, not of its process. */
  async function startHere(env: NodeJS.ProcessEnv = {}): Promise<StartedService> {
    const service = await startServiceHere(dataDir, { ERRGATE_MIN_FREE_DISK: '1', ...env });
    services.push(service);
    return service;
  }
  it('lets the first password be changed on the page, which removes it from the file', async () => {
    const { url, first } = await startHere();
    const { username, password } = first;
    const ask = (method: string, path: string, headers: Record<string, string>, body: object) =>
      fetch(url + path, {
        method,
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    const signedIn = await ask('POST', '/-/session', {}, { username, password });
    const session = (await signedIn.json()) as {
      csrf_token: string;
      must_change_password: boolean;
      may_postpone: boolean;
    };
    assert.deepEqual([session.must_change_password, session.may_postpone], [true, true]);
    const headers = {
      Cookie: signedIn.headers.get('Set-Cookie')?.split(';', 1)[0] ?? '',
      'X-CSRF-Token': session.csrf_token,
    };
    const chosen = { current_password: password, password: 'my own password' };
    assert.equal((await ask('PUT', '/-/session/password', headers, chosen)).status, 200);
    const file = join(dataDir, 'first-start.json');
    const { password: _gone, ...rest } = first;
    await eventually(
      async () => JSON.parse(readFileSync(file, 'utf8')) as object,
      (stored) => !('password' in stored),
    );
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), rest);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal((await ask('POST', '/-/session', {}, { username, password })).status, 401);
  });

  it('sends a test event as an SDK does, and remembers after a restart which keys were used', async () => {
    const running = await startHere();
    const { first } = running;
    const headers = { 'PRIVATE-TOKEN': first.token };
    const project = `/api/v4/projects/${first.project_id}/error_tracking`;
    const sent = await fetch(`${running.url}${project}/test_event`, { method: 'POST', headers });
    assert.equal(sent.status, 201);
    const { event_id: id } = (await sent.json()) as { event_id: string };
    const latest = await eventually(
      async () =>
        (await fetch(`${running.url}${project}/errors/1/events/latest`, { headers })).json() as Promise<{
          event_id?: string;
        }>,
      (event) => event.event_id !== undefined,
    );
    assert.equal(latest.event_id, id);
    const key = new URL(first.dsn).username;
    const store = `${running.url}/errortracking/api/v1/projects/api/${first.project_id}/store/?sentry_key=${key}`;
    assert.equal((await fetch(store, { method: 'POST', body: '{"message":"by an SDK"}' })).status, 200);
    await running.end('SIGTERM');
    const { url } = await startHere();
    const keys = (await (await fetch(`${url}${project}/client_keys?usage=true`, { headers })).json()) as {
      last_used_at: string | null;
    }[];
    assert.ok(Math.abs(Date.now() - Date.parse(keys[0]?.last_used_at ?? '')) < 120_000);
    const health = (await (await fetch(`${url}/api/v4/admin/health`, { headers })).json()) as {
      status: string;
      store: { kind: string; stats: { events: number } };
    };
    assert.deepEqual([health.status, health.store.kind, health.store.stats.events], ['ok', 'sqlite', 2]);
  });

  it('names the file at later starts and keeps everything', async () => {
    const first = await startHere();
    assert.equal(await first.end('SIGTERM'), 0);
    assert.equal(existsSync(join(dataDir, 'run.json')), false);
    const second = await startHere();
    assert.deepEqual(second.first, first.first);
    assert.ok(second.output.includes(join(dataDir, 'first-start.json')));
    assert.ok(!second.output.includes(second.first.password));
  });

  it('is not ready before the file of the first start is complete', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    let started = false;
    const starting = start({ ERRGATE_PORT: String(port) }).finally(() => (started = true));
    // Asked as often as the machine allows, from before it listens: the first 200 counts.
    for (;;) {
      const wasStarted: boolean = started;
      const status = await fetch(`http://127.0.0.1:${port}/-/readiness`).then(
        (answer) => answer.status,
        () => 0,
      );
      if (status === 200) break;
      assert.equal(wasStarted, false, 'it was ready without saying so');
    }
    const file = JSON.parse(readFileSync(join(dataDir, 'first-start.json'), 'utf8')) as { dsn: string };
    assert.ok(URL.canParse(file.dsn));
    await starting;
  });

  it('prints no DSN where the integrated backend is not offered', async () => {
    const { output, first } = await startHere({ ERRGATE_INTEGRATED_ENABLED: 'false' });
    assert.equal(first.dsn, null);
    assert.doesNotMatch(output, /Send a first error|curl|errortracking\/api/);
    assert.match(output, /connect the project to an external tracker/);
  });

  it('creates no first project and user where that is switched off', async () => {
    const child = spawn(process.execPath, ['bin/errgate.js'], {
      env: { ...process.env, ERRGATE_PORT: '0', ERRGATE_DATA_DIR: dataDir, ERRGATE_BOOTSTRAP: 'false' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = (await new Promise<Buffer[]>((resolve) =>
      child.stdout.once('data', (chunk: Buffer) => resolve([chunk])),
    )) as [Buffer];
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const [url = ''] = /http:\S+/.exec(line.toString()) ?? [];
    assert.equal((await fetch(`${url}/-/readiness`)).status, 200, 'it waits for no file that will not come');
    child.kill('SIGINT');
    assert.match(line.toString(), /^errgate .* is ready on/);
    assert.equal(await ended, 0);
    assert.equal(existsSync(join(dataDir, 'first-start.json')), false);
  });

  it('says that its port is in use', async () => {
    const { url } = await startHere();
    const call = await callServe({ ERRGATE_DATA_DIR: join(folder, 'other'), ERRGATE_PORT: new URL(url).port });
    assert.equal(await call.ended, 1);
    assert.match(call.stderr, /another program already listens there/);
  });
});
