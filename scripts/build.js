/**
 * Builds what is missing in `dist` or older than its sources; `--force` builds everything.
 * Each part is made beside and moved into place, so that a broken build never replaces a working one.
 */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const installed = (path) => join(root, 'node_modules', path);

/**
 * What a build makes: `sources` is what the tool reads (a change in any asks for a new build), `outputs` what it makes
 * inside `dist`, `finish` what is done to it, `proof` a file without which there is no build.
 */
const PARTS = [
  {
    tool: installed('typescript/bin/tsc'),
    // Types are checked by `npm run types`.
    args: (stage) => ['-p', 'tsconfig.build.json', '--noCheck', '--outDir', stage],
    sources: ['src', 'config', 'tsconfig.json', 'tsconfig.build.json', 'package.json'],
    outputs: ['src', 'config'],
    proof: 'src/main.js',
    stamp: '.built',
  },
  {
    tool: installed('vite/bin/vite.js'),
    args: (stage) => ['build', 'ui', '--outDir', join(stage, 'ui'), '--logLevel', 'warn'],
    sources: ['ui', 'tsconfig.json', 'package-lock.json'],
    outputs: ['ui'],
    finish: (stage) => compress(join(stage, 'ui')),
    proof: 'ui/index.html',
    stamp: '.built-ui',
  },
];

/** Files that a page loads and that get smaller when compressed. */
const COMPRESSIBLE = /\.(js|css|svg|json|txt|webmanifest)$/;
/** Bytes: below, a smaller file is no quicker. */
const WORTH_COMPRESSING = 1024;

/** Puts a `.br` and a `.gz` beside every file that gains from it: the service sends them as they are. */
function compress(dir) {
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !COMPRESSIBLE.test(entry.name) || statSync(file).size < WORTH_COMPRESSING) continue;
    const content = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(content));
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
}

/** Newest modification below a path, in milliseconds; folders count too, so that a removed file is noticed. */
function newest(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), stats.mtimeMs);
}

function partExists({ stamp, proof }) {
  return existsSync(join(dist, stamp)) && existsSync(join(dist, proof));
}

function partIsFresh(part) {
  if (!partExists(part)) return false;
  const built = statSync(join(dist, part.stamp)).mtimeMs;
  return part.sources.every((source) => !existsSync(join(root, source)) || newest(join(root, source)) <= built);
}

export function buildExists() {
  return PARTS.every(partExists);
}

export function buildIsFresh() {
  return PARTS.every(partIsFresh);
}

/** Whether this checkout has what a build needs: the tools and the sources. */
export function canBuild() {
  return PARTS.every(({ tool }) => existsSync(tool)) && existsSync(join(root, 'tsconfig.build.json'));
}

function buildPart({ tool, args, outputs, stamp, finish }) {
  // Sources that change while the tool reads them must count as newer than the result.
  const begun = new Date();
  const stage = join(dist, `.stage-${process.pid}`);
  mkdirSync(stage, { recursive: true });
  try {
    const result = spawnSync(process.execPath, [tool, ...args(stage)], { cwd: root, stdio: ['ignore', 2, 2] });
    if (result.status !== 0) return false;
    finish?.(stage);
    for (const output of outputs) {
      rmSync(join(dist, output), { recursive: true, force: true });
      renameSync(join(stage, output), join(dist, output));
    }
    writeFileSync(join(dist, stamp), '');
    utimesSync(join(dist, stamp), begun, begun);
    return true;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Answers whether everything was built that was not fresh; the messages of the tools go to stderr. */
export function build({ force = false } = {}) {
  return PARTS.filter((part) => force || !partIsFresh(part)).every(buildPart);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const force = process.argv.includes('--force');
  if (!force && buildIsFresh()) {
    console.error('dist is newer than its sources: nothing to build');
  } else if (!canBuild()) {
    console.error('errgate: the compiler is missing; run `npm ci` (with development dependencies) first');
    process.exitCode = 1;
  } else if (!build({ force })) {
    process.exitCode = 1;
  }
}
