/**
 * Builds the parts of `dist` that are missing or older than their sources, at the same time; `--force` builds all, and
 * `--tests` also the program of component tests. Each part is built in a temporary folder and moved into place, so a failed build never replaces a working one.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { inlineLibrary } from './inline-library.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const installed = (path) => join(root, 'node_modules', path);

/**
 * Parts of a build. `sources`: inputs, whose changes cause a rebuild. `outputs`: results inside `dist`. `finish`: step
 * after the tool. `proof`: file that exists in every complete build.
 */
const PARTS = [
  {
    tool: installed('typescript-7/bin/tsc'),
    // Types are checked by `npm run types`.
    args: (stage) => ['-p', 'tsconfig.build.json', '--noCheck', '--outDir', stage],
    sources: ['src', 'config', 'tsconfig.json', 'tsconfig.build.json', 'package.json', 'scripts/inline-library.js'],
    outputs: ['src', 'config'],
    finish: (stage) =>
      inlineLibrary(join(stage, 'src/gateway/agents/mcp-server.js'), installed('@modelcontextprotocol/server'), [
        'zod',
      ]),
    proof: 'src/main.js',
    stamp: '.built',
  },
  {
    tool: installed('vite/bin/vite.js'),
    args: (stage) => ['build', 'ui', '--outDir', join(stage, 'ui'), '--logLevel', 'warn'],
    sources: ['ui', 'tsconfig.json', 'package-lock.json', 'scripts/build.js'],
    outputs: ['ui'],
    finish: (stage) => compress(join(stage, 'ui')),
    proof: 'ui/index.html',
    stamp: '.built-ui',
  },
];

/** Program that component tests mount. It is no part of the package. */
const TEST_PROGRAM = {
  tool: installed('vite/bin/vite.js'),
  args: (stage) => ['build', '-c', 'ui/vite.test-program.ts', '--outDir', join(stage, 'test-program'), '-l', 'warn'],
  sources: ['ui', 'tsconfig.json', 'package-lock.json'],
  folder: join(root, '.cache'),
  outputs: ['test-program'],
  proof: 'test-program/program.js',
  stamp: '.built-test-program',
};

/** What the suites need. */
export const TESTED_PARTS = [...PARTS, TEST_PROGRAM];

/** Files that browsers load and that compress well. */
const COMPRESSIBLE = /\.(js|css|svg|json|txt|webmanifest)$/;
/** Bytes: smaller files do not load faster when compressed. */
const WORTH_COMPRESSING = 1024;

/**
 * Replaces each file that shrinks by a `.br` and a `.gz`, which the service sends unchanged. For the few clients that
 * take neither it unpacks the second.
 */
async function compress(dir) {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && COMPRESSIBLE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => statSync(file).size >= WORTH_COMPRESSING);
  await Promise.all(
    files.map(async (file) => {
      const content = readFileSync(file);
      writeFileSync(`${file}.br`, await promisify(brotliCompress)(content));
      writeFileSync(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
      rmSync(file);
    }),
  );
}

/**
 * Returns the newest modification time below a path, in milliseconds. Folders count too, so a removed file is noticed.
 */
function newest(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), stats.mtimeMs);
}

function partExists({ stamp, proof, folder = dist }) {
  return existsSync(join(folder, stamp)) && existsSync(join(folder, proof));
}

function partIsFresh(part) {
  if (!partExists(part)) return false;
  const built = statSync(join(part.folder ?? dist, part.stamp)).mtimeMs;
  return part.sources.every((source) => !existsSync(join(root, source)) || newest(join(root, source)) <= built);
}

export function buildExists() {
  return PARTS.every(partExists);
}

export function buildIsFresh(parts = PARTS) {
  return parts.every(partIsFresh);
}

/** Returns true when this checkout has the build tools and the sources. */
export function canBuild() {
  return PARTS.every(({ tool }) => existsSync(tool)) && existsSync(join(root, 'tsconfig.build.json'));
}

async function buildPart({ tool, args, outputs, stamp, finish, folder = dist }) {
  // Sources that change while the tool reads them must count as newer than the result.
  const begun = new Date();
  const stage = join(folder, `.stage-${process.pid}-${outputs[0]}`);
  mkdirSync(stage, { recursive: true });
  try {
    const child = spawn(process.execPath, [tool, ...args(stage)], { cwd: root, stdio: ['ignore', 2, 2] });
    const [status] = await once(child, 'exit');
    if (status !== 0) return false;
    await finish?.(stage);
    for (const output of outputs) {
      rmSync(join(folder, output), { recursive: true, force: true });
      renameSync(join(stage, output), join(folder, output));
    }
    writeFileSync(join(folder, stamp), '');
    utimesSync(join(folder, stamp), begun, begun);
    return true;
  } catch (error) {
    // The other part is finished, and the caller reports the failure.
    console.error(error);
    return false;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Builds stale parts; true when all succeeded. Messages of the tools go to stderr. */
export async function build({ force = false, parts = PARTS } = {}) {
  const built = await Promise.all(parts.filter((part) => force || !partIsFresh(part)).map(buildPart));
  return built.every(Boolean);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const force = process.argv.includes('--force');
  const parts = process.argv.includes('--tests') ? TESTED_PARTS : PARTS;
  if (!force && buildIsFresh(parts)) {
    console.error('dist is newer than its sources: nothing to build');
  } else if (!canBuild()) {
    console.error('errgate: the compiler is missing; run `npm ci` (with development dependencies) first');
    process.exitCode = 1;
  } else if (!(await build({ force, parts }))) {
    process.exitCode = 1;
  }
}
