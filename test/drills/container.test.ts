import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../support/doc-pages.ts';
import { suiteInFullRun } from '../support/full-run.ts';
import { eventually, type FirstStart } from '../support/service-process.ts';

const run = promisify(execFile);

const IMAGE = 'localhost/errgate-test';
const BASE = 'docker.io/library/node:24-bookworm-slim';
/** User of the image. */
const USER = 10_001;
/** Maximum bytes of the image above its base. */
const MAX_BYTES = 120_000_000;
const PORT = '18123';
const URL_HERE = `http://127.0.0.1:${PORT}`;
/** Options of a careful operator. The engine of the tests has no networks of its own, and bounds that it may set. */
const CAREFUL = [
  ...['--runtime', 'runc', 'run', '--network=host', '--read-only', '--cap-drop=all'],
  ...['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1000:1000', '-e', `ERRGATE_PORT=${PORT}`],
];

/** Returns why no image can be built and run here; null: it can. */
function missing(): string | null {
  const lacking = ['buildah', 'podman', 'runc'].find((program) => spawnSync(program, ['--version']).status !== 0);
  if (lacking !== undefined) return `${lacking} is missing`;
  const hasBase = spawnSync('buildah', ['inspect', '--type', 'image', BASE]).status === 0;
  return hasBase ? null : `the image ${BASE} is missing: pull it with "buildah pull ${BASE}"`;
}

async function sizeOf(image: string): Promise<number> {
  const { stdout } = await run('podman', ['image', 'inspect', '--format', '{{.Size}}', image]);
  return Number(stdout);
}

