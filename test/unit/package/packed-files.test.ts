import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** What `npm pack` would put into the package; without its scripts, so that nothing is built for it. */
function packedFiles(): string[] {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const stdout = execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const [packed] = JSON.parse(stdout) as { files: { path: string }[] }[];
  return packed?.files.map(({ path }) => path) ?? [];
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
  let files: string[];
  before(function () {
    this.timeout(120_000);
    files = packedFiles();
  });

  it('holds what the program and its texts name', () => {
    for (const file of ['bin/errgate.js', 'config/default.json', 'docs/operations.md', 'docs/api.md', 'LICENSE']) {
      assert.ok(files.includes(file), file);
    }
  });

  it('holds every file that its README and its documentation link to', () => {
    const pages = files.filter((file) => file.endsWith('.md') && !file.startsWith('dist/'));
    assert.ok(pages.includes('README.md') && pages.includes('docs/architecture.md'));
    const linked = pages.flatMap((page) => linkedFiles(page).map((target) => ({ page, target })));
    assert.ok(linked.length > 5);
    const broken = linked.filter(
      ({ target }) => !files.some((file) => file === target || file.startsWith(`${target}/`)),
    );
    assert.deepEqual(broken, []);
  });

  it('holds no sources, tests, data or results', () => {
    assert.deepEqual(
      files.filter((file) => /^(src|test|scripts|data|coverage|bench\/(?!README\.md$))/.test(file)),
      [],
    );
  });
});
