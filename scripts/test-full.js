/**
 * Runs every drill at full size, all SDKs, and the main suites on each later Node.js. Results are kept in
 * bench/results/. With arguments, runs only the named suites on the current Node.js.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeBinary } from './node-binary.ts';
import { writeResultTables } from './result-tables.ts';

/** Environment variables for full-size runs; tests do less without them. */
const FULL_SIZE = {
  ERRGATE_TEST_BATCH_MODEL_RUNS: '120',
  ERRGATE_TEST_CONNECTION_EVENTS: '1000',
  ERRGATE_TEST_CRASH_EVENTS: '3000',
  ERRGATE_TEST_CRASH_ROUNDS: '50',
  ERRGATE_TEST_FLOOD_ERRORS: '100000',
  ERRGATE_TEST_FLOOD_REQUESTS: '50000',
  ERRGATE_TEST_FUZZ_REQUESTS: '200000',
  ERRGATE_TEST_IMPORT_ERRORS: '10000',
  ERRGATE_TEST_IMPORT_KILLS: '20',
  ERRGATE_TEST_LOOKS: 'all',
  ERRGATE_TEST_MEMORY_EVENTS: '12000',
  ERRGATE_TEST_MONGO_KILLS: '10',
  ERRGATE_TEST_MONGO_AWAY_SECONDS: '60',
  ERRGATE_TEST_MONGO_EVENTS: '4000',
  ERRGATE_TEST_MONGO_FAULTS: '200',
  ERRGATE_TEST_ON_DISK: '1',
  ERRGATE_TEST_RETENTION_EVENTS: '1000',
  ERRGATE_TEST_MODEL_RUNS: '120',
  ERRGATE_TEST_SDKS: 'all',
  ERRGATE_TEST_SENDER_REST_MS: '0',
  ERRGATE_TEST_STORES: 'all',
  ERRGATE_TEST_SCRUB_BYTES: '1000000',
  ERRGATE_TEST_TRUE_SCRYPT: '1',
};

/** Versions for the main suites, in addition to the current one. */
const LATER_NODES = ['22', '24', '26'];
const MAIN_SUITES = ['unit', 'contract', 'integration', 'grouping'].map((folder) => `test/${folder}/**/*.test.ts`);

/** Runs the main suites on another Node.js and returns the exit code. */
function runOn(version) {
  console.log(`\nThe main suites on Node.js ${version}`);
  return spawnSync(nodeBinary(version), ['scripts/test.js', ...MAIN_SUITES], { stdio: 'inherit' }).status ?? 1;
}

const rows = mkdtempSync(join(tmpdir(), 'errgate-results-'));
try {
  const { status } = spawnSync(process.execPath, ['scripts/test.js', ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...FULL_SIZE, ...process.env, ERRGATE_TEST_RESULTS: rows },
  });
  for (const file of writeResultTables(rows, 'bench/results', new Date())) console.log(`made ${file}`);
  const codes = [status ?? 1];
  if (process.argv.length === 2) codes.push(...LATER_NODES.map(runOn));
  process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
} finally {
  rmSync(rows, { recursive: true, force: true });
}
