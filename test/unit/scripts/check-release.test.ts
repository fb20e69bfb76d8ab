import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { parse } from 'yaml';
import { chartWith, notesOf, releaseProblems } from '../../../scripts/check-release.ts';
import { readRoot, ROOT } from '../../support/doc-pages.ts';

const CHANGELOG =
  '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-11-29\n\n### Added\n\n- A thing.\n\n## [0.1.0] - 2026-11-23\n\n- All.\n';
const FILES: Readonly<Record<string, string>> = {
  'package.json': '{"version":"0.2.0"}',
  'package-lock.json': '{"version":"0.2.0","packages":{"":{"version":"0.2.0"}}}',
  'docs/openapi.json': '{"info":{"version":"0.2.0"}}',
  'charts/errgate/Chart.yaml': "version: 0.2.0\nappVersion: '0.2.0'\n",
  'CHANGELOG.md': CHANGELOG,
};

/** Problems of a tag where some files have other texts. */
function problems(tag: string, changed: Readonly<Record<string, string>> = {}): string[] {
  return releaseProblems(tag, (file) => changed[file] ?? FILES[file] ?? assert.fail(file));
}

describe('the check of a release', () => {
  it('finds nothing where everything has the version of the tag', () => {
    assert.deepEqual(problems('v0.2.0'), []);
  });

  const FAULTS: Readonly<Record<string, readonly [string, Readonly<Record<string, string>>, RegExp]>> = {
    'no v': ['0.2.0', {}, /^0\.2\.0 is no tag of a release, such as v0\.2\.0$/],
    'a tag that is no version': ['v0.2', {}, /^v0\.2 is no tag/],
    'another package': ['v0.2.0', { 'package.json': '{"version":"0.1.0"}' }, /^package\.json has the version 0\.1\.0/],
    'another lock file': [
      'v0.2.0',
      { 'package-lock.json': '{"version":"0.2.0","packages":{"":{"version":"0.1.0"}}}' },
      /^package-lock\.json has the version 0\.1\.0/,
    ],
    'another API': ['v0.2.0', { 'docs/openapi.json': '{"info":{"version":"0.1.0"}}' }, /^docs\/openapi\.json has/],
    'another chart': [
      'v0.2.0',
      { 'charts/errgate/Chart.yaml': "version: 0.2.0\nappVersion: '0.1.0'\n" },
      /^charts\/errgate\/Chart\.yaml has the version 0\.1\.0/,
    ],
    'no section': [
      'v0.2.0',
      { 'CHANGELOG.md': CHANGELOG.replace('[0.2.0]', '[0.3.0]') },
      /^CHANGELOG\.md has no section \[0\.2\.0\]$/,
    ],
    'a section without a date': ['v0.2.0', { 'CHANGELOG.md': CHANGELOG.replace(' - 2026-11-29', '') }, /has no date/],
    'an empty section': ['v0.2.0', { 'CHANGELOG.md': CHANGELOG.replace('### Added\n\n- A thing.\n', '') }, /is empty$/],
    'changes that are in no release': [
      'v0.2.0',
      { 'CHANGELOG.md': CHANGELOG.replace('[Unreleased]\n', '[Unreleased]\n\n- More.\n') },
      /\[Unreleased\] has changes; move them to \[0\.2\.0\]$/,
    ],
  };
  for (const [title, [tag, changed, expected]] of Object.entries(FAULTS)) {
    it(`finds ${title}`, () => {
      const found = problems(tag, changed);
      assert.equal(found.length, 1, found.join('\n'));
      assert.match(found[0] ?? '', expected);
    });
  }

  it('finds a section that is not the newest', () => {
    const files = Object.fromEntries(
      Object.entries(FILES).map(([file, text]) => [file, text.replaceAll('0.2.0', '0.1.0')]),
    );
    const found = problems('v0.1.0', { ...files, 'CHANGELOG.md': CHANGELOG });
    assert.deepEqual(found, ['CHANGELOG.md: [0.1.0] is not the section after [Unreleased]']);
  });

  it('finds nothing wrong with the versions of this repository', () => {
    const { version } = JSON.parse(readRoot('package.json')) as { version: string };
    // Between releases there are changes that are in none.
    const found = releaseProblems(`v${version}`, readRoot).filter((problem) => !problem.includes('[Unreleased] has'));
    assert.deepEqual(found, []);
  });

  it('takes the notes from the changelog', () => {
    assert.equal(notesOf(CHANGELOG, '0.2.0'), '### Added\n\n- A thing.');
    assert.equal(notesOf(CHANGELOG, '0.1.0'), '- All.');
  });

  it('gives the chart the version of the package', () => {
    const chart = parse(chartWith(readRoot('charts/errgate/Chart.yaml'), '7.8.9')) as Record<string, unknown>;
    assert.deepEqual([chart['version'], chart['appVersion'], chart['name']], ['7.8.9', '7.8.9', 'errgate']);
  });
});

