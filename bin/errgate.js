#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

const [major, minor] = process.versions.node.split('.').map(Number);
const main = new URL('../dist/src/main.js', import.meta.url);

/**
 * Options of V8 that keep the service below 200 MB of resident memory under load; figures in docs/adr/0018. V8 lets
 * each half of the young generation of each thread grow to 16 MB, since Node.js 24 to 64 MB. Maglev, on since Node.js
 * 22, holds 12 MB for its compiler.
 */
const V8_OPTIONS = ['--max-semi-space-size=4', '--no-maglev'];
/** Arenas of glibc's allocator, each with free memory of its own. The default is eight for each processor. */
const MALLOC_ARENAS = '2';

/**
 * Per cent of what lives on a heap by which it grows before it is collected again, at least 8 MB. The default of V8 is
 * up to fourfold under load: 185 to 275 MB of resident memory at 2,000 events/s. With 50 instead of 25 it was 189
 * instead of 185 MB after 20 minutes, for no less processor time. Holds for all threads.
 */
const HEAP_GROWTH_PERCENT = 25;

/**
 * Collects young objects on the thread that made them. Few survive, so that waking V8's helper threads on Node.js 20
 * costs more than they save: 4 % of the processor time of an event (docs/adr/0018). Holds for all threads.
 */
const NO_PARALLEL_SCAVENGE = '--no-parallel-scavenge';

/** Returns true when the service runs: `serve` is the command where none is named. */
function isServe() {
  return (process.argv.slice(2).find((argument) => !argument.startsWith('-')) ?? 'serve') === 'serve';
}

/** Returns true for the service on Node.js 22 and later, unless the caller bounds the young generation. */
function needsOptions() {
  const given = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].some((option) => /semi.space.size/.test(option));
  // `execve` does not keep the channel to a parent that forked this process.
  return major >= 22 && isServe() && !given && 'execve' in process && process.channel === undefined;
}

/**
 * Minimum limit of open files. Loading the program opens more than a hundred; connections of the service need far more.
 */
const MIN_OPEN_FILES = 256;

/** Reads the limit of open files from Linux; Infinity where it is unlimited or unknown. */
function openFilesLimit() {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? Infinity : Number(soft);
  } catch (error) {
    return error.code === 'EMFILE' ? 0 : Infinity;
  }
}

const openFiles = openFilesLimit();

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`errgate: Node.js 20.19 or newer is needed, this is ${process.versions.node}`);
  process.exitCode = 1;
} else if (openFiles < MIN_OPEN_FILES) {
  console.error(
    `errgate: this process may open ${openFiles} files, at least ${MIN_OPEN_FILES} are needed: raise the limit (ulimit -n 65536; LimitNOFILE= of systemd; --ulimit nofile= of Docker)`,
  );
  process.exitCode = 1;
} else if (!existsSync(main)) {
  console.error('errgate: there is no build yet; run `npm ci && npm run build` in the checkout');
  process.exitCode = 1;
} else if (needsOptions()) {
  // A process reads both when it starts, so this one is replaced: same id, same files.
  const env = { MALLOC_ARENA_MAX: MALLOC_ARENAS, ...process.env };
  process.execve(
    process.execPath,
    [process.execPath, ...V8_OPTIONS, ...process.execArgv, ...process.argv.slice(1)],
    env,
  );
} else {
  if (isServe()) {
    setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
    if (major < 22) setFlagsFromString(NO_PARALLEL_SCAVENGE);
  }
  await import(main.href);
}
