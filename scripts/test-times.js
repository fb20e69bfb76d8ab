/** Finds the test files, their durations and their order: the longest start first. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Estimated seconds of a file without a known duration, by folder; the first match counts. */
const USUAL_SECONDS = [
  ['test/sdk/', 100],
  ['test/drills/mongo-engine.test.ts', 90],
  ['test/drills/import-kills.test.ts', 45],
  ['test/drills/mongo-gateways.test.ts', 27],
  ['test/contract/batch-model', 25],
  ['test/contract/mongo-explain.test.ts', 45],
  ['test/contract/mongo-store.test.ts', 45],
  ['test/contract/mongo-', 25],
  ['test/integration/mongo/gateway-start.test.ts', 30],
  ['test/integration/mongo/', 25],
  ['test/integration/store-before-blocks.test.ts', 40],
  ['test/integration/cli/serve.test.ts', 20],
  ['test/integration/cli/serve-process.test.ts', 20],
  ['test/integration/cli/lost-store.test.ts', 17],
  ['test/integration/import/', 10],
  ['test/integration/api/matrix.test.ts', 20],
  ['test/integration/damaged-store.test.ts', 16],
  ['test/unit/alerts/crashes.test.ts', 20],
  ['test/unit/storage/mongo/batches-on-engine.test.ts', 18],
  ['test/unit/scripts/dev.test.ts', 16],
  ['test/unit/package/packed-files.test.ts', 8],
  ['test/unit/alerts/', 5],
  ['test/browser/details-events.test.ts', 40],
  ['test/browser/start.test.ts', 36],
  ['test/browser/move-in.test.ts', 36],
  ['test/browser/error-details.test.ts', 29],
  ['test/browser/', 12],
  ['test/component/', 5],
  ['test/drills/', 18],
  ['test/contract/', 5],
  ['test/integration/', 3],
  ['test/unit/', 0.5],
];

function usualSeconds(file) {
  return USUAL_SECONDS.find(([folder]) => file.startsWith(folder))?.[1] ?? 1;
}

/** Lists the test files below `root` as relative paths with slashes, in alphabetical order. */
export function testFiles(root) {
  return readdirSync(join(root, 'test'), { recursive: true })
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.test.ts'))
    .sort();
}

/** Folders of what runs on the embedded store in this process: units, contracts and the REST API. */
const EMBEDDED = ['test/unit/', 'test/contract/', 'test/integration/api/', 'test/integration/ingest/'];
const ON_DATABASE = ['test/contract/mongo-', 'test/unit/storage/mongo/'];

/** Selects the files of suites that need no database, browser, SDK or process of its own. */
export function embeddedFiles(files) {
  const isBelow = (file) => (folder) => file.startsWith(folder);
  return files.filter((file) => EMBEDDED.some(isBelow(file)) && !ON_DATABASE.some(isBelow(file)));
}

/** Sorts the longest file first, so that no long file runs alone at the end. */
export function longestFirst(files, times) {
  const seconds = (file) => times[file] ?? usualSeconds(file);
  return [...files].sort((a, b) => seconds(b) - seconds(a));
}

/** Formats seconds and names of the slowest files. */
export function slowestFiles(times, count) {
  const slowest = Object.entries(times)
    .sort(([, a], [, b]) => b - a)
    .slice(0, count);
  return slowest.map(([file, seconds]) => `${seconds.toFixed(1).padStart(7)}  ${file}`);
}

/** Reads seconds by file from an earlier run; empty when there is none. */
export function readTimes(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

/** Saves the durations for the next run; files that did not run keep their earlier values. */
export function keepTimes(file, times) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ ...readTimes(file), ...times }, null, 1));
}
