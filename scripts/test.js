/** `npm test`: builds, runs every suite, and ends with the line `N passed, N failed, N skipped`. More arguments go to mocha. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, buildIsFresh, canBuild } from './build.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

function readTally(file, exitCode) {
  let tally = { passed: 0, failed: 0, skipped: 0 };
  try {
    tally = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Mocha ended before its reporter could write: the exit code below says so.
  }
  // A suite that could not be loaded, or an error outside any test, is a failure that no test reports.
  if (exitCode !== 0 && tally.failed === 0) tally.failed = 1;
  return tally;
}

function runMocha(tallyFile) {
  const args = process.argv.slice(2);
  const specs = args.some((arg) => !arg.startsWith('-') && arg.includes('.test.')) ? [] : ['test/**/*.test.ts'];
  const mocha = spawn(
    process.execPath,
    [
      join(root, 'node_modules', 'mocha', 'bin', 'mocha.js'),
      '--reporter',
      join(root, 'test', 'support', 'tally-reporter.cjs'),
      '--reporter-option',
      `tally=${tallyFile}`,
      ...specs,
      ...args,
    ],
    { cwd: root, stdio: 'inherit' },
  );
  return new Promise((resolve, reject) => {
    mocha.once('error', reject);
    mocha.once('exit', (code) => resolve(code ?? 1));
  });
}

const folder = mkdtempSync(join(tmpdir(), 'errgate-tally-'));
let exitCode = 1;
if (buildIsFresh() || (canBuild() && build())) exitCode = await runMocha(join(folder, 'tally.json'));
else console.error('errgate: the build failed, no test was run');
const tally = readTally(join(folder, 'tally.json'), exitCode);
rmSync(folder, { recursive: true, force: true });
console.log(`${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`);
process.exitCode = exitCode === 0 && tally.failed === 0 ? 0 : 1;
