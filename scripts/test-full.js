/**
 * Runs every drill at full size and all SDKs on Node.js 24, and the suites of `npm test` on the other versions.
 * Results are kept in bench/results/. With arguments, runs only the named suites, on the current Node.js.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { nodeBinary } from './node-binary.ts';
import { writeResultTables } from './result-tables.ts';

/** Environment variables for full-size runs; tests do less without them. */
const FULL_SIZE = {
  ERRGATE_TEST_BATCH_MODEL_RUNS: '120',
  ERRGATE_TEST_CLOCK_JUMPS: '60',
  ERRGATE_TEST_CONNECTION_EVENTS: '5000',
  ERRGATE_TEST_CRASH_EVENTS: '3000',
  ERRGATE_TEST_CRASH_ROUNDS: '50',
  ERRGATE_TEST_FLOOD_ERRORS: '100000',
  ERRGATE_TEST_FLOOD_REQUESTS: '50000',
  ERRGATE_TEST_FUZZ_REQUESTS: '200000',
  ERRGATE_TEST_FUZZ_REST_REQUESTS: '60000',
  ERRGATE_TEST_IMPORT_ERRORS: '10000',
  ERRGATE_TEST_IMPORT_KILLS: '20',
  ERRGATE_TEST_IMPORT_SEQUENCES: '60',
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

/** Version of the full-size run, which people install; then the others that errgate runs on. */
const MAIN_NODE = '24';
const OTHER_NODES = ['20', '22', '26'];

/** Runs a script on a binary of Node.js, which programs of that name then find too. Returns the exit code. */
function runOn(node, args, env = {}) {
  const path = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`;
  return spawnSync(node, args, { stdio: 'inherit', env: { ...process.env, ...env, PATH: path } }).status ?? 1;
}

/** Runs everything, or the named suites, at full size on this Node.js, and keeps the tables. Returns the exit code. */
function runFullSize(args) {
  const rows = mkdtempSync(join(tmpdir(), 'errgate-results-'));
  try {
    const env = { ...FULL_SIZE, ...process.env, ERRGATE_TEST_RESULTS: rows };
    const code = runOn(process.execPath, ['scripts/test.js', ...args], env);
    for (const file of writeResultTables(rows, 'bench/results', new Date())) console.log(`made ${file}`);
    return code;
  } finally {
    rmSync(rows, { recursive: true, force: true });
  }
}

function runAllSuitesOn(version) {
  console.log(`\nAll suites on Node.js ${version}`);
  return runOn(nodeBinary(version), ['scripts/test.js']);
}

const given = process.argv.slice(2);
if (given.length > 0) {
  process.exitCode = runFullSize(given);
} else if (process.versions.node.startsWith(`${MAIN_NODE}.`)) {
  const codes = [runFullSize([]), ...OTHER_NODES.map(runAllSuitesOn)];
  process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
} else {
  process.exitCode = runOn(nodeBinary(MAIN_NODE), ['--import=tsx', 'scripts/test-full.js']);
}
