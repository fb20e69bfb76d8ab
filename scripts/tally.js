/** Reads what one mocha run left behind: counts, names of failed tests, and why it failed if no test did. */
import { readFileSync } from 'node:fs';
import { normalize } from 'node:path/posix';

/** Most names of failed tests that are printed at the end. */
const MOST_NAMES = 50;

function readFile(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Mocha ended before its reporter wrote the file.
    return { passed: 0, failed: 0, skipped: 0, seconds: {}, failures: [] };
  }
}

/**
 * Reads the tally that `test/support/tally-reporter.cjs` wrote to `file`. `ended` has exit code and signal of mocha,
 * `args` its arguments, some of which name test files. A run that failed without a failed test counts as one failure, which names exit
 * code, signal and the files that ran no test: mocha takes a file without tests for a failure and does not name it.
 */
export function readTally(file, ended, args) {
  const tally = readFile(file);
  if (ended.code === 0 || tally.failed > 0) return tally;
  const files = args.filter((arg) => arg.endsWith('.test.ts') && !arg.includes('*')).map(normalize);
  const without = files.filter((name) => !(name in tally.seconds));
  const how = ended.signal === null ? `exit code ${ended.code}` : `signal ${ended.signal}`;
  const where = without.length === 0 ? '' : `; files that ran no test: ${without.join(', ')}`;
  return { ...tally, failed: 1, failures: [`mocha ended with ${how} although no test failed${where}`] };
}

/** Lines for the end of the output: the names of failed tests, at most 50. Empty if there are none. */
export function failureLines(failures) {
  if (failures.length === 0) return [];
  const left = failures.length - MOST_NAMES;
  return [
    'failed:',
    ...failures.slice(0, MOST_NAMES).map((name) => `  ${name}`),
    ...(left > 0 ? [`  and ${left} more`] : []),
  ];
}
