/**
 * `npm run bench`: measures the figures of bench/README.md, each beside a baseline of the same run on the same cores.
 * Includes MongoDB if ERRGATE_TEST_MONGODB_URI is set. `--write` updates the pages of bench/, bench/results and
 * docs/scaling.md; `load` and `lists` alone are only printed.
 * Options: --seconds N (per load, default 10), --rounds N (default 3), --list-events N (default 100000),
 * --list-errors N (default 10000), --ceiling-events N (default 20000), --tracker-lists N (default 150),
 * --single-events N (default 3600), --journal-bytes N (default 1000000000), --upload-bytes N (default 500000000),
 * --import-errors N (default 10000), --note TEXT (published with the figures), --only NAME (load, lists, gzip-envelopes,
 * large-envelopes, many-keys, single-events, catch-up, source-maps, uploads, third-party or import),
 * --node VERSION (another Node.js for all measurements: `24`; only loads, in the columns of that version).
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { measureBaseline } from './measure/baseline.ts';
import { measureCeiling, type CeilingFigures } from './measure/ceiling.ts';
import { costs } from './measure/cost.ts';
import { measureErrgate, type ErrgateFigures } from './measure/errgate.ts';
import { measureImport } from './measure/import.ts';
import { importReport } from './measure/import-report.ts';
import { machineName } from './measure/machine.ts';
import { measureLargeStore, type LargeStoreFigures } from './measure/large-store.ts';
import { FURTHER, type Measured } from './measure/further.ts';
import { continueOnNode } from './measure/other-node.ts';
import { furtherLoadReport, type FurtherLoadRun } from './measure/further-report.ts';
import { LOADS } from './measure/loads.ts';
import { largeReport, loadReport, storeReport, writeFigures, type BenchFigures } from './measure/report.ts';
import { measureThirdParty, type ThirdPartyFigures } from './measure/third-party.ts';
import { thirdPartyReport } from './measure/third-party-report.ts';
import { embeddedStore, onFresh, storesToMeasure, type StoreName } from './measure/stores.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
    'list-events': { type: 'string', default: '100000' },
    'list-errors': { type: 'string', default: '10000' },
    'ceiling-events': { type: 'string', default: '20000' },
    'tracker-lists': { type: 'string', default: '150' },
    'single-events': { type: 'string', default: '3600' },
    'journal-bytes': { type: 'string', default: '1000000000' },
    'upload-bytes': { type: 'string', default: '500000000' },
    'import-errors': { type: 'string', default: '10000' },
    only: { type: 'string' },
    node: { type: 'string' },
    note: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
});
continueOnNode(values.node);
const only = values.node === undefined ? values.only : 'load';
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);
const large = { errors: Number(values['list-errors']), events: Number(values['list-events']) };
const uri = process.env['ERRGATE_TEST_MONGODB_URI'];

const stores = storesToMeasure();

const options = { ...(await resolveConfig('bench/README.md')), parser: 'markdown' };
const pretty = async (text: string): Promise<string> => (await format(text, options)).trim();
const machine = machineName();
const date = new Date().toISOString().slice(0, 10);

/** Measures lists from an external tracker, through errgate and directly. */
async function benchThirdParty(): Promise<Measured> {
  const samples = Number(values['tracker-lists']);
  const figures: ThirdPartyFigures[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    console.error(`external tracker, round ${round} of ${rounds}`);
    figures.push(await measureThirdParty(samples));
  }
  const run = { machine, date, samples, rounds: figures, note: values.note };
  return { run, text: thirdPartyReport(run) };
}

/** Measures an import into an idle service. */
async function benchImport(): Promise<Measured> {
  const errors = Number(values['import-errors']);
  console.error(`import of ${errors} errors`);
  const run = { machine, date, figures: await measureImport(embeddedStore(), errors), note: values.note };
  return { run, text: importReport(run) };
}

const sections = new Map([...FURTHER, ['third-party', benchThirdParty], ['import', benchImport]]);

/** Pages of sections that are not in bench/README.md. */
const OTHER_PAGES: Readonly<Record<string, string>> = {
  'source-maps': 'bench/uploads.md',
  uploads: 'bench/uploads.md',
};

const pageOf = (section: string): string => OTHER_PAGES[section] ?? 'bench/README.md';

