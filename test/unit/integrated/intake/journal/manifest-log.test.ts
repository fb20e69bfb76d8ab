import assert from 'node:assert/strict';
import {
  ManifestLog,
  openingManifest,
  readLastManifest,
} from '../../../../../src/integrated/intake/journal/manifest-log.ts';
import type { BatchManifest } from '../../../../../src/integrated/intake/journal/manifest-log.ts';
import { SimulatedDisk, failure } from '../../../../support/simulated-disk.ts';

const first = openingManifest(1, 0);

function manifest(n: number): BatchManifest {
  return { ...first, n, hash: 'ab'.repeat(16), from: n * 10, to: n * 10 + 10, count: 2, excluded: [1] };
}

describe('manifest log', () => {
  it('remembers the last manifest', async () => {
    const disk = new SimulatedDisk();
    assert.equal(await readLastManifest(disk, '/j'), null);
    const log = new ManifestLog(disk, '/j');
    for (const n of [1, 2, 3]) {
      await log.write(manifest(n));
      assert.deepEqual(await readLastManifest(disk.restart('none'), '/j'), manifest(n));
    }
  });

  it('falls back to the line before one that is torn at any byte', async () => {
    const disk = new SimulatedDisk();
    const log = new ManifestLog(disk, '/j');
    await log.write(manifest(1));
    const path = `/j/seals/${(await disk.list('/j/seals'))[0]!}`;
    const before = await disk.size(path);
    await log.write(manifest(2));
    // The line break is not part of what is checked.
    for (let length = (await disk.size(path)) - 2; length >= before; length -= 1) {
      disk.truncate(path, length);
      assert.deepEqual(await readLastManifest(disk, '/j'), manifest(1), `length ${length}`);
    }
  });

  it('goes on in a new file after a failed sync, and what was not synced does not count', async () => {
    const disk = new SimulatedDisk();
    const log = new ManifestLog(disk, '/j');
    await log.write(manifest(1));
    disk.fail = (operation, path) => {
      if (operation === 'sync') {
        throw failure('EIO', path);
      }
    };
    await assert.rejects(log.write(manifest(2)), { code: 'EIO' });
    await assert.rejects(log.write(manifest(2)), { code: 'EIO' });
    disk.fail = () => undefined;
    assert.deepEqual(await readLastManifest(disk.restart('none'), '/j'), manifest(1));
    await log.write(manifest(3));
    assert.deepEqual(await readLastManifest(disk.restart('none'), '/j'), manifest(3));
  });

  it('begins a new file when the old one is large, and keeps one', async () => {
    const disk = new SimulatedDisk();
    const log = new ManifestLog(disk, '/j');
    const long = { ...manifest(1), excluded: Array.from({ length: 100_000 }, (_, i) => i) };
    await log.write(long);
    const before = await disk.list('/j/seals');
    await log.write({ ...long, n: 2 });
    const after = await disk.list('/j/seals');
    assert.equal(after.length, 1);
    assert.notDeepEqual(after, before);
    assert.equal((await readLastManifest(disk, '/j'))?.n, 2);
  });

  it('gives every journal another id', () => {
    assert.match(first.journalId, /^[0-9a-f]{32}$/);
    assert.notEqual(openingManifest(0, 0).journalId, first.journalId);
  });
});
