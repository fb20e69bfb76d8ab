import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  BASE_IMAGE,
  buildImage,
  Containers,
  IMAGE_USER,
  imageBytes,
  imageConfig,
  lackingContainers,
  runInImage,
} from '../support/containers.ts';
import { ROOT } from '../support/doc-pages.ts';
import { suiteInFullRun } from '../support/full-run.ts';
import { eventually, type FirstStart } from '../support/service-process.ts';

const run = promisify(execFile);

const IMAGE = 'localhost/errgate-test';
const IMAGE_BEFORE = 'localhost/errgate-test-before';
/** Maximum bytes of the image above its base. */
const MAX_BYTES = 120_000_000;
const PORT = '18123';
const URL_HERE = `http://127.0.0.1:${PORT}`;

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** Returns the commit before this one; null without a history, as in a shallow clone. */
function commitBefore(): string | null {
  try {
    return git('rev-parse', '--verify', 'HEAD^');
  } catch {
    return null;
  }
}

/** Builds the image of a commit from its files alone. */
async function buildCommit(commit: string, name: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'errgate-image-'));
  try {
    const files = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 1e9 });
    execFileSync('tar', ['-x', '-C', folder], { input: files });
    await buildImage(folder, name, {});
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

suiteInFullRun('the container image', function () {
  this.timeout(1_200_000);
  let folder: string;
  const containers = new Containers();

  before(async function () {
    const why = lackingContainers();
    if (why !== null) {
      console.log(`      SKIPPED container image: ${why}`);
      this.skip();
    }
    await buildImage(ROOT, IMAGE, { VERSION: '1.2.3', REVISION: 'abc' });
  });
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'errgate-container-')), 'data');
    mkdirSync(folder, { mode: 0o700 });
    chownSync(folder, IMAGE_USER, IMAGE_USER);
  });
  afterEach(async () => {
    await containers.remove();
    rmSync(join(folder, '..'), { recursive: true, force: true });
  });

  /** Starts a container with the folder as its volume, without waiting for it. */
  const start = (options: readonly string[] = [], image = IMAGE) =>
    containers.start(image, ['-e', `ERRGATE_PORT=${PORT}`, '-v', `${folder}:/data`, ...options]);
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

  /** Sends one small event; returns the status of the answer. */
  async function sendEvent(message: string): Promise<number> {
    const { pathname, username, host } = new URL(first().dsn.replace('localhost', '127.0.0.1'));
    const project = pathname.slice(pathname.lastIndexOf('/') + 1);
    const answer = await fetch(`http://${host}/api/${project}/store/?sentry_key=${username}`, {
      method: 'POST',
      body: JSON.stringify({ message }),
    });
    await answer.arrayBuffer();
    return answer.status;
  }

  /** Reads the title and the count of each error. */
  async function errors(): Promise<ReadonlyMap<string, number>> {
    const { token, project_id: id } = first();
    const answer = await fetch(`${URL_HERE}/api/v4/projects/${id}/error_tracking/errors`, {
      headers: { 'PRIVATE-TOKEN': token },
    });
    const list = (await answer.json()) as { title: string; count: number }[];
    return new Map(list.map(({ title, count }) => [title, count]));
  }

  const shows = (message: string) =>
    eventually(errors, (all) => [...all.keys()].some((title) => title.includes(message)));

  it('is small, runs as nobody in particular, and holds no tools of the build', async () => {
    const bytes = (await imageBytes(IMAGE)) - (await imageBytes(BASE_IMAGE));
    console.log(`      ${(bytes / 1e6).toFixed(1)} MB above its base`);
    assert.ok(bytes <= MAX_BYTES, `${bytes} bytes above the base`);
    const config = await imageConfig(IMAGE);
    assert.equal(config.User, `${IMAGE_USER}:${IMAGE_USER}`);
    assert.deepEqual(Object.keys(config.ExposedPorts), ['8080/tcp']);
    assert.deepEqual(Object.keys(config.Volumes), ['/data']);
    assert.deepEqual([config.Entrypoint, config.Cmd], [['node', '/app/bin/errgate.js'], ['serve']]);
    const found = await runInImage(IMAGE, 'ls', '-a', '/app', '/app/node_modules');
    for (const name of ['src', 'test', 'ui', 'scripts', 'typescript', 'vite', 'eslint', 'mocha', '.npmrc', '.git']) {
      assert.doesNotMatch(found, new RegExp(`^${name.replace('.', '\\.')}$`, 'm'));
    }
  });

  it('says what it is by the labels of OCI', async () => {
    const { Labels } = await imageConfig(IMAGE);
    const prefix = 'org.opencontainers.image.';
    const labels = Object.entries(Labels).filter(([name]) => name.startsWith(prefix));
    assert.deepEqual(Object.fromEntries(labels.map(([name, value]) => [name.slice(prefix.length), value])), {
      title: 'errgate',
      description: 'Error-tracking gateway',
      licenses: 'MIT',
      version: '1.2.3',
      revision: 'abc',
      'base.name': BASE_IMAGE,
    });
  });

  it('has no native module that only this processor runs', async () => {
    const found = await runInImage(IMAGE, 'find', '/app', '-name', '*.node');
    const modules = found.trim().split('\n');
    assert.ok(modules.length > 0);
    for (const path of modules.filter((name) => name.includes('/linux-x64/'))) {
      assert.ok(modules.includes(path.replace('/linux-x64/', '/linux-arm64/')), path);
    }
    assert.deepEqual(
      modules.filter((path) => !/\/prebuilds\/\w+-\w+\//.test(path)),
      [],
      'a module was compiled here',
    );
  });

  it('starts, takes the first error, stops within its time, and goes on with its volume', async () => {
    const id = await start();
    await ready();
    await sendError('the first one');
    await shows('the first one');
    assert.equal(containers.execute(id, 'node', '/app/bin/errgate.js', 'doctor'), 0);
    const { Healthcheck } = await imageConfig(IMAGE);
    const [kind, ...check] = Healthcheck.Test;
    assert.equal(kind, 'CMD');
    assert.equal(containers.execute(id, ...check), 0);
    assert.equal(containers.execute(id, 'env', 'ERRGATE_PORT=1', ...check), 1, 'nobody listens there');
    const before = Date.now();
    assert.equal(await containers.stop(id), 0);
    assert.ok(Date.now() - before < 10_000, `${Date.now() - before} ms`);
    await start();
    await ready();
    await shows('the first one');
  });

  it('keeps what it acknowledged over kill -9 as the first process', async () => {
    const id = await start();
    await ready();
    await sendError('before the end');
    assert.equal(await containers.kill(id), 137);
    await start();
    await ready();
    await shows('before the end');
  });

  it('goes on with the volume of the image of the commit before, and counts exactly', async function () {
    const commit = commitBefore();
    if (commit === null) {
      console.log('      SKIPPED upgrade of the image: there is no commit before this one');
      this.skip();
    }
    await buildCommit(commit, IMAGE_BEFORE);
    const id = await start([], IMAGE_BEFORE);
    await ready();
    const sent = new Map<string, number>();
    const send = async (n: number): Promise<void> => {
      const message = `kind ${'abcdefghij'.charAt(n % 10)}`;
      if ((await sendEvent(message)) === 200) sent.set(message, (sent.get(message) ?? 0) + 1);
    };
    for (let at = 0; at < 300; at += 10) await Promise.all(Array.from({ length: 10 }, (_, n) => send(at + n)));
    const whole = (all: ReadonlyMap<string, number>) =>
      [...sent].every(([message, count]) => all.get(message) === count) && all.size === sent.size;
    await eventually(errors, whole);
    // The last ones are in the journal alone when the container is killed.
    await Promise.all(Array.from({ length: 10 }, (_, n) => send(n)));
    await containers.kill(id);
    const next = await start();
    await ready();
    const all = await eventually(errors, whole);
    assert.equal(
      [...all.values()].reduce((sum, count) => sum + count, 0),
      310,
    );
    assert.equal(containers.execute(next, 'node', '/app/bin/errgate.js', 'doctor'), 0);
    await sendError('after the upgrade');
    await shows('after the upgrade');
  });

  it('runs as another user whose folder it is', async () => {
    chownSync(folder, 12_345, 12_345);
    await start(['--user', '12345:12345']);
    await ready();
    assert.ok(existsSync(join(folder, 'errgate.db')));
  });

  it('says what to do about a folder of another user', async () => {
    chownSync(folder, 0, 0);
    const id = await start();
    assert.equal(await containers.exitCode(id), 1);
    assert.match(
      await containers.log(id),
      /belongs to user 0 and errgate runs as user 10001: run "chown -R 10001 \/data"/,
    );
  });

  it('says what to do about a folder that is read-only', async () => {
    const id = await containers.start(IMAGE, ['-v', `${folder}:/data:ro`]);
    assert.equal(await containers.exitCode(id), 1);
    assert.match(await containers.log(id), /read-only file system.*make the file system writable/);
  });

  it('answers 503 while the folder is full, and takes events again', async () => {
    await run('mount', [
      '-t',
      'tmpfs',
      '-o',
      `size=64m,mode=0700,uid=${IMAGE_USER},gid=${IMAGE_USER}`,
      'tmpfs',
      folder,
    ]);
    try {
      const id = await start(['-e', 'ERRGATE_MIN_FREE_DISK=16777216']);
      await ready();
      await run('dd', ['if=/dev/zero', `of=${join(folder, 'ballast')}`, 'bs=1M', 'count=55']);
      const send = () => sendEvent('on a full disk');
      await eventually(send, (status) => status === 503);
      rmSync(join(folder, 'ballast'));
      await eventually(send, (status) => status === 200);
      await shows('on a full disk');
      await containers.stop(id);
    } finally {
      await run('umount', ['-l', folder]);
    }
  });
});