describe('the workflow of a release', () => {
  interface Job {
    readonly needs?: string | readonly string[];
    readonly permissions: Readonly<Record<string, string>>;
    readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
  }
  const text = readRoot('.github/workflows/release.yml');
  const { permissions, jobs } = parse(text) as { permissions: object; jobs: Readonly<Record<string, Job>> };

  it('is understood by GitHub', function () {
    const { error, status, stdout } = spawnSync('actionlint', ['-no-color'], { cwd: ROOT, encoding: 'utf8' });
    if (error !== undefined) {
      console.log(
        '      SKIPPED workflows: actionlint is missing: go install github.com/rhysd/actionlint/cmd/actionlint@latest',
      );
      this.skip();
    }
    assert.equal(status, 0, stdout);
  });

  it('pins every action by its commit', () => {
    const actions = [...text.matchAll(/uses: (.*)/g)].map(([, action = '']) => action);
    assert.ok(actions.length > 10);
    assert.deepEqual(
      actions.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action)),
      [],
    );
  });

  it('gives each job the rights that it needs, and only after the checks', () => {
    assert.deepEqual(permissions, {});
    const writing = Object.entries(jobs).map(([name, job]) => [
      name,
      Object.keys(job.permissions).filter((right) => job.permissions[right] === 'write'),
    ]);
    assert.deepEqual(Object.fromEntries(writing), {
      check: [],
      pack: [],
      image: ['packages', 'id-token', 'attestations'],
      package: ['id-token', 'attestations'],
      chart: ['packages'],
      page: ['contents'],
    });
    for (const [name, { needs = [] }] of Object.entries(jobs))
      assert.ok(name === 'check' || needs.includes('check'), name);
  });

  it('runs no code of other packages where it may publish or sign', () => {
    const commands = Object.values(jobs)
      .filter(({ permissions: rights }) => Object.values(rights).includes('write'))
      .flatMap(({ steps }) => steps.flatMap(({ run = '' }) => run.split('\n')));
    assert.ok(commands.some((command) => command.includes('npm publish')));
    assert.deepEqual(
      commands.filter((command) => /\bnpm (?!publish\b.*--ignore-scripts)|\bnpx\b|\.ci\/run/.test(command)),
      [],
    );
  });

  it('releases commits of the main branch alone', () => {
    const commands = jobs['check']?.steps.map(({ run = '' }) => run) ?? [];
    assert.ok(commands.includes('git merge-base --is-ancestor "$GITHUB_SHA" origin/main'));
  });

  it('runs the checks of a clean checkout', () => {
    const commands = jobs['check']?.steps.map(({ run = '' }) => run) ?? [];
    assert.ok(commands.includes('bash .ci/run'));
    assert.ok(commands.some((command) => command.startsWith('node scripts/check-release.ts')));
  });

  it('puts nothing that others write into a shell', () => {
    const scripts = Object.values(jobs).flatMap(({ steps }) => steps.map(({ run = '' }) => run));
    assert.deepEqual(
      scripts.filter((script) => script.includes('${{')),
      [],
    );
  });
});
