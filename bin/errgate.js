#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs';

const [major, minor] = process.versions.node.split('.').map(Number);
const main = new URL('../dist/src/main.js', import.meta.url);

/**
 * Maximum size of one V8 young-generation half, in MB. It is the default of V8 up to Node.js 22. Node.js 24 allows 64
 * MB, which takes the resident memory above 200 MB.
 */
const SEMI_SPACE_MB = 16;

/** Returns true for `serve` on Node.js 24 and later, unless the caller set a bound of its own. */
function needsBound() {
  const command = process.argv.slice(2).find((argument) => !argument.startsWith('-')) ?? 'serve';
  const given = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].some((option) => /semi.space.size/.test(option));
  // `execve` does not keep the channel to a parent that forked this process.
  return major >= 24 && command === 'serve' && !given && 'execve' in process && process.channel === undefined;
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
} else if (needsBound()) {
  // V8 reads this bound from its command line only, so Node.js replaces itself with the same process id.
  const options = [`--max-semi-space-size=${SEMI_SPACE_MB}`, ...process.execArgv];
  process.execve(process.execPath, [process.execPath, ...options, ...process.argv.slice(1)], process.env);
} else {
  await import(main.href);
}
