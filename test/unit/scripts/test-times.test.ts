import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '..', '..', '..');

type Times = Record<string, number>;
interface TestTimes {
  testFiles(root: string): string[];
  embeddedFiles(files: readonly string[]): string[];
  longestFirst(files: readonly string[], times: Times): string[];
  slowestFiles(times: Times, count: number): string[];
  readTimes(file: string): Times;
  keepTimes(file: string, times: Times): void;
}

describe('times of test files', () => {
  let times: TestTimes;
  let folder: string;
  before(async () => {
    times = (await import(pathToFileURL(join(ROOT, 'scripts/test-times.js')).href)) as TestTimes;
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'errgate-times-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('order the files: the longest first, by folder where a file was not timed yet', () => {
    const files = ['test/unit/a.test.ts', 'test/unit/b.test.ts', 'test/browser/c.test.ts', 'test/drills/d.test.ts'];
    assert.deepEqual(times.longestFirst(files, { 'test/unit/b.test.ts': 30, 'test/browser/c.test.ts': 1 }), [
      'test/unit/b.test.ts',
      'test/drills/d.test.ts',
      'test/browser/c.test.ts',
      'test/unit/a.test.ts',
    ]);
  });

  it('lose no test file', () => {
    const files = times.testFiles(ROOT);
    assert.ok(files.includes(relative(ROOT, import.meta.filename).replaceAll('\\', '/')));
    assert.deepEqual(times.longestFirst(files, {}).sort(), files);
  });

  it('leave units, contracts and the REST API to the embedded suites', () => {
    const embedded = ['test/unit/a.test.ts', 'test/contract/sqlite-a.test.ts', 'test/integration/api/a.test.ts'];
    const others = ['test/contract/mongo-a.test.ts', 'test/integration/cli/a.test.ts', 'test/component/a.test.ts'];
    assert.deepEqual(times.embeddedFiles([...embedded, ...others]), embedded);
  });

  it('are kept from run to run, each file by itself', () => {
    const file = join(folder, 'cache', 'times.json');
    assert.deepEqual(times.readTimes(file), {});
    times.keepTimes(file, { a: 1, b: 2 });
    times.keepTimes(file, { b: 3 });
    assert.deepEqual(times.readTimes(file), { a: 1, b: 3 });
    writeFileSync(file, '{"a":');
    assert.deepEqual(times.readTimes(file), {});
  });

  it('are printed in seconds, the slowest first', () => {
    assert.deepEqual(times.slowestFiles({ a: 0.04, b: 61.26, c: 3 }, 2), ['   61.3  b', '    3.0  c']);
  });

  for (const mode of [['--parallel', '--jobs', '2'], []]) {
    it(`are those of tests and hooks of each file${mode.length === 0 ? '' : ', run side by side too'}`, () => {
      const wait = (ms: number): string => `async () => { await new Promise((done) => setTimeout(done, ${ms})); }`;
      const [first, second] = [join(folder, 'first.cjs'), join(folder, 'second.cjs')];
      writeFileSync(
        first,
        `describe('a', () => { before(${wait(500)}); it('b', ${wait(500)}); it.skip('c', () => {}); });`,
      );
      writeFileSync(second, `it('d', ${wait(50)}); it('e', () => { throw new Error('wanted'); });`);
      const tally = join(folder, 'tally.json');
      const reporter = join(ROOT, 'test/support/tally-reporter.cjs');
      const mocha = join(ROOT, 'node_modules/mocha/bin/mocha.js');
      const args = ['--no-config', ...mode, '--reporter', reporter, '--reporter-option', `tally=${tally}`];
      spawnSync(process.execPath, [mocha, ...args, first, second], { cwd: folder });
      const { seconds, ...counts } = JSON.parse(readFileSync(tally, 'utf8')) as { seconds: Times };
      assert.deepEqual(counts, { passed: 2, failed: 1, skipped: 1, failures: ['second.cjs: e (wanted)'] });
      assert.deepEqual(Object.keys(seconds).sort(), ['first.cjs', 'second.cjs']);
      const { 'first.cjs': longer = 0, 'second.cjs': shorter = 0 } = seconds;
      // A timer may fire a millisecond early.
      assert.ok(longer >= 0.99 && shorter >= 0.045 && shorter < longer, JSON.stringify(seconds));
    });
  }
});
