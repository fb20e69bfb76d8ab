import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildOnce } from '../../support/cli-process.ts';
import { useCliSandbox } from '../../support/cli-sandbox.ts';
import { startServiceHere } from '../../support/service-here.ts';
import { startServiceProcess } from '../../support/service-process.ts';

const CURE =
  /put the former file back, or restore a backup with `errgate restore FILE`; to start with an empty store, move/;

describe('a store that was lost', () => {
  const sandbox = useCliSandbox();
  const inDataDir = (name: string) => join(sandbox.current.dataDir, name);
  const storeFile = () => inDataDir('errgate.db');

  /** A data dir whose store held a project, but no event, and no first start. */
  async function fill(): Promise<void> {
    await sandbox.current.done('project', 'create', 'acme/shop');
  }
  /** Puts a store in place of the file that is new and empty. */
  async function replaceByEmpty(): Promise<void> {
    const errgate = sandbox.current;
    rmSync(storeFile(), { force: true });
    const env = errgate.env;
    errgate.env = { ...env, ERRGATE_DATA_DIR: join(errgate.folder, 'new') };
    await errgate.done('migrate');
    errgate.env = env;
    renameSync(join(errgate.folder, 'new', 'errgate.db'), storeFile());
  }

  it('is noted to be in use by the first command that fills it, in a private file', async () => {
    const errgate = sandbox.current;
    await errgate.done('migrate');
    await errgate.done('user', 'list');
    assert.equal(existsSync(inDataDir('store.json')), false);
    await errgate.done('user', 'create', 'ada');
    assert.equal(statSync(inDataDir('store.json')).mode & 0o777, 0o600);
    const noted = readFileSync(inDataDir('store.json'), 'utf8');
    const { url, in_use_since: since } = JSON.parse(noted) as { url: string; in_use_since: string };
    assert.equal(url, 'sqlite:');
    assert.ok(Math.abs(Date.parse(since) - Date.now()) < 60_000);
    await fill();
    assert.equal(readFileSync(inDataDir('store.json'), 'utf8'), noted);
  });

  it('stops every command that needs it, and none makes a file in its place', async () => {
    const errgate = sandbox.current;
    await fill();
    const commands = [
      ['project', 'create', 'acme/till'],
      ['user', 'create', 'bob'],
      ['project', 'list'],
      ['quarantine', 'replay'],
      ['backup', join(errgate.folder, 'backup.db')],
      ['migrate'],
      ['copy-store', '--to', 'mongodb://127.0.0.1:1/x'],
    ];
    rmSync(storeFile());
    for (const command of commands) await errgate.fails(1, /errgate\.db is missing, but its data dir/, ...command);
    assert.equal(existsSync(storeFile()), false);
    await replaceByEmpty();
    for (const command of commands) {
      await errgate.fails(1, /errgate\.db is empty, but its data dir has been in use/, ...command);
    }
    await errgate.fails(1, CURE, 'project', 'list');
    assert.equal(existsSync(join(errgate.folder, 'backup.db')), false);
  });

  it('is a failure for doctor, with the cure as its advice', async () => {
    const errgate = sandbox.current;
    await fill();
    const finding = async () => {
      const { code, stdout } = await errgate.run('doctor', '--json');
      assert.equal(code, 1);
      const { checks } = JSON.parse(stdout) as {
        checks: { check: string; status: string; message: string; advice: string }[];
      };
      return checks.find(({ check }) => check === 'store') ?? assert.fail();
    };
    rmSync(storeFile());
    assert.match(
      (await finding()).message,
      /is missing, but its data dir has been in use \(store\.json says so, since/,
    );
    await replaceByEmpty();
    const { status, message, advice } = await finding();
    assert.equal(status, 'fail');
    assert.match(message, /is empty, but its data dir has been in use/);
    assert.match(advice, CURE);
  });

  it('is cured by the former file, by a backup, and by another or an emptied data dir', async () => {
    const errgate = sandbox.current;
    const paths = async () => (await errgate.list('project', 'list')).map(({ path }) => path);
    const [backup, kept] = [join(errgate.folder, 'backup.db'), join(errgate.folder, 'kept.db')];
    await fill();
    await errgate.done('backup', backup);
    renameSync(storeFile(), kept);
    await errgate.fails(1, CURE, 'project', 'list');
    renameSync(kept, storeFile());
    assert.deepEqual(await paths(), ['acme/shop']);

    await replaceByEmpty();
    await errgate.fails(1, CURE, 'project', 'list');
    await errgate.done('restore', backup);
    assert.deepEqual(await paths(), ['acme/shop']);

    rmSync(storeFile());
    renameSync(errgate.dataDir, join(errgate.folder, 'former'));
    mkdirSync(errgate.dataDir);
    await errgate.done('project', 'create', 'acme/new');
    assert.deepEqual(await paths(), ['acme/new']);
  });

  it('is none where everything was deleted on purpose', async () => {
    await fill();
    await sandbox.current.done('project', 'delete', 'acme/shop', '--yes');
    assert.deepEqual(await sandbox.current.list('project', 'list'), []);
    await fill();
  });

  it('is named by its address where another one is configured', async () => {
    const errgate = sandbox.current;
    const elsewhere = join(errgate.folder, 'elsewhere.db');
    errgate.env['ERRGATE_STORE_URL'] = `sqlite:${elsewhere}`;
    await fill();
    delete errgate.env['ERRGATE_STORE_URL'];
    await errgate.fails(1, /set ERRGATE_STORE_URL to sqlite:\S+elsewhere\.db again/, 'project', 'list');
    renameSync(elsewhere, storeFile());
    await errgate.done('project', 'create', 'acme/till');
    assert.match(readFileSync(inDataDir('store.json'), 'utf8'), /"url":"sqlite:"/);
  });

  it('may go unnoticed where its use cannot be noted, which is a warning', async () => {
    const errgate = sandbox.current;
    await fill();
    rmSync(inDataDir('store.json'));
    mkdirSync(inDataDir('store.json'));
    const { code, stderr } = await errgate.run('project', 'create', 'acme/till');
    assert.equal(code, 0);
    assert.match(stderr, /store\.json cannot be written, so a loss of the store may go unnoticed: /);
  });

  describe('beside a service', function () {
    this.timeout(300_000);
    before(buildOnce);

    // Processes of their own: handles of an ended one inside this process would keep locks on the emptied file.
    const start = (env: NodeJS.ProcessEnv) =>
      startServiceProcess(sandbox.current.dataDir, { ERRGATE_MIN_FREE_DISK: '1', ...env });
    async function serveOnce(env: NodeJS.ProcessEnv = {}): Promise<void> {
      const service = await start(env);
      assert.equal(await service.end('SIGTERM'), 0);
    }
    /** What a start says that ends before it is ready. */
    async function refused(env: NodeJS.ProcessEnv = {}): Promise<string> {
      const service = await start(env).catch((error: unknown) => error as Error);
      if (service instanceof Error) return service.message;
      await service.end('SIGKILL');
      return assert.fail('it started');
    }

    it('stops the start, also without a first start and without an event', async () => {
      const env = { ERRGATE_BOOTSTRAP: 'false' };
      await serveOnce(env);
      assert.equal(existsSync(inDataDir('store.json')), false, 'nothing was made in it yet');
      await serveOnce(env);
      await fill();
      await serveOnce(env);
      writeFileSync(storeFile(), '');
      assert.match(await refused(env), /errgate\.db is empty, but its data dir has been in use/);
      rmSync(storeFile());
      assert.match(await refused(env), /errgate\.db is missing, but its data dir has been in use/);
      assert.equal(existsSync(storeFile()), false, 'the former file can be put back');
    });

    it('stops the start after the file of the first start was deleted', async () => {
      await serveOnce();
      rmSync(inDataDir('first-start.json'));
      writeFileSync(storeFile(), '');
      assert.match(await refused(), CURE);
    });

    it('is not suspected where an earlier version filled the store, which notes it then', async () => {
      const { dataDir } = sandbox.current;
      await (await startServiceHere(dataDir)).end('SIGTERM');
      rmSync(inDataDir('store.json'));
      rmSync(inDataDir('first-start.json'));
      await (await startServiceHere(dataDir)).end('SIGTERM');
      assert.match(readFileSync(inDataDir('store.json'), 'utf8'), /"in_use_since"/);
    });
  });
});
