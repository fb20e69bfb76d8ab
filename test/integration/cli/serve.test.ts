import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { callErrgate } from '../../support/cli-call.ts';
import { buildOnce, type CliResult, runErrgate } from '../../support/cli-process.ts';
import { startServiceHere } from '../../support/service-here.ts';
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
  /** A command beside the service. `serve` itself, and `doctor`, which checks a password, have true processes. */
  function errgate(...args: string[]): Promise<CliResult> {
    const run = args[0] === 'serve' || args[0] === 'doctor' ? runErrgate : callErrgate;
    return run(args, { ERRGATE_DATA_DIR: dataDir, ERRGATE_PORT: '0' });
  }
  async function bash(command: string): Promise<string> {
    return (await promisify(execFile)('bash', ['-c', command])).stdout;
  }

  /** Every address of ours that a text names, other than those that are no reads, answers who has the token. */
  async function assertAddressesAnswer(text: string, token: string): Promise<void> {
    const addresses = text.match(/http:\/\/localhost:\d+\/[^\s']+/g) ?? [];
    const reads = addresses.filter((address) => !address.includes('/errortracking/'));
    assert.equal(reads.length, 2);
    for (const address of reads) {
      const answer = await fetch(address, { headers: { 'PRIVATE-TOKEN': token } });
      assert.equal(answer.status, 200, address);
    }
  }

  it('prints the needed values at the first start, and they work when pasted', async () => {
    const { output, first, child, url } = await start();
    for (const value of [first.url, first.username, first.password, first.token, first.project_path, first.dsn]) {
      assert.ok(output.includes(value), value);
    }
    assert.equal(first.url, `http://localhost:${new URL(url).port}`);
    assert.equal(statSync(join(dataDir, 'first-start.json')).mode & 0o777, 0o600);
    assert.match(
      output.trimEnd().split('\n').at(-1) ?? '',
      /^errgate \d+\.\d+\.\d+ is ready on http:\/\/127\.0\.0\.1:\d+ in \d+ ms$/,
    );
    const run = JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8')) as object;
    assert.deepEqual({ ...run, started_at: '' }, { pid: child.pid, url, started_at: '' });

    const [send = '', read = ''] = output.split('\n').filter((line) => line.trim().startsWith('curl '));
    const sent = JSON.parse(await bash(`${send} -s`)) as { id: string };
    assert.match(sent.id, /^[0-9a-f]{32}$/);
    const errors = await eventually(
      async () => JSON.parse(await bash(`${read} -s`)) as { type: string; message: string; count: number }[],
      (list) => list.length > 0,
    );
    assert.deepEqual(
      errors.map(({ type, message, count }) => [type, message, count]),
      [['FirstError', 'the very first error', 1]],
    );
    await assertAddressesAnswer(output, first.token);
  });

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

  it('is the only one on its data dir; restore, migrate and drain are refused too, and name it', async () => {
    const { child } = await start();
    const commands = [['serve'], ['restore', 'none.db'], ['migrate'], ['journal', 'drain', dataDir]];
    for (const command of commands) {
      const { code, stderr, stdout } = await errgate(...command);
      assert.deepEqual([code, stdout], [1, ''], command.join(' '));
      assert.match(stderr, new RegExp(`in use by errgate serve, process ${child.pid ?? ''};`), command.join(' '));
    }
  });

  it('starts again at once after a kill, with every acknowledged event', async () => {
    const first = await start();
    const sent = await errgate('send-test-event');
    assert.equal(sent.code, 0, sent.stderr);
    await assertAddressesAnswer(sent.stdout, first.first.token);
    await first.end('SIGKILL');
    assert.equal(existsSync(join(dataDir, 'run.json')), true);
    const second = await start();
    const errors = (await second.get('/api/v4/projects/1/error_tracking/errors')) as { type: string }[];
    assert.deepEqual(
      errors.map((error) => error.type),
      ['TestEvent'],
    );
  });

  it('treats signals that come together as one, as those of Ctrl-C under npm', async () => {
    const { child } = await start();
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
  });

  it('stops at once at the second signal, with exit code 1', async () => {
    const { child, url } = await start();
    const port = Number(new URL(url).port);
    // A request that never ends keeps the orderly stop waiting.
    const sender = connect(port, '127.0.0.1');
    sender.on('error', () => undefined);
    sender.write('POST /api/1/store/?sentry_key=x HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
    await once(sender, 'connect');
    assert.equal((await fetch(`${url}/-/liveness`)).status, 200);
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    const refused = (): Promise<boolean> =>
      fetch(`${url}/-/liveness`).then(
        () => false,
        () => true,
      );
    await eventually(refused, (answer) => answer);
    assert.equal(child.exitCode, null);
    await setTimeout(150);
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [1, null]);
    assert.equal(existsSync(join(dataDir, 'run.json')), false);
    sender.destroy();
  });

  it('says that its port is in use', async () => {
    const { url } = await startHere();
    const { code, stderr } = await runErrgate(['serve'], {
      ERRGATE_DATA_DIR: join(folder, 'other'),
      ERRGATE_PORT: new URL(url).port,
    });
    assert.equal(code, 1);
    assert.match(stderr, /another program already listens there/);
  });

  it('lets every other command run beside it, and sees their changes within 2 s', async () => {
    const { first, url } = await start();
    const key = await errgate('key', 'create', 'demo/shop', '--public-key', 'BROUGHT_along');
    assert.equal(
      key.stdout.trim(),
      `http://BROUGHT_along@localhost:${new URL(url).port}/errortracking/api/v1/projects/1`,
    );
    assert.equal((await errgate('project', 'set', 'demo/shop', '--alias-id', '4711')).code, 0);
    const send = async (): Promise<number> =>
      (
        await fetch(`${url}/api/4711/store/?sentry_key=BROUGHT_along`, {
          method: 'POST',
          body: '{"message":"from an old DSN"}',
        })
      ).status;
    await eventually(send, (status) => status === 200, 2000);
    assert.equal((await errgate('key', 'disable', 'demo/shop', '2')).code, 0);
    await eventually(send, (status) => status === 403, 2000);

    const backup = join(folder, 'backup.db');
    assert.equal((await errgate('backup', backup, '--with-secrets')).code, 0);
    assert.equal((await errgate('prune')).code, 0);
    assert.match((await errgate('quarantine', 'replay', '--json')).stdout, /"replayed": 0/);
    assert.equal((await errgate('quarantine', 'list')).stdout, '(none)\n');
    const doctor = await errgate('doctor', '--json');
    assert.equal(doctor.code, 0, doctor.stdout);
    const { checks } = JSON.parse(doctor.stdout) as { checks: { check: string; status: string; message: string }[] };
    const service = checks.find(({ check }) => check === 'service');
    assert.equal(service?.status, 'ok');
    assert.ok(service.message.includes(url));
    const start1 = checks.find(({ check }) => check === 'first start');
    assert.match(start1?.message ?? '', /password of root, which was never changed/);
    assert.ok(!doctor.stdout.includes(first.password) && !doctor.stdout.includes(first.token));
  });
});
