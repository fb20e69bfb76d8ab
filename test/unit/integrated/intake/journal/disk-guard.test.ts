import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { DiskGuard } from '../../../../../src/integrated/intake/journal/disk-guard.ts';

describe('disk guard', () => {
  it('gives a reason while the disk is too full, and none when it is not', async () => {
    let free = 500;
    const guard = new DiskGuard({ path: '/d', minFreeBytes: 1000, freeBytes: async () => free });
    await guard.start();
    assert.match(guard.reason() ?? '', /500 bytes.*minFreeDiskBytes \(1000\)/);
    free = 1000;
    assert.equal(await guard.check(), null);
    assert.equal(guard.reason(), null);
    await guard.stop();
  });

  it('does not stop the intake when the file system cannot be asked', async () => {
    const guard = new DiskGuard({ path: '/d', minFreeBytes: 1, freeBytes: () => Promise.reject(new Error('no')) });
    assert.equal(await guard.check(), null);
  });

  it('asks the real file system', async () => {
    const never = new DiskGuard({ path: tmpdir(), minFreeBytes: 0 });
    assert.equal(await never.check(), null);
    const always = new DiskGuard({ path: tmpdir(), minFreeBytes: Number.MAX_SAFE_INTEGER });
    assert.match((await always.check()) ?? '', /Free disk/);
  });
});
