import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '..', '..', '..');

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
}
interface Tally {
  readonly failed: number;
  readonly failures: readonly string[];
}
interface Tallies {
  readTally(file: string, ended: Ended, args: readonly string[]): Tally;
  failureLines(failures: readonly string[]): string[];
}

describe('tally of a test run', () => {
  let tallies: Tallies;
  let folder: string;
  before(async () => {
    tallies = (await import(pathToFileURL(join(ROOT, 'scripts/tally.js')).href)) as Tallies;
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'errgate-tally-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  /** Runs mocha on two files at a time, as `npm test` does, and reads the tally. */
  function run(files: Readonly<Record<string, string>>): Tally {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const tally = join(folder, 'tally.json');
    const args = [
      ...['--no-config', '--parallel', '--jobs', '2', '--fail-zero', '--extension', 'ts'],
      ...['--reporter', join(ROOT, 'test/support/tally-reporter.cjs'), '--reporter-option', `tally=${tally}`],
      ...Object.keys(files),
    ];
    const { status, signal } = spawnSync(process.execPath, [join(ROOT, 'node_modules/mocha/bin/mocha.js'), ...args], {
      cwd: folder,
    });
    return tallies.readTally(tally, { code: status, signal }, args);
  }

  it('names the file whose lack of tests fails the run', () => {
    const { failed, failures } = run({
      'full.test.ts': "it('a', () => {});",
      'empty.test.ts': "describe('b', () => {});",
    });
    assert.equal(failed, 1);
    assert.deepEqual(failures, [
      'mocha ended with exit code 1 although no test failed; files that ran no test: empty.test.ts',
    ]);
  });

  it('names failed tests and hooks, and rejections that no test caught, with their files and reasons', () => {
    const { failed, failures } = run({
      'test.test.ts': "describe('a', () => { it('b', () => { throw new Error('wanted\\nmore'); }); });",
      'hook.test.ts': "describe('c', () => { before('d', () => { throw new Error('wanted'); }); it('e', () => {}); });",
      'late.test.ts': "it('f', () => { setImmediate(() => { throw new Error('wanted'); }); });",
    });
    assert.equal(failed, 3);
    assert.deepEqual([...failures].sort(), [
      'hook.test.ts: c › "before all" hook: d for "e" (wanted)',
      'late.test.ts: f (wanted)',
      'test.test.ts: a › b (wanted)',
    ]);
  });

  it('tells the signal that ended mocha, and leaves a run alone that ended well', () => {
    const file = join(folder, 'none.json');
    const args = ['--sort', './test/a.test.ts', 'test/**/*.test.ts'];
    assert.deepEqual(tallies.readTally(file, { code: null, signal: 'SIGKILL' }, args).failures, [
      'mocha ended with signal SIGKILL although no test failed; files that ran no test: test/a.test.ts',
    ]);
    assert.equal(tallies.readTally(file, { code: 0, signal: null }, args).failed, 0);
  });

  it('prints at most fifty names', () => {
    assert.deepEqual(tallies.failureLines([]), []);
    const lines = tallies.failureLines(Array.from({ length: 52 }, (_, index) => `t${index}`));
    assert.deepEqual([lines[0], lines[1], lines.length, lines.at(-1)], ['failed:', '  t0', 52, '  and 2 more']);
  });
});
