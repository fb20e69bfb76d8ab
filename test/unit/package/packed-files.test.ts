import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { buildOnce } from '../../support/cli-process.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

interface PackedFile {
  readonly path: string;
  readonly size: number;
}

/** MB of a global installation on disk. */
const MAX_INSTALLED_MB = 100;
/** Bytes of the unpacked package. */
const MAX_PACKAGE_BYTES = 6_000_000;
/** Linked files that the package leaves out: the API, which the service itself describes, and pictures. */
const LEFT_OUT = /^docs\/(?:openapi\.json|images\/.*)$/;

/** What `npm pack` would put into the package; without its scripts, so that nothing is built for it. */
function packedFiles(): PackedFile[] {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const stdout = execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const [packed] = JSON.parse(stdout) as { files: PackedFile[] }[];
  return packed?.files ?? [];
}

/** Bytes that a file takes on a disk with blocks of 4 KiB. */
const onDisk = (bytes: number): number => Math.ceil(bytes / 4096) * 4096;

/** Bytes on disk of the files in a folder, without the packages inside it. */
function folderBytes(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return sum + onDisk(statSync(path).size);
    return entry.name === 'node_modules' ? sum : sum + onDisk(1) + folderBytes(path);
  }, 0);
}

/** Folders of the packages that an installation has, those for other systems and of developers not. */
function installedPackages(): string[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { readonly dev?: boolean }>;
  };
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path]) => join(ROOT, path))
    .filter((folder) => existsSync(folder));
}

/** Links of a Markdown file to other files of the repository, from its root. */
function linkedFiles(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const targets = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, target = '']) => target);
  return targets
    .filter((target) => !/^[a-z]+:/i.test(target))
    .map((target) => normalize(join(dirname(file), target)).replace(/\/$/, ''));
}

describe('the package', () => {
  let packed: PackedFile[];
  let files: string[];
  before(async function () {
    this.timeout(120_000);
    await buildOnce();
    packed = packedFiles();
    files = packed.map(({ path }) => path);
  });

  it(`takes at most ${MAX_INSTALLED_MB} MB with everything that it needs`, () => {
    const own = packed.reduce((sum, { size }) => sum + onDisk(size), 0);
    const bytes = installedPackages().reduce((sum, folder) => sum + folderBytes(folder), own);
    const mb = bytes / 1024 / 1024;
    assert.ok(own > 1024 * 1024 && mb > 30, `${mb} MB cannot be all of it`);
    assert.ok(mb <= MAX_INSTALLED_MB, `${mb.toFixed(1)} MB; \`du -sm node_modules/*\` shows what is large`);
  });

  it(`has at most ${MAX_PACKAGE_BYTES / 1e6} MB`, () => {
    const bytes = packed.reduce((sum, { size }) => sum + size, 0);
    const largest = packed.toSorted((one, other) => other.size - one.size).slice(0, 5);
    assert.ok(bytes > 1e6, `${bytes} bytes cannot be all of it`);
    assert.ok(bytes <= MAX_PACKAGE_BYTES, `${bytes} bytes; the largest: ${largest.map(({ path }) => path).join(', ')}`);
  });

  it('holds what the program and its texts name', () => {
    for (const file of [
      'bin/errgate.js',
      'config/default.json',
      'docs/operations.md',
      'docs/running.md',
      'docs/api.md',
      'docs/missing-events.md',
      'LICENSE',
    ]) {
      assert.ok(files.includes(file), file);
    }
  });

  it('holds every file that its README and its documentation link to', () => {
    const pages = files.filter((file) => file.endsWith('.md') && !file.startsWith('dist/'));
    assert.ok(pages.includes('README.md') && pages.includes('docs/architecture.md'));
    const linked = pages.flatMap((page) => linkedFiles(page).map((target) => ({ page, target })));
    assert.ok(linked.length > 5);
    const broken = linked.filter(
      ({ target }) => !LEFT_OUT.test(target) && !files.some((file) => file === target || file.startsWith(`${target}/`)),
    );
    assert.deepEqual(broken, []);
  });

  it('imports no library that is not installed with it', () => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { dependencies: object };
    const imported = files
      .filter((file) => /^dist\/(?:src|config)\/.*\.js$/.test(file))
      .flatMap((file) => [
        ...readFileSync(join(ROOT, file), 'utf8').matchAll(/(?:\bfrom|^import|\bimport\()\s*["']([@a-z][^"']*)["']/gm),
      ])
      .map(([, name = '']) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name)
      .filter((name) => !name.startsWith('node:'));
    const names = new Set(imported);
    assert.ok(names.has('koa') && names.has('zod') && names.size > 15, [...names].join());
    assert.deepEqual(
      // Threads of a checkout load their sources with tsx.
      [...names].filter((name) => !(name in dependencies) && name !== 'tsx'),
      [],
    );
  });

  it('holds no sources, maps of them, tests, data or results', () => {
    assert.deepEqual(
      files.filter((file) => /\.map$|^(src|test|scripts|data|coverage|bench\/(?!\w+\.md$))/.test(file)),
      [],
    );
  });
});
