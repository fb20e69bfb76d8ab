import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acquireDataDir, ensureDataDir, isDataDirOwned, readRunInfo } from '../../../../src/cli/data-dir/data-dir.ts';
import { AppError } from '../../../../src/domain/app-error.ts';

const SOURCE = new URL('../../../../src/cli/data-dir/data-dir.ts', import.meta.url).href;

/** Another process that acquires the data dir, says `owned` or the refusal, and holds on until it is killed. */
function startOwner(dir: string): ChildProcess {
  const script = `
    const { acquireDataDir } = await import(${JSON.stringify(SOURCE)});
    try {
      (await acquireDataDir(${JSON.stringify(dir)}, 'serve')).publish('http://127.0.0.1:1', 0);
      console.log('owned');
      setInterval(() => {}, 1000);
    } catch (error) {
      console.log(error.message);
    }`;
  return spawn(process.execPath, ['--import=tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function firstLine(child: ChildProcess): Promise<string> {
  assert.ok(child.stdout);
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return chunk.toString().trim();
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

describe('data dir', () => {
  let dir: string;
  const children: ChildProcess[] = [];
  beforeEach(() => {
    dir = join(mkdtempSync(join(tmpdir(), 'errgate-dir-')), 'data');
  });
  afterEach(async () => {
    await Promise.all(children.splice(0).map(kill));
    rmSync(join(dir, '..'), { recursive: true });
  });
  function owner(): ChildProcess {
    const child = startOwner(dir);
    children.push(child);
    return child;
  }

  it('is made with mode 0700, and tightened when it is there', () => {
    ensureDataDir(dir);
    assert.equal(statSync(dir).mode & 0o777, 0o700);
    chmodSync(dir, 0o755);
    ensureDataDir(dir);
    assert.equal(statSync(dir).mode & 0o777, 0o700);
  });

  it('is refused clearly when it cannot be made', () => {
    const file = join(dir, '..', 'file');
    writeFileSync(file, '');
    assert.throws(
      () => ensureDataDir(join(file, 'data')),
      (error) =>
        error instanceof AppError && error.code === 'invalid_configuration' && /ERRGATE_DATA_DIR/.test(error.message),
    );
  });

  describe('of another user', function () {
    const STRANGER = 65_534;
    before(function () {
      if (process.geteuid?.() === 0) return;
      console.log('      SKIPPED data dir of another user: only root can become another one');
      this.skip();
    });

    /** Runs as a user without rights. Nothing else runs meanwhile, because the call is synchronous. */
    function asStranger(run: () => void): void {
      process.setegid?.(STRANGER);
      process.seteuid?.(STRANGER);
      try {
        run();
      } finally {
        process.seteuid?.(0);
        process.setegid?.(0);
      }
    }

    beforeEach(() => {
      chmodSync(join(dir, '..'), 0o755);
      mkdirSync(dir, { mode: 0o700 });
    });

    it('is refused with both users and the command that helps', () => {
      asStranger(() => {
        assert.throws(
          () => ensureDataDir(dir),
          /belongs to user 0 and errgate runs as user 65534: run "chown -R 65534 /,
        );
      });
    });

    it('is used where its group may write, as in a volume of Kubernetes', () => {
      chownSync(dir, 0, STRANGER);
      chmodSync(dir, 0o2770);
      asStranger(() => ensureDataDir(dir));
      assert.equal(statSync(dir).mode & 0o7777, 0o2770);
    });
  });

  it('has one owner, whose run.json tells where it is', async () => {
    const first = await acquireDataDir(dir, 'serve');
    first.publish('http://127.0.0.1:4711', Date.parse('2026-11-21T10:00:00Z'));
    assert.equal(
      readFileSync(join(dir, 'run.json'), 'utf8'),
      `{"pid":${process.pid},"url":"http://127.0.0.1:4711","started_at":"2026-11-21T10:00:00.000Z"}\n`,
    );
    assert.equal(statSync(join(dir, 'run.json')).mode & 0o777, 0o600);
    assert.equal((await readRunInfo(dir))?.url, 'http://127.0.0.1:4711');
    await assert.rejects(
      acquireDataDir(dir, 'restore'),
      (error) =>
        error instanceof AppError &&
        error.code === 'data_dir_in_use' &&
        error.message.includes(`errgate serve, process ${process.pid}`),
    );
    first.release();
    assert.equal(existsSync(join(dir, 'run.json')), false);
    assert.equal(await isDataDirOwned(dir), false);
    (await acquireDataDir(dir, 'serve')).release();
  });

  it('stays owned when the owner itself looks at the lock', async () => {
    const own = await acquireDataDir(dir, 'serve');
    assert.equal(await isDataDirOwned(dir), true);
    assert.match(await firstLine(owner()), new RegExp(`in use by errgate serve, process ${process.pid}`));
    own.release();
  });

  it('is free at once after its owner was killed, although run.json names a living process', async () => {
    const killed = owner();
    assert.equal(await firstLine(killed), 'owned');
    await assert.rejects(acquireDataDir(dir, 'serve'), new RegExp(`process ${killed.pid ?? ''};`));
    await kill(killed);
    // As if the process id had been given to somebody else.
    const info = { pid: process.pid, url: 'http://127.0.0.1:1', started_at: new Date().toISOString() };
    writeFileSync(join(dir, 'run.json'), JSON.stringify(info));
    assert.equal(await readRunInfo(dir), null);
    const next = await acquireDataDir(dir, 'serve');
    assert.equal(existsSync(join(dir, 'run.json')), false);
    next.release();
  });

  it('has exactly one owner when several start at once', async () => {
    const answers = await Promise.all([owner(), owner(), owner()].map(firstLine));
    assert.equal(answers.filter((answer) => answer === 'owned').length, 1, answers.join('\n'));
    assert.equal(answers.filter((answer) => answer.includes('is in use by')).length, 2, answers.join('\n'));
  });

  it('ignores a run.json that is none', async () => {
    ensureDataDir(dir);
    assert.equal(await readRunInfo(dir), null);
    for (const content of ['', 'null', '[]', '{"pid":"1"}', '{"pid":1,"url":1,"started_at":""}']) {
      writeFileSync(join(dir, 'run.json'), content);
      assert.equal(await readRunInfo(dir), null, content);
    }
  });
});