/** Measures what has a section of its own in a page of bench/, or columns of the one for further loads. */
async function benchSection(name: string): Promise<void> {
  const measured = await sections.get(name)?.({
    stores,
    seconds,
    rounds,
    singleEvents: Number(values['single-events']),
    journalBytes: Number(values['journal-bytes']),
    uploadBytes: Number(values['upload-bytes']),
    note: values.note,
  });
  if (measured === undefined) return;
  const text = await pretty(measured.text);
  console.log(`\n${text}`);
  writeResults(name, measured.run);
  if (!values.write) return;
  if (name in LOADS) {
    const runs = Object.keys(LOADS).map((load) => [load, readResults(load) as FurtherLoadRun] as const);
    writeFigures('bench/README.md', await pretty(furtherLoadReport(runs)), 'further-loads');
  } else {
    writeFigures(pageOf(name), text, name);
  }
}

/** Keeps the figures of a published run; others leave the results as they are. */
function writeResults(name: string, run: object): void {
  if (!values.write) return;
  mkdirSync('bench/results', { recursive: true });
  writeFileSync(join('bench/results', `${name}.json`), `${JSON.stringify(run, null, 2)}\n`);
}

function readResults(name: string): unknown {
  return JSON.parse(readFileSync(join('bench/results', `${name}.json`), 'utf8'));
}

/** Keeps the loads of a published run as those of this Node.js. bench/README.md has one table for all versions. */
async function writeLoads(run: BenchFigures): Promise<void> {
  if (!values.write) return;
  writeResults(`node-${process.versions.node.split('.', 1).join('')}`, run);
  const names = readdirSync('bench/results').flatMap((file) => /^(node-\d+)\.json$/.exec(file)?.[1] ?? []);
  const text = await pretty(loadReport(names.sort().map((name) => readResults(name) as BenchFigures)));
  writeFigures('bench/README.md', text, 'loads');
}

const onlyNames = ['load', 'lists', ...sections.keys()];
if (only !== undefined && !onlyNames.includes(only)) {
  throw new Error(`--only takes ${onlyNames.join(', ')}; not ${only}`);
}
execFileSync(process.execPath, ['scripts/build.js'], { stdio: 'inherit' });
if (only !== undefined && sections.has(only)) {
  await benchSection(only);
  process.exit(0);
}

const nodeHttp: number[] = [];
const koa: number[] = [];
const ceiling: CeilingFigures[] = [];
const load: Partial<Record<StoreName, ErrgateFigures[]>> = {};
for (let round = 1; round <= rounds && only !== 'lists'; round += 1) {
  console.error(`round ${round} of ${rounds}`);
  nodeHttp.push(await measureBaseline('bench/baseline/node-http.ts', seconds));
  koa.push(await measureBaseline('bench/baseline/koa.ts', seconds));
  for (const [name, make] of stores) {
    const figures = await onFresh(make, (store) => measureErrgate(store, seconds));
    console.error(`  ${name}: ${figures.storedPerSecond.toFixed(0)} stored/s`);
    (load[name] ??= []).push(figures);
  }
  if (uri !== undefined && only !== 'load') ceiling.push(await measureCeiling(uri, Number(values['ceiling-events'])));
}

const lists: Partial<Record<StoreName, LargeStoreFigures>> = {};
let engine: string | null = null;
for (const [name, make] of only === 'load' ? [] : stores) {
  console.error(`${name} with ${large.events} events in ${large.errors} errors`);
  await onFresh(make, async (store) => {
    lists[name] = await measureLargeStore(store, large);
    engine = (await store.database?.engine()) ?? engine;
  });
}

const measured = { nodeHttp, koa, load, lists, ceiling, engine };
const figures: BenchFigures = { machine, date, seconds, rounds, large, ...measured, note: values.note };
const loads = await pretty(loadReport([figures]));
if (only === 'load') {
  console.log(`\n${loads}`);
  if (values.node !== undefined) await writeLoads(figures);
  process.exit(0);
}
if (only === 'lists') {
  console.log(`\n${await pretty(largeReport(figures, [...stores.keys()]))}`);
  process.exit(0);
}
const text = await pretty(storeReport(figures));
const cost = costs(figures);
const scaling = cost === null ? null : await pretty(cost);
console.log(`\n${loads}\n\n${text}`);
if (scaling !== null) console.log(`\n${scaling}`);
writeResults('latest', figures);
if (values.write) {
  await writeLoads({ ...figures, lists: {}, ceiling: [] });
  writeFigures('bench/README.md', text);
  if (scaling !== null) writeFigures('docs/scaling.md', scaling);
}
for (const name of sections.keys()) await benchSection(name);
