import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { useCliSandbox } from '../../support/cli-sandbox.ts';

describe('exit codes and messages of errgate', () => {
  const sandbox = useCliSandbox();

  it('exits with 0 for help and version', async () => {
    const errgate = sandbox.current;
    assert.match(await errgate.done('--help'), /serve.*\(default\)/);
    assert.match(await errgate.done('--version'), /^\d+\.\d+\.\d+$/);
    assert.match(await errgate.done('member', 'add', '--help'), /<project> <user> <role>/);
    assert.equal(existsSync(join(errgate.folder, 'data')), false);
  });

  it('exits with 2 for wrong usage', async () => {
    const errgate = sandbox.current;
    await errgate.fails(2, /unknown command 'serf'\n\(Did you mean one of serve/, 'serf');
    await errgate.fails(2, /unknown option '--jsn'/, 'user', 'list', '--jsn');
    await errgate.fails(2, /missing required argument 'user'/, 'user', 'password');
    await errgate.fails(2, /too many arguments/, 'user', 'password', 'a', 'b');
    await errgate.fails(2, /too many arguments/, 'user', 'list', 'a');
    await errgate.fails(2, /Usage: errgate user/, 'user');
    await errgate.fails(2, /'42' is invalid for <username>/, 'user', 'create', '42');
    await errgate.fails(2, /Use group\/name/, 'project', 'create', 'shop');
    await errgate.fails(2, /Use on or off/, 'project', 'create', 'a/b', '--monitor', 'maybe');
    await errgate.fails(2, /at least one option/, 'project', 'set', 'a/b');
    await errgate.fails(2, /Use one of guest/, 'member', 'add', 'a/b', 'ada', 'king');
    await errgate.fails(2, /Use api or read_api/, 'token', 'create', 'ada', '--scopes', 'sudo');
    await errgate.fails(2, /2027-01-31/, 'token', 'create', 'ada', '--expires', 'never');
    await errgate.fails(2, /1 to 255/, 'key', 'create', 'a/b', '--public-key', 'a-b');
    await errgate.fails(2, /positive whole number/, 'key', 'delete', 'a/b', 'x');
    await errgate.fails(2, /--active, --integrated/, 'settings', 'set', 'a/b');
    await errgate.fails(2, /repeat with --yes/, 'project', 'delete', 'a/b');
    assert.equal(existsSync(join(errgate.folder, 'data')), false);
  });

  it('exits with 1 and one line for unknown names', async () => {
    const errgate = sandbox.current;
    await errgate.done('project', 'create', 'acme/shop');
    await errgate.done('user', 'create', 'ada');
    await errgate.fails(1, /there is no user bob/, 'user', 'block', 'bob');
    await errgate.fails(1, /there is no user 99/, 'token', 'create', '99');
    await errgate.fails(1, /there is no project acme\/none/, 'key', 'list', 'acme/none');
    await errgate.fails(1, /there is no project 99/, 'project', 'delete', '99', '--yes');
    await errgate.fails(1, /no key 99/, 'key', 'enable', 'acme/shop', '99');
    await errgate.fails(1, /there is no token 99/, 'token', 'revoke', '99');
    await errgate.fails(1, /ada is not a member/, 'member', 'remove', 'acme/shop', 'ada');
    await errgate.fails(1, /no error tracking settings yet/, 'settings', 'show', 'acme/shop');
  });

  it('lists every problem of the configuration', async () => {
    const errgate = sandbox.current;
    errgate.env['ERRGATE_PORT'] = '99999';
    errgate.env['ERRGATE_DURABILITY'] = 'maybe';
    const { code, stderr } = await errgate.run('config', 'show');
    assert.equal(code, 1);
    assert.match(stderr, /port/);
    assert.match(stderr, /durability/);
  });

  it('shows the configuration with secrets masked', async () => {
    const errgate = sandbox.current;
    errgate.env['ERRGATE_SECRET_KEY'] = 'ab'.repeat(32);
    errgate.env['ERRGATE_METRICS_TOKEN'] = 'very-secret-token';
    const shown = await errgate.done('config', 'show');
    const config = JSON.parse(shown) as { dataDir: string; secretKey: string };
    assert.equal(config.dataDir, errgate.env['ERRGATE_DATA_DIR']);
    assert.doesNotMatch(shown, /abab|very-secret/);
    assert.notEqual(config.secretKey, null);
  });

  it('prints a stack only at log level debug', async () => {
    const errgate = sandbox.current;
    await errgate.fails(1, /there is no data dir/, 'key', 'list', 'a/b');
    errgate.env['ERRGATE_LOG_LEVEL'] = 'debug';
    assert.match((await errgate.run('key', 'list', 'a/b')).stderr, /\n\s+at /);
  });

  const lookUps = [
    ['user', 'list'],
    ['user', 'block', 'ada'],
    ['project', 'list'],
    ['project', 'set', 'a/b', '--name', 'x'],
    ['key', 'list', 'a/b'],
    ['key', 'create', 'a/b'],
    ['token', 'create', 'ada'],
    ['member', 'list', 'a/b'],
    ['settings', 'show', 'a/b'],
    ['quarantine', 'list'],
    ['quarantine', 'replay'],
    ['prune'],
    ['send-test-event'],
  ];
  it('creates no data dir for commands that only read, and says where it looked', async () => {
    const errgate = sandbox.current;
    const here = new RegExp(
      `there is no data dir at ${errgate.dataDir}; set ERRGATE_DATA_DIR or start the service once`,
    );
    await Promise.all(lookUps.map((command) => errgate.fails(1, here, ...command)));
    await errgate.done('config', 'show');
    const { code, stdout } = await errgate.run('doctor');
    assert.equal(code, 1);
    assert.ok(stdout.includes(`there is no data dir at ${errgate.dataDir}`), stdout);
    await errgate.fails(1, /there is no store at/, 'backup', join(errgate.folder, 'backup.db'));
    assert.deepEqual(readdirSync(errgate.folder), []);
  }).timeout(60_000);

  it('leaves a folder unchanged that is no data dir', async () => {
    const errgate = sandbox.current;
    mkdirSync(errgate.dataDir, { mode: 0o755 });
    await errgate.fails(1, /there is no store at .*errgate\.db; set ERRGATE_DATA_DIR/, 'user', 'list');
    assert.deepEqual(readdirSync(errgate.dataDir), []);
    assert.equal(statSync(errgate.dataDir).mode & 0o777, 0o755);
  });

  it('works in a data dir of mode 0700 that it creates', async () => {
    const errgate = sandbox.current;
    await errgate.done('user', 'create', 'ada');
    assert.equal(statSync(join(errgate.folder, 'data')).mode & 0o777, 0o700);
    for (const name of readdirSync(join(errgate.folder, 'data'))) {
      assert.equal(statSync(join(errgate.folder, 'data', name)).mode & 0o077, 0, name);
    }
  });
});
