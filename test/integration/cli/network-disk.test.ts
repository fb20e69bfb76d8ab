import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findUnfitDisk } from '../../../src/storage/sqlite/files/store-disk.ts';
import { useCliSandbox } from '../../support/cli-sandbox.ts';
import { mountsOf, withMounts } from '../../support/fake-mounts.ts';
import { callServe, startServiceHere } from '../../support/service-here.ts';

const DANGER = /errgate\.db is on a network file system \(nfs4\), where SQLite can lose or damage a store/;
const CURE = /keep the data dir on a disk of this machine \(ERRGATE_DATA_DIR\), or use MongoDB \(ERRGATE_STORE_URL\)/;

interface Report {
  readonly healthy: boolean;
  readonly checks: readonly { readonly check: string; readonly status: string; readonly message: string }[];
}

describe('the embedded store on a network file system', function () {
  // Only Linux names its file systems.
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });
  const sandbox = useCliSandbox();
  const on = <T>(name: string, body: () => Promise<T>) => withMounts(mountsOf(name), body);
  const isThere = () => existsSync(join(sandbox.current.dataDir, 'errgate.db'));
  const diskFinding = async () => {
    const { checks, healthy } = JSON.parse((await sandbox.current.run('doctor', '--json')).stdout) as Report;
    return { healthy, disk: checks.find(({ check }) => check === 'store disk') ?? null };
  };

  it('is not created, by no command', async () => {
    const errgate = sandbox.current;
    await on('nfs4', async () => {
      for (const command of [['project', 'create', 'acme/shop'], ['user', 'create', 'ada'], ['migrate']]) {
        const { code, stderr } = await errgate.run(...command);
        assert.equal(code, 1, command.join(' '));
        assert.match(stderr, DANGER);
        assert.match(stderr, CURE);
      }
      const serve = await callServe(errgate.env);
      assert.equal(await serve.ended, 1);
      assert.match(serve.stderr, DANGER);
      assert.match(serve.stderr, CURE);
    });
    assert.ok(!isThere());
    assert.ok(!existsSync(join(errgate.dataDir, 'secret.key')), 'nothing was begun');
  });

  it('is not restored there, and a backup may be written there', async () => {
    const errgate = sandbox.current;
    const backup = join(errgate.folder, 'backup.db');
    await errgate.done('project', 'create', 'acme/shop');
    await on('cifs', () => errgate.done('backup', backup));
    errgate.env['ERRGATE_DATA_DIR'] = join(errgate.folder, 'other');
    const { code, stderr } = await on('cifs', () => errgate.run('restore', backup));
    assert.equal(code, 1);
    assert.match(stderr, /network file system \(cifs\)/);
    assert.ok(!existsSync(join(errgate.folder, 'other', 'errgate.db')));
    await errgate.done('restore', backup);
  });

  it('goes on when it is there already, with a warning at the start and in doctor', async () => {
    const errgate = sandbox.current;
    await errgate.done('project', 'create', 'acme/shop');
    const { healthy, disk } = await on('nfs4', diskFinding);
    assert.ok(healthy);
    assert.equal(disk?.status, 'warn');
    assert.match(disk.message, DANGER);
    const service = await on('nfs4', () => startServiceHere(errgate.dataDir));
    assert.match(service.log(), DANGER);
    await service.end('SIGTERM');
  });

  it('is told from a disk, and from a folder of the host', async () => {
    const file = join(sandbox.current.folder, 'errgate.db');
    const known = { ext4: null, overlay: null, nfs: 'network', cifs: 'network', smb3: 'network', ceph: 'network' };
    const others = { 'fuse.sshfs': 'network', '9p': 'host', virtiofs: 'host', 'fuse.fuse-overlayfs': null };
    for (const [name, kind] of Object.entries({ ...known, ...others })) {
      assert.equal((await on(name, () => findUnfitDisk(file)))?.kind ?? null, kind, name);
    }
  });
});
