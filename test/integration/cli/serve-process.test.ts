import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { callErrgate } from '../../support/cli-call.ts';
import { buildOnce, type CliResult, runErrgate } from '../../support/cli-process.ts';
import { callServe, startServiceHere } from '../../support/service-here.ts';
import {
  eventually,
  type ServiceProcess,
  type StartedService,
  startServiceProcess,
} from '../../support/service-process.ts';

const ENV = { ERRGATE_MIN_FREE_DISK: '1' };

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

describe('process of errgate serve', function () {
  this.timeout(120_000);
  let folder: string;
  let dataDir: string;
  /** Services of one test, which end with it. */
  const services: StartedService[] = [];
  /** A command beside the service. `doctor`, which checks a password, has a true process. */
  function errgate(...args: string[]): Promise<CliResult> {
    const run = args[0] === 'doctor' ? runErrgate : callErrgate;
    return run(args, { ERRGATE_DATA_DIR: dataDir, ERRGATE_PORT: '0' });
  }
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'errgate-serve-'));
    dataDir = join(folder, 'data');
  });
  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.end('SIGKILL')));
    rmSync(folder, { recursive: true, force: true });
  });
  before(() => buildOnce());

  describe('as it runs', () => {
    let shared: string;
    let service: ServiceProcess;
    before(async () => {
      shared = mkdtempSync(join(tmpdir(), 'errgate-serve-'));
      service = await startServiceProcess(join(shared, 'data'), ENV);
    });
    beforeEach(() => {
      dataDir = join(shared, 'data');
    });
    after(async () => {
      await service.end('SIGKILL');
      rmSync(shared, { recursive: true, force: true });
    });

    it('prints the needed values at the first start, and they work when pasted', async () => {
      const { output, first, child, url } = service;
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

    it('is the only one on its data dir; restore, migrate and drain are refused too, and name it', async () => {
      const { child } = service;
      const commands = [['restore', 'none.db'], ['migrate'], ['journal', 'drain', dataDir]];
      const assertRefused = (what: string, { code, stdout, stderr }: CliResult): void => {
        assert.deepEqual([code, stdout], [1, ''], what);
        assert.match(stderr, new RegExp(`in use by errgate serve, process ${child.pid ?? ''};`), what);
      };
      for (const command of commands) assertRefused(command.join(' '), await errgate(...command));
      const second = await callServe({ ERRGATE_DATA_DIR: dataDir });
      assertRefused('serve', { code: await second.ended, stdout: second.stdout, stderr: second.stderr });
    });

    it('lets every other command run beside it, and sees their changes within 2 s', async () => {
      const { first, url } = service;
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
      const found = checks.find(({ check }) => check === 'service');
      assert.equal(found?.status, 'ok');
      assert.ok(found.message.includes(url));
      const start1 = checks.find(({ check }) => check === 'first start');
      assert.match(start1?.message ?? '', /password of root, which was never changed/);
      assert.ok(!doctor.stdout.includes(first.password) && !doctor.stdout.includes(first.token));
    });

    // The last one with this service, because it ends it.
    it('treats signals that come together as one, as those of Ctrl-C under npm', async () => {
      const { child } = service;
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      child.kill('SIGTERM');
      assert.deepEqual(await ended, [0, null]);
    });
  });

  it('starts again at once after a kill, with every acknowledged event', async () => {
    const first = await startServiceProcess(dataDir, ENV);
    services.push(first);
    const sent = await errgate('send-test-event');
    assert.equal(sent.code, 0, sent.stderr);
    await assertAddressesAnswer(sent.stdout, first.first.token);
    await first.end('SIGKILL');
    assert.equal(existsSync(join(dataDir, 'run.json')), true);
    const second = await startServiceHere(dataDir, ENV);
    services.push(second);
    const errors = (await second.get('/api/v4/projects/1/error_tracking/errors')) as { type: string }[];
    assert.deepEqual(
      errors.map((error) => error.type),
      ['TestEvent'],
    );
  });

  it('stops at once at the second signal, with exit code 1', async () => {
    const service = await startServiceProcess(dataDir, ENV);
    services.push(service);
    const { child, url } = service;
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
});
