import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Mocha from 'mocha';
import { format, resolveConfig } from 'prettier';
import { RULE_SOURCES, SECTION_SOURCES, type Source } from './protocol-sources.ts';

/**
 * Generates the rules of docs/protocol.md from test titles. Suites whose title starts with a section number are
 * sections; their tests are rules. Their sources are in protocol-sources.ts. With `--check`, only reports whether
 * the page is up to date. Loads the tests without running them.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = 'test/integration/ingest';
const PAGE = join(ROOT, 'docs/protocol.md');
const SECTION = /^(\d+(?:\.\d+)?) (.+)$/;

interface Section {
  readonly number: string;
  readonly name: string;
  readonly file: string;
  readonly rules: readonly string[];
}

function sectionsIn(suite: Mocha.Suite, file: string): Section[] {
  const [, number, name] = SECTION.exec(suite.title) ?? [];
  const rules = suite.tests.map((test) => test.title);
  const own = number === undefined || name === undefined ? [] : [{ number, name, file, rules }];
  return [...own, ...suite.suites.flatMap((inner) => sectionsIn(inner, file))];
}

async function loadSections(): Promise<Section[]> {
  const files = (await readdir(join(ROOT, FOLDER))).filter((file) => file.endsWith('.test.ts')).sort();
  const mocha = new Mocha();
  for (const file of files) mocha.addFile(join(ROOT, FOLDER, file));
  await mocha.loadFilesAsync();
  const sections = mocha.suite.suites.flatMap((suite) => {
    const file = (suite.file ?? '').slice((suite.file ?? '').lastIndexOf('/') + 1);
    return sectionsIn(suite, file);
  });
  return sections.sort((a, b) => Number(a.number) - Number(b.number));
}

const links = (sources: readonly Source[]): string => sources.map(({ title }) => `[${title}]`).join('; ');

/** Where the links above lead, once each. */
function linkTargets(): string {
  const sources = [...Object.values(SECTION_SOURCES), ...Object.values(RULE_SOURCES)].flat();
  const targets = new Map(sources.map(({ title, url }) => [title, url]));
  const twice = sources.find(({ title, url }) => targets.get(title) !== url);
  if (twice !== undefined) throw new Error(`two sources have the title ${twice.title}`);
  return [...targets]
    .map(([title, url]) => `[${title}]: ${url}`)
    .sort()
    .join('\n');
}

/** A section as a list of its rules, each under the sources of the section or with its own behind it. */
function chapter({ number, name, file, rules }: Section): string {
  const sources = SECTION_SOURCES[number];
  if (sources === undefined) throw new Error(`scripts/protocol-sources.ts names no source of section ${number}`);
  const items = rules.map((rule) => {
    const own = RULE_SOURCES[rule];
    return `- ${rule}${own === undefined ? '' : ` (${links(own)})`}`;
  });
  return `### ${number} ${name}\n\nSource: ${links(sources)}. Test: \`${file}\`.\n\n${items.join('\n')}`;
}

/** Fails for a source of a section or rule that no test has: its test was renamed. */
function requireAllUsed(sections: readonly Section[]): void {
  const rules = new Set(sections.flatMap((section) => section.rules));
  const numbers = new Set(sections.map(({ number }) => number));
  const left = [
    ...Object.keys(SECTION_SOURCES).filter((number) => !numbers.has(number)),
    ...Object.keys(RULE_SOURCES).filter((rule) => !rules.has(rule)),
  ];
  if (left.length > 0) throw new Error(`sources of rules that no test has: ${left.join('; ')}`);
}

const sections = await loadSections();
const present = await readFile(PAGE, 'utf8');
requireAllUsed(sections);
const count = sections.reduce((sum, { rules }) => sum + rules.length, 0);
const body = [
  `${count} rules in ${sections.length} sections; each has a test in \`${FOLDER}\`.`,
  ...sections.map(chapter),
  linkTargets(),
].join('\n\n');
const page = await format(
  present.replace(
    /(<!-- rules:begin -->)[^]*(<!-- rules:end -->)/,
    (_, begin: string, end: string) => `${begin}\n\n${body}\n\n${end}`,
  ),
  { ...(await resolveConfig(PAGE)), parser: 'markdown' },
);
if (page !== present) {
  if (process.argv.includes('--check')) {
    console.error('docs/protocol.md is out of date: run node --import=tsx scripts/protocol.ts');
    process.exitCode = 1;
  } else {
    await writeFile(PAGE, page);
  }
}
