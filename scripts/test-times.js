/** Which test files there are, how long each took, and in which order they run: the longest begin first. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Seconds that a file of a folder is taken to need until it was timed; the first entry that fits counts. */
const USUAL_SECONDS = [
  ['test/browser/', 20],
  ['test/drills/', 15],
  ['test/sdk/', 10],
  ['test/contract/', 5],
  ['test/integration/', 3],
  ['test/unit/', 0.5],
];

function usualSeconds(file) {
  return USUAL_SECONDS.find(([folder]) => file.startsWith(folder))?.[1] ?? 1;
}

/** Every test file below `root`, as a path from there with slashes, in alphabetical order. */
export function testFiles(root) {
  return readdirSync(join(root, 'test'), { recursive: true })
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.test.ts'))
    .sort();
}

/** The files with the longest first, so that none of them is still running when all others are done. */
export function longestFirst(files, times) {
  const seconds = (file) => times[file] ?? usualSeconds(file);
  return [...files].sort((a, b) => seconds(b) - seconds(a));
}

/** Lines for people: seconds and file of the slowest ones. */
export function slowestFiles(times, count) {
  const slowest = Object.entries(times)
    .sort(([, a], [, b]) => b - a)
    .slice(0, count);
  return slowest.map(([file, seconds]) => `${seconds.toFixed(1).padStart(7)}  ${file}`);
}

/** Seconds by file as an earlier run left them; empty where there was none. */
export function readTimes(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

/** Keeps the times for the next run; files that did not run this time keep theirs. */
export function keepTimes(file, times) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ ...readTimes(file), ...times }, null, 1));
}
