import assert from 'node:assert/strict';
import fs, {
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeJournalFiles as files } from '../../../../../src/integrated/intake/journal/node-files.ts';
import { digestAll, makeLoop, openJournal, record } from '../../../../support/journal-world.ts';
import { mountsOf, withMounts } from '../../../../support/fake-mounts.ts';
import { MemoryBatchStore } from '../../../../support/memory-batch-store.ts';

describe('journal files of Node', () => {
  let dir: string;
  beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'errgate-files-'))));
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it('makes nested directories that only the owner may enter', async () => {
    await files.makeDir(join(dir, 'a/b/c'));
    await files.makeDir(join(dir, 'a/b/c'));
    assert.equal(statSync(join(dir, 'a/b/c')).mode & 0o777, 0o700);
  });

  it('appends many buffers in order, more than one system call takes', async () => {
    const path = join(dir, 'file');
    const file = await files.create(path);
    const buffers = Array.from({ length: 3000 }, (_, i) => Buffer.from(`${i},`));
    await file.append(buffers);
    await file.append([Buffer.from('end')]);
    await file.sync();
    await file.close();
    assert.equal(readFileSync(path, 'utf8'), `${Buffer.concat(buffers).toString()}end`);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    await assert.rejects(files.create(path), { code: 'EEXIST' });
  });

  it('writes many buffers at once, so that a synced write waits for the disk once', async () => {
    const { writev } = fs;
    const written: number[] = [];
    fs.writev = Object.assign((...args: Parameters<typeof writev>) => {
      written.push(args[1].length);
      writev(...args);
    }, writev);
    syncBuiltinESMExports();
    try {
      const file = await files.create(join(dir, 'file'), 'synced');
      await file.append(Array.from({ length: 1024 }, () => Buffer.from('a')));
      await file.append(Array.from({ length: 1025 }, () => Buffer.from('b')));
      await file.close();
    } finally {
      fs.writev = writev;
      syncBuiltinESMExports();
    }
    assert.deepEqual(written, [1024, 1]);
    assert.equal(readFileSync(join(dir, 'file'), 'utf8'), 'a'.repeat(1024) + 'b'.repeat(1025));
  });

  it('makes every append of a synced file durable', async function () {
    // Only Linux has the flag, and shows how a file is open.
    if (process.platform !== 'linux') this.skip();
    const openedWith = (path: string) => {
      const fd = readdirSync('/proc/self/fd').find((name) => {
        const link = join('/proc/self/fd', name);
        return existsSync(link) && readlinkSync(link) === path;
      });
      return Number.parseInt(/^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1] ?? '', 8);
    };
    const calls = await countDatasync(dir);
    try {
      for (const [name, flagged] of [
        ['ext4', true],
        ['xfs', true],
        ['fuse.sshfs', false],
        ['9p', false],
        ['', false],
      ] as const) {
        for (const synced of ['synced', undefined] as const) {
          const path = join(dir, `${name} ${synced}`);
          const file = await withMounts(name === '' ? 'nothing' : mountsOf(name), () => files.create(path, synced));
          assert.equal((openedWith(path) & constants.O_DSYNC) !== 0, flagged && synced !== undefined, name);
          const before = calls.count;
          await file.append([Buffer.from('a'), Buffer.from('b')]);
          assert.equal(calls.count - before, synced !== undefined && !flagged ? 1 : 0, name);
          assert.equal(readFileSync(path, 'utf8'), 'ab');
          await file.close();
        }
      }
    } finally {
      calls.end();
    }
  });

  it('reads parts, and less at the end', async () => {
    const path = join(dir, 'file');
    writeFileSync(path, '0123456789');
    assert.equal(await files.size(path), 10);
    assert.equal((await files.read(path, 3, 4)).toString(), '3456');
    assert.equal((await files.read(path, 8, 100)).toString(), '89');
    assert.equal((await files.read(path, 20, 5)).length, 0);
    assert.equal((await files.readAll(path))?.toString(), '0123456789');
  });

  it('replaces, renames, removes, lists', async () => {
    const path = join(dir, 'b');
    await files.replace(path, Buffer.from('one'));
    await files.replace(path, Buffer.from('two'));
    assert.equal(readFileSync(path, 'utf8'), 'two');
    await files.rename(path, join(dir, 'a'));
    writeFileSync(path, '');
    await files.syncFile(path);
    await files.syncDir(dir);
    assert.deepEqual(await files.list(dir), ['a', 'b']);
    await files.remove(path);
    await files.remove(path);
    assert.deepEqual(await files.list(dir), ['a']);
    assert.deepEqual(await files.list(join(dir, 'none')), []);
    assert.equal(await files.readAll(join(dir, 'none')), null);
  });

  it('carries a journal from append to store, over a restart', async () => {
    const store = new MemoryBatchStore();
    const where = { dir: join(dir, 'journal') };
    const there = { ...where, quarantineDir: join(dir, 'quarantine') };
    const journal = await openJournal(files, { ...where, segmentBytes: 4000 });
    const loop = makeLoop(files, store, there);
    loop.start();
    await Promise.all(Array.from({ length: 100 }, (_, i) => journal.append([record(i)])));
    loop.advance(journal.position());
    await loop.idle();
    assert.equal(store.counted.size, 100);
    await Promise.all(Array.from({ length: 50 }, (_, i) => journal.append([record(1000 + i)])));
    await loop.stop();
    await digestAll(files, store, there);
    assert.equal(store.counted.size, 150);
    assert.equal(store.duplicates, 0);
  });
});

/** Counts calls of `fdatasync` by the file handles of this process until `end`. */
async function countDatasync(dir: string) {
  const handle = await open(dir);
  const handles = Object.getPrototypeOf(handle) as Pick<FileHandle, 'datasync'>;
  await handle.close();
  const { datasync } = handles;
  const calls = { count: 0, end: () => void (handles.datasync = datasync) };
  handles.datasync = function (this: FileHandle) {
    calls.count += 1;
    return datasync.call(this);
  };
  return calls;
}
