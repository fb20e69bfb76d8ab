import assert from 'node:assert/strict';
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRoot } from '../../support/doc-pages.ts';

const UNIT = readRoot('deploy/systemd/errgate.service');
/** Exposure in tenths, as `systemd-analyze security` rates it: 0 to 100. */
const MAX_EXPOSURE = 20;

describe('the unit for systemd', () => {
  let folder: string;
  let file: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'errgate-unit-'));
    file = join(folder, 'errgate.service');
    writeFileSync(file, UNIT);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  function analyze(context: Mocha.Context, ...args: string[]): SpawnSyncReturns<string> {
    const found = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    if (found.error !== undefined) {
      console.log('      SKIPPED unit of systemd: systemd-analyze is missing here');
      context.skip();
    }
    return found;
  }

  it('is understood without a warning', function () {
    const { status, stdout, stderr } = analyze(this, 'verify', file);
    assert.deepEqual([status, stdout, stderr], [0, '', '']);
  });

  it('exposes little of the system', function () {
    const threshold = `--threshold=${MAX_EXPOSURE}`;
    const { status, stdout, stderr } = analyze(this, 'security', '--offline=yes', '--no-pager', threshold, file);
    assert.equal(status, 0, stdout + stderr);
  });

  it('waits longer for the end than the service takes', () => {
    const { server } = JSON.parse(readRoot('config/default.json')) as { server: { shutdownTimeoutMs: number } };
    const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(UNIT) ?? [];
    assert.ok(Number(seconds) * 1000 >= 2 * server.shutdownTimeoutMs, seconds);
  });
});
