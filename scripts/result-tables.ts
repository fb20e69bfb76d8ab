import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Extension of the rows that tests write, one JSON object per line. */
const ROWS = '.jsonl';

type Row = Readonly<Record<string, unknown>>;

function readRows(file: string): Row[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Row);
}

function cell(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value ?? null)).replaceAll('|', '\\|');
}

function markdown(name: string, note: string, rows: readonly Row[]): string {
  const columns = [...new Set(rows.flatMap(Object.keys))];
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const body = rows.map((row) => line(columns.map((column) => cell(row[column]))));
  return [`# ${name}`, '', note, '', line(columns), line(columns.map(() => '---')), ...body, ''].join('\n');
}

/**
 * Converts each `<table>.jsonl` in `from` to `<table>.json` and `<table>.md` in `to`. Tables without new rows keep
 * their files, so a partial run loses no results. Returns the written files.
 */
export function writeResultTables(from: string, to: string, measuredAt: Date): string[] {
  mkdirSync(to, { recursive: true });
  const made: string[] = [];
  for (const file of readdirSync(from).sort()) {
    if (!file.endsWith(ROWS)) continue;
    const name = basename(file, ROWS);
    const rows = readRows(join(from, file));
    const run = { measured_at: measuredAt.toISOString(), node: process.version, platform: process.platform };
    const note = `\`npm run test:full\`, ${run.measured_at}, Node.js ${run.node} on ${run.platform}.`;
    const contents = {
      [`${name}.json`]: `${JSON.stringify({ ...run, rows }, null, 2)}\n`,
      [`${name}.md`]: markdown(name, note, rows),
    };
    for (const [target, content] of Object.entries(contents)) {
      writeFileSync(join(to, target), content);
      made.push(join(to, target));
    }
  }
  return made;
}
