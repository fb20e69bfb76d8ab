import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildOnce, runErrgate } from '../support/cli-process.ts';
import { type FakeSource, startFakeSource } from '../support/fake-source/fake-source.ts';
import { IMPORT_TOKEN } from '../support/import-world.ts';
import { suiteInFullRun } from '../support/full-run.ts';

const ERRORS = 600;
/** Bytes of the disk: enough for a new store, and too few for all errors beside the ballast. */
const DISK = '16m';
const BALLAST_BYTES = 2 * 1024 * 1024;

interface Summary {
  readonly state: string;
  readonly message: string;
  readonly complete: boolean;
  readonly imported: number;
  readonly updated: number;
}

suiteInFullRun('import onto a full disk', function () {
  this.timeout(240_000);
  let folder: string;
  let source: FakeSource;

  before(function () {
    folder = mkdtempSync(join(tmpdir(), 'errgate-import-full-'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'errgate-test', folder], { stdio: 'pipe' });
    } catch {
      rmSync(folder, { recursive: true });
      console.log('      SKIPPED: mounting a tmpfs is not allowed here (run as root)');
      this.skip();
    }
  });
  before(async () => {
    await buildOnce();
    source = await startFakeSource('sentry');
    source.world.addToken(IMPORT_TOKEN);
    source.world.addIssues(source.world.addProject('shop'), ERRORS, (index) => ({
      title: `${index} ${'x'.repeat(300)}`,
      value: 'y'.repeat(1500),
    }));
  });
  after(async () => {
    await source.close();
    execFileSync('umount', [folder]);
    rmSync(folder, { recursive: true });
  });

  it('ends with what happened, and goes on when there is room', async () => {
    const env = { ERRGATE_DATA_DIR: folder, ERRGATE_IMPORT_TOKEN: IMPORT_TOKEN, ERRGATE_OUTBOUND_ALLOW: '127.0.0.1' };
    const run = () =>
      runErrgate(['import', '--url', source.origin, '--org', 'acme', '--only', 'keys,projects,errors', '--json'], env);
    const ballast = join(folder, 'ballast');
    writeFileSync(ballast, Buffer.alloc(BALLAST_BYTES));
    const full = await run();
    assert.equal(full.code, 1, full.stdout + full.stderr);
    const half = JSON.parse(full.stdout.trim().split('\n').at(-1) ?? '') as Summary;
    assert.match(half.message, /the disk of the store is full; free some space; run it again to go on/);
    assert.deepEqual([half.state, half.complete], ['failed', false]);
    assert.ok(half.imported > 0 && half.imported < ERRORS, `${half.imported} were imported`);
    assert.doesNotMatch(full.stdout + full.stderr, /\n\s+at /, 'no stack trace');
    rmSync(ballast);
    execFileSync('mount', ['-o', 'remount,size=256m', folder]);
    const whole = await run();
    assert.equal(whole.code, 0, whole.stdout + whole.stderr);
    const summary = JSON.parse(whole.stdout.trim().split('\n').at(-1) ?? '') as Summary;
    assert.deepEqual([summary.state, summary.complete], ['done', true]);
    assert.equal(summary.imported + summary.updated, ERRORS);
    const status = await runErrgate(['import', 'status', '--json'], env);
    assert.match(status.stdout, /"state": "done"/);
  });
});
