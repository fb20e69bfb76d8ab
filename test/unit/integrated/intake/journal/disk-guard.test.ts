import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { DiskGuard } from '../../../../../src/integrated/intake/journal/disk-guard.ts';
import type { Logger } from '../../../../../src/observability/logger.ts';

describe('disk guard', () => {
  let logged: string[];
  const logger = {
    warn: (...line: unknown[]) => void logged.push(String(line.at(-1))),
    info: (...line: unknown[]) => void logged.push(String(line.at(-1))),
  } as Pick<Logger, 'warn' | 'info'>;
  beforeEach(() => {
    logged = [];
  });

  it('logs once that events are refused, and once that they are accepted again', async () => {
    let free = 500;
    const guard = new DiskGuard({ path: '/d', minFreeBytes: 1000, logger, freeBytes: async () => free });
    await guard.check();
    await guard.check();
    assert.deepEqual(logged, ['disk almost full: events are refused; free some space']);
    free = 1000;
    await guard.check();
    await guard.check();
    assert.deepEqual(logged.slice(1), ['the disk has enough space again: events are accepted']);
  });

  it('gives a reason while the disk is too full, and none when it is not', async () => {
    let free = 500;
    const guard = new DiskGuard({ path: '/d', minFreeBytes: 1000, logger, freeBytes: async () => free });
    await guard.start();
    assert.match(guard.reason() ?? '', /500 bytes.*minFreeDiskBytes \(1000\)/);
    free = 1000;
    assert.equal(await guard.check(), null);
    assert.equal(guard.reason(), null);
    await guard.stop();
  });

  it('does not stop the intake when the file system cannot be asked', async () => {
    const guard = new DiskGuard({
      path: '/d',
      minFreeBytes: 1,
      logger,
      freeBytes: () => Promise.reject(new Error('no')),
    });
    assert.equal(await guard.check(), null);
  });

  it('asks the real file system', async () => {
    const never = new DiskGuard({ path: tmpdir(), minFreeBytes: 0, logger });
    assert.equal(await never.check(), null);
    const always = new DiskGuard({ path: tmpdir(), minFreeBytes: Number.MAX_SAFE_INTEGER, logger });
    assert.match((await always.check()) ?? '', /Free disk/);
  });
});