suiteInFullRun('the container image', function () {
  this.timeout(600_000);
  let folder: string;
  const started: string[] = [];

  before(async function () {
    const why = missing();
    if (why !== null) {
      console.log(`      SKIPPED container image: ${why}`);
      this.skip();
    }
    const options = ['--isolation', 'chroot', '--pull-never', '--network=host', '--format', 'docker'];
    await run('buildah', ['bud', ...options, '-t', IMAGE, ROOT], { maxBuffer: 1e8 });
  });
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'errgate-container-')), 'data');
    mkdirSync(folder, { mode: 0o700 });
    chownSync(folder, USER, USER);
  });
  afterEach(async () => {
    for (const id of started.splice(0)) await run('podman', ['rm', '-f', '-t', '0', id]);
    rmSync(join(folder, '..'), { recursive: true, force: true });
  });

  /** Starts a container with the folder as its volume, without waiting for it. */
  async function start(...options: string[]): Promise<string> {
    const { stdout } = await run('podman', [...CAREFUL, '-d', '-v', `${folder}:/data`, ...options, IMAGE]);
    started.push(stdout.trim());
    return stdout.trim();
  }

  const ready = () =>
    eventually(
      async () => (await fetch(`${URL_HERE}/-/readiness`).catch(() => null))?.status,
      (status) => status === 200,
    );
  const first = () => JSON.parse(readFileSync(join(folder, 'first-start.json'), 'utf8')) as FirstStart;

  /** Sends an error as an application with the Node.js SDK does. */
  async function sendError(message: string): Promise<void> {
    const dsn = first().dsn.replace('localhost', '127.0.0.1');
    const program = `
      import * as sdk from '@sentry/node';
      sdk.init({ dsn: ${JSON.stringify(dsn)} });
      sdk.captureException(new Error(${JSON.stringify(message)}));
      if (!(await sdk.flush(10_000))) process.exit(1);`;
    await run(process.execPath, ['--input-type=module', '-e', program], { cwd: ROOT });
  }

  async function titles(): Promise<string[]> {
    const { token, project_id: id } = first();
    const answer = await fetch(`${URL_HERE}/api/v4/projects/${id}/error_tracking/errors`, {
      headers: { 'PRIVATE-TOKEN': token },
    });
    return ((await answer.json()) as { title: string }[]).map(({ title }) => title);
  }

  const shows = (message: string) => eventually(titles, (all) => all.some((title) => title.includes(message)));

  async function exitCode(id: string): Promise<number> {
    const { stdout } = await run('podman', ['wait', id]);
    return Number(stdout);
  }

  async function logOf(id: string): Promise<string> {
    const { stdout, stderr } = await run('podman', ['logs', id]);
    return stdout + stderr;
  }

  it('is small, runs as nobody in particular, and holds no tools of the build', async () => {
    const bytes = (await sizeOf(IMAGE)) - (await sizeOf(BASE));
    assert.ok(bytes <= MAX_BYTES, `${bytes} bytes above the base`);
    const { stdout } = await run('podman', ['image', 'inspect', '--format', '{{.Config.User}}', IMAGE]);
    assert.equal(stdout.trim(), `${USER}:${USER}`);
    const ls = [...CAREFUL, '--rm', '--entrypoint', 'ls', IMAGE];
    const { stdout: found } = await run('podman', [...ls, '-a', '/app', '/app/node_modules']);
    for (const name of ['src', 'test', 'ui', 'scripts', 'typescript', 'vite', 'eslint', 'mocha']) {
      assert.doesNotMatch(found, new RegExp(`^${name}$`, 'm'));
    }
    const { stdout: health } = await run('buildah', ['inspect', '--type', 'image', IMAGE]);
    assert.match(health, /liveness/);
  });

  it('starts, takes the first error, stops within its time, and goes on with its volume', async () => {
    const id = await start();
    await ready();
    await sendError('the first one');
    await shows('the first one');
    const { status } = spawnSync('podman', ['exec', id, 'node', '/app/bin/errgate.js', 'doctor'], { encoding: 'utf8' });
    assert.equal(status, 0);
    const before = Date.now();
    await run('podman', ['stop', '-t', '10', id]);
    assert.ok(Date.now() - before < 10_000, `${Date.now() - before} ms`);
    assert.equal(await exitCode(id), 0);
    await start();
    await ready();
    await shows('the first one');
  });

  it('keeps what it acknowledged over kill -9 as the first process', async () => {
    const id = await start();
    await ready();
    await sendError('before the end');
    await run('podman', ['kill', '-s', 'KILL', id]);
    assert.equal(await exitCode(id), 137);
    await start();
    await ready();
    await shows('before the end');
  });

  it('runs as another user whose folder it is', async () => {
    chownSync(folder, 12_345, 12_345);
    await start('--user', '12345:12345');
    await ready();
    assert.ok(existsSync(join(folder, 'errgate.db')));
  });

  it('says what to do about a folder of another user', async () => {
    chownSync(folder, 0, 0);
    const id = await start();
    assert.equal(await exitCode(id), 1);
    assert.match(await logOf(id), /belongs to user 0 and errgate runs as user 10001: run "chown -R 10001 \/data"/);
  });

  it('says what to do about a folder that is read-only', async () => {
    const { stdout } = await run('podman', [...CAREFUL, '-d', '-v', `${folder}:/data:ro`, IMAGE]);
    const id = stdout.trim();
    started.push(id);
    assert.equal(await exitCode(id), 1);
    assert.match(await logOf(id), /read-only file system.*make the file system writable/);
  });

  it('answers 503 while the folder is full, and takes events again', async () => {
    await run('mount', ['-t', 'tmpfs', '-o', `size=64m,mode=0700,uid=${USER},gid=${USER}`, 'tmpfs', folder]);
    try {
      const id = await start('-e', 'ERRGATE_MIN_FREE_DISK=16777216');
      await ready();
      await run('dd', ['if=/dev/zero', `of=${join(folder, 'ballast')}`, 'bs=1M', 'count=55']);
      const send = async () => {
        const { pathname, username, host } = new URL(first().dsn.replace('localhost', '127.0.0.1'));
        const project = pathname.slice(pathname.lastIndexOf('/') + 1);
        const answer = await fetch(`http://${host}/api/${project}/store/?sentry_key=${username}`, {
          method: 'POST',
          body: '{"message":"on a full disk"}',
        });
        return answer.status;
      };
      await eventually(send, (status) => status === 503);
      rmSync(join(folder, 'ballast'));
      await eventually(send, (status) => status === 200);
      await shows('on a full disk');
      await run('podman', ['stop', '-t', '10', id]);
    } finally {
      await run('umount', ['-l', folder]);
    }
  });
});
