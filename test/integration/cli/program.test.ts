import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { callErrgate, typed } from '../../support/cli-call.ts';
import { buildOnce, runErrgate } from '../../support/cli-process.ts';
import { useCliSandbox } from '../../support/cli-sandbox.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

describe('errgate as a program', () => {
  const sandbox = useCliSandbox();
  before(async function () {
    this.timeout(120_000);
    await buildOnce();
  });

  it('ends with the exit code of its command, results on stdout and messages on stderr', async () => {
    const { env } = sandbox.current;
    const version = await runErrgate(['--version'], env);
    assert.deepEqual([version.code, version.stderr], [0, '']);
    assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
    const failed = await runErrgate(['user', 'list'], env);
    assert.deepEqual([failed.code, failed.stdout], [1, '']);
    assert.match(failed.stderr, /^errgate: there is no data dir at .*\n$/);
    const misused = await runErrgate(['serf'], env);
    assert.deepEqual([misused.code, misused.stdout], [2, '']);
    assert.match(misused.stderr, /unknown command 'serf'/);
    const unhealthy = await runErrgate(['doctor', '--json'], env);
    assert.equal(unhealthy.code, 1);
    assert.equal((JSON.parse(unhealthy.stdout) as { healthy: boolean }).healthy, false);
    assert.equal(existsSync(sandbox.current.dataDir), false);
  });

  it('reads a password from a pipe, and another process finds what it stored', async () => {
    const { env } = sandbox.current;
    const made = await runErrgate(['user', 'create', 'ada', '--password-stdin'], env, 'correct horse\n');
    assert.deepEqual([made.code, made.stdout], [0, '']);
    assert.match(made.stderr, /created user ada \(id 1\)/);
    assert.equal((await sandbox.current.list('user', 'list'))[0]?.['username'], 'ada');
  });

  it('ends without a message when the reader of its output closes the pipe', async () => {
    const child = spawn(process.execPath, ['bin/errgate.js', '--help'], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.stdout.destroy();
    assert.deepEqual(await once(child, 'close'), [0, null]);
    assert.equal(errors, '');
  });

  it('asks on a terminal before it deletes a project, and accepts only its path as confirmation', async () => {
    const errgate = sandbox.current;
    await errgate.done('project', 'create', 'acme/shop');
    const refused = await errgate.runWith(typed('yes\n'), 'project', 'delete', 'acme/shop');
    assert.deepEqual([refused.code, refused.stdout], [1, '']);
    assert.match(refused.stderr, /removes acme\/shop and all its errors\. Type its path.*nothing was deleted\n$/);
    assert.equal((await errgate.list('project', 'list')).length, 1);
    const confirmed = await errgate.runWith(typed('acme/shop\n'), 'project', 'delete', 'acme/shop');
    assert.deepEqual([confirmed.code, confirmed.stdout], [0, 'deleted project acme/shop (id 1)\n']);
    assert.equal((await errgate.list('project', 'list')).length, 0);
  });

  it('separates calls that run at the same time in one process', async () => {
    const errgate = sandbox.current;
    const [unhealthy, version, other] = await Promise.all([
      // A data dir of its own: the last call makes that of the others.
      callErrgate(['doctor'], { ERRGATE_DATA_DIR: join(errgate.folder, 'none') }),
      errgate.run('--version'),
      errgate.runWith('short', 'user', 'create', 'ada', '--password-stdin'),
    ]);
    assert.deepEqual([unhealthy.code, version.code, other.code], [1, 0, 1]);
    assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
    assert.match(other.stderr, /too short \(minimum is 8 characters\)/);
    assert.doesNotMatch(unhealthy.stdout + unhealthy.stderr, /too short \(minimum is 8 characters\)/);
  });
});
