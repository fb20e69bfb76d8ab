/** Finds the test files, their durations and their order: the longest start first. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Estimated seconds of a file without a known duration, by folder; the first match counts. */
const USUAL_SECONDS = [
  ['test/sdk/', 60],
  ['test/drills/mongo-engine.test.ts', 90],
  ['test/drills/import-kills.test.ts', 65],
  ['test/drills/mongo-gateways.test.ts', 40],
  ['test/contract/batch-model', 60],
  ['test/contract/mongo-', 30],
  ['test/integration/store-before-blocks.test.ts', 40],
  ['test/integration/cli/serve.test.ts', 33],
  ['test/unit/alerts/crashes.test.ts', 29],
  ['test/integration/mongo/', 30],
  ['test/browser/', 18],
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
