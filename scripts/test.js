/**
 * `npm test`: builds, runs all suites, prints the failed tests, the ten slowest files and the line
 * `N passed, N failed, N skipped`. Several test files run in parallel, the longest first: with a database, first those
 * that may need it, then those of the browser beside the one that stops it. Files that measure run alone at the end. No
 * test runs a second time. `--embedded` runs only what the embedded store needs (`npm run test:embedded`); other
 * arguments go to mocha and run everything sequentially in one process.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, buildIsFresh, canBuild, TESTED_PARTS } from './build.js';
import { dropLeftDatabases } from './left-databases.js';
import { failureLines, readTally } from './tally.js';
import { embeddedFiles, keepTimes, longestFirst, readTimes, slowestFiles, testFiles } from './test-times.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const timesFile = join(root, '.cache', 'test-times.json');
/**
 * Test files that run at a time: two more than processors, because tests that wait for a database, a tool or a timer
 * leave theirs to others. At most 4, which the time limits of the tests bear. `ERRGATE_TEST_JOBS` sets another number.
 */
const JOBS = Number(process.env.ERRGATE_TEST_JOBS ?? Math.min(4, availableParallelism() + 2));

/** Files that measure time, process memory or load. */
const ALONE = [
  'test/browser/speed.test.ts',
  'test/drills/connections.test.ts',
  'test/unit/integrated/digest/group/v1/parameterise.test.ts',
  'test/unit/integrated/digest/group/v2/generated-ids.test.ts',
  'test/integration/ingest/compression-bombs.test.ts',
];

/** Stops the database, and therefore runs beside files that need none. */
const STOPS_DATABASE = 'test/drills/mongo-engine.test.ts';
/** Folders of suites that share services of a process, and need no database. */
const NEED_NO_DATABASE = ['test/browser/', 'test/component/'];

/** Distinguishes the databases of this run. */
const run = String(process.pid);

const given = process.argv.slice(2);
const onlyEmbedded = given.length === 1 && given[0] === '--embedded';
const runsAll = given.length === 0;

/** Groups of files, one mocha run each. Later groups run even if earlier ones failed. */
function phases() {
  if (!runsAll && !onlyEmbedded) {
    const namesFiles = given.some((arg) => !arg.startsWith('-') && arg.includes('.test.'));
    return [['--sort', ...(namesFiles ? given : ['test/**/*.test.ts', ...given])]];
  }
  const times = readTimes(timesFile);
  const parallel = (files) => ['--parallel', '--jobs', String(JOBS), ...longestFirst(files, times)];
  const together = testFiles(root).filter((file) => !ALONE.includes(file));
  if (onlyEmbedded) return [parallel(embeddedFiles(together))];
  const alone = ['--sort', ...ALONE];
  // Without a database none can be stopped. One group has one start and one end at which a processor has nothing to do.
  if (process.env.ERRGATE_TEST_MONGODB_URI === undefined) return [parallel(together), alone];
  const beside = (file) => file === STOPS_DATABASE || NEED_NO_DATABASE.some((folder) => file.startsWith(folder));
  return [parallel(together.filter((file) => !beside(file))), parallel(together.filter(beside)), alone];
}

function runMocha(tallyFile, args) {
  const mocha = spawn(
    process.execPath,
    [
      join(root, 'node_modules', 'mocha', 'bin', 'mocha.js'),
      '--reporter',
      join(root, 'test', 'support', 'tally-reporter.cjs'),
      '--reporter-option',
      `tally=${tallyFile}`,
      ...args,
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, ERRGATE_TEST_RUN: run } },
  );
  return new Promise((resolve, reject) => {
    mocha.once('error', reject);
    mocha.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

// The suites of the database say that they are skipped.
if (onlyEmbedded) delete process.env.ERRGATE_TEST_MONGODB_URI;

const folder = mkdtempSync(join(tmpdir(), 'errgate-tally-'));
const sum = { passed: 0, failed: 0, skipped: 0 };
const seconds = {};
const failures = [];
if (buildIsFresh(TESTED_PARTS) || (canBuild() && (await build({ parts: TESTED_PARTS })))) {
  for (const [index, args] of phases().entries()) {
    const file = join(folder, `tally-${index}.json`);
    const ended = await runMocha(file, args);
    const tally = readTally(file, ended, args);
    for (const key of Object.keys(sum)) sum[key] += tally[key];
    Object.assign(seconds, tally.seconds);
    failures.push(...tally.failures);
  }
  // A partial run is not representative, so its durations are not saved.
  if (runsAll) keepTimes(timesFile, seconds);
} else {
  console.error('errgate: the build failed, no test was run');
  sum.failed = 1;
}
rmSync(folder, { recursive: true, force: true });
const { ERRGATE_TEST_MONGODB_URI: engine } = process.env;
if (engine !== undefined) await dropLeftDatabases(engine, run);
console.log([...failureLines(failures), 'the slowest files, in seconds:', ...slowestFiles(seconds, 10)].join('\n'));
console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
process.exitCode = sum.failed === 0 ? 0 : 1;
