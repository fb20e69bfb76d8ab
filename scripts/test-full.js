/** Every drill at full size and the whole table of SDKs; what they measured is kept in bench/results/. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeResultTables } from './result-tables.ts';

/** Read by the drills themselves, which are smaller without. */
const FULL_SIZE = {
  ERRGATE_TEST_CRASH_ROUNDS: '50',
  ERRGATE_TEST_FLOOD_REQUESTS: '50000',
  ERRGATE_TEST_FUZZ_REQUESTS: '200000',
  ERRGATE_TEST_MONGO_KILLS: '10',
  ERRGATE_TEST_MONGO_AWAY_SECONDS: '60',
  ERRGATE_TEST_MONGO_FAULTS: '200',
  ERRGATE_TEST_RETENTION_EVENTS: '1000',
  ERRGATE_TEST_SDKS: 'all',
};

const rows = mkdtempSync(join(tmpdir(), 'errgate-results-'));
try {
  const { status } = spawnSync(process.execPath, ['scripts/test.js', ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...FULL_SIZE, ...process.env, ERRGATE_TEST_RESULTS: rows },
  });
  for (const file of writeResultTables(rows, 'bench/results', new Date())) console.log(`made ${file}`);
  process.exitCode = status ?? 1;
} finally {
  rmSync(rows, { recursive: true, force: true });
}
