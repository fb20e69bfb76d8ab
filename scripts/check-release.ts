/**
 * Checks that a tag fits what it would release: `node scripts/check-release.ts v0.2.0`. Prints every problem and ends
 * with exit code 1. `--notes` prints the section of the changelog, and `--write` gives the chart the version of the
 * package.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const VERSION = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;
const CHART = 'charts/errgate/Chart.yaml';

/** Files that name the version, and what they have. */
const NAMED_IN: Readonly<Record<string, (text: string) => readonly (string | undefined)[]>> = {
  'package.json': (text) => [(JSON.parse(text) as { version: string }).version],
  'package-lock.json': (text) => {
    const lock = JSON.parse(text) as { version: string; packages: Record<string, { version?: string }> };
    return [lock.version, lock.packages['']?.version];
  },
  'docs/openapi.json': (text) => [(JSON.parse(text) as { info: { version: string } }).info.version],
  [CHART]: (text) => ['version', 'appVersion'].map((name) => new RegExp(`^${name}: '?([^'\\n]+)`, 'm').exec(text)?.[1]),
};

interface Section {
  /** Text between the brackets: a version, or `Unreleased`. */
  readonly name: string;
  /** What follows the brackets: ` - 2026-11-29`. */
  readonly rest: string;
  readonly body: string;
}

function sectionsOf(changelog: string): Section[] {
  return changelog
    .split(/^## /m)
    .slice(1)
    .map((text) => {
      const [, name = '', rest = '', body = ''] = /^\[([^\]]+)\](.*)\n([^]*)$/.exec(text) ?? [];
      return { name, rest, body: body.trim() };
    });
}

function changelogProblems(changelog: string, version: string): string[] {
  const [unreleased, newest, ...older] = sectionsOf(changelog);
  const section = [newest, ...older].find((one) => one?.name === version);
  if (section === undefined) return [`CHANGELOG.md has no section [${version}]`];
  return [
    ...(unreleased?.name === 'Unreleased' ? [] : ['CHANGELOG.md does not begin with the section [Unreleased]']),
    ...(section === newest ? [] : [`CHANGELOG.md: [${version}] is not the section after [Unreleased]`]),
    ...(unreleased?.body === '' ? [] : [`CHANGELOG.md: [Unreleased] has changes; move them to [${version}]`]),
    ...(section.body === '' ? [`CHANGELOG.md: [${version}] is empty`] : []),
    ...(/^ - \d{4}-\d{2}-\d{2}$/.test(section.rest)
      ? []
      : [`CHANGELOG.md: [${version}] has no date such as 2026-11-29`]),
  ];
}

/** Returns what does not fit the tag, in sentences; `read` gives the text of a file of the repository. */
export function releaseProblems(tag: string, read: (file: string) => string): string[] {
  const version = tag.replace(/^v/, '');
  if (!tag.startsWith('v') || !VERSION.test(version)) return [`${tag} is no tag of a release, such as v0.2.0`];
  const named = Object.entries(NAMED_IN).flatMap(([file, versionsOf]) =>
    versionsOf(read(file))
      .filter((found) => found !== version)
      .map((found) => `${file} has the version ${found ?? 'nowhere'}, the tag is for ${version}`),
  );
  return [...new Set(named), ...changelogProblems(read('CHANGELOG.md'), version)];
}

/** Returns the section of a version in the changelog, without its heading. */
export function notesOf(changelog: string, version: string): string {
  return sectionsOf(changelog).find(({ name }) => name === version)?.body ?? '';
}

/** Returns the chart with the version of the package. */
export function chartWith(chart: string, version: string): string {
  return chart
    .replace(/^version: .*$/m, `version: ${version}`)
    .replace(/^appVersion: .*$/m, `appVersion: '${version}'`);
}

function main(args: readonly string[]): number {
  const read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
  if (args.includes('--write')) {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    writeFileSync(new URL(`../${CHART}`, import.meta.url), chartWith(read(CHART), version));
    return 0;
  }
  const tag = args.find((arg) => !arg.startsWith('--')) ?? '';
  const problems = releaseProblems(tag, read);
  for (const problem of problems) console.error(`release: ${problem}`);
  if (problems.length > 0) return 1;
  if (args.includes('--notes')) console.log(notesOf(read('CHANGELOG.md'), tag.replace(/^v/, '')));
  return 0;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = main(process.argv.slice(2));
}
