import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Mocha from 'mocha';
import { format, resolveConfig } from 'prettier';

/**
 * Generates the conformance table of docs/protocol.md from test titles. Suites whose title starts with a section number
 * are sections; their tests are rules. With `--check`, only reports whether the page is up to date. Loads the tests
 * without running them.
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

function tables(sections: readonly Section[]): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('{', '\\{');
  return sections
    .map(({ number, name, file, rules }) => {
      const rows = rules.map((rule) => `| ${cell(rule)} | \`${file}\` |`);
      return [`### ${number} ${name}`, '', '| rule | test |', '| --- | --- |', ...rows].join('\n');
    })
    .join('\n\n');
}

const sections = await loadSections();
const present = await readFile(PAGE, 'utf8');
const count = sections.reduce((sum, { rules }) => sum + rules.length, 0);
const body = `${count} rules in ${sections.length} sections; each has a test in \`${FOLDER}\`.\n\n${tables(sections)}`;
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
