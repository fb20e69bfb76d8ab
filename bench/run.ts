/**
 * `npm run bench`: measures the figures of bench/README.md, each beside a baseline of the same run on the same cores.
 * Includes MongoDB if ERRGATE_TEST_MONGODB_URI is set. `--write` updates bench/README.md and docs/scaling.md.
 * Options: --seconds N (per load, default 10), --rounds N (default 3), --list-events N (default 100000),
 * --list-errors N (default 10000), --ceiling-events N (default 20000), --tracker-lists N (default 150),
 * --note TEXT (published with the figures), --only third-party (only lists from an external tracker),
 * --only load (baselines and loads, no lists), --node VERSION (another Node.js for all measurements: `24`; only
 * loads,
 * with separate figures in bench/README.md).
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { nodeBinary } from '../scripts/node-binary.ts';
import { measureBaseline } from './measure/baseline.ts';
import { measureCeiling, type CeilingFigures } from './measure/ceiling.ts';
import { costs } from './measure/cost.ts';
import { measureErrgate, type ErrgateFigures } from './measure/errgate.ts';
import { machineName } from './measure/machine.ts';
import { measureLargeStore, type LargeStoreFigures } from './measure/large-store.ts';
import { loadReport, report, writeFigures, type BenchFigures } from './measure/report.ts';
import { measureThirdParty, type ThirdPartyFigures } from './measure/third-party.ts';
import { thirdPartyReport } from './measure/third-party-report.ts';
import { embeddedStore, mongoStore, type FreshStore, type StoreName } from './measure/stores.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
    'list-events': { type: 'string', default: '100000' },
    'list-errors': { type: 'string', default: '10000' },
    'ceiling-events': { type: 'string', default: '20000' },
    'tracker-lists': { type: 'string', default: '150' },
    only: { type: 'string' },
    node: { type: 'string' },
    note: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
});
const inherited = process.env['BENCH_NODE'];
if (values.node !== undefined && inherited === undefined) {
  const script = fileURLToPath(import.meta.url);
  const { status } = spawnSync(nodeBinary(values.node), ['--import=tsx', script, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, BENCH_NODE: values.node },
  });
  process.exit(status ?? 1);
}
const only = values.node === undefined ? values.only : 'load';
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);
const large = { errors: Number(values['list-errors']), events: Number(values['list-events']) };
const uri = process.env['ERRGATE_TEST_MONGODB_URI'];

const makers: Partial<Record<StoreName, () => FreshStore>> = {
  embedded: embeddedStore,
  ...(uri === undefined ? {} : { mongodb: () => mongoStore(uri) }),
};
const names = Object.keys(makers) as StoreName[];
if (uri === undefined) {
  console.error('SKIPPED MongoDB: set ERRGATE_TEST_MONGODB_URI to a mongod >= 7 to measure it too');
}

async function onFresh<T>(name: StoreName, work: (store: FreshStore) => Promise<T>): Promise<T> {
  const store = makers[name]?.() ?? embeddedStore();
  try {
    return await work(store);
  } finally {
    await store.remove();
  }
}

const options = { ...(await resolveConfig('bench/README.md')), parser: 'markdown' };
const pretty = async (text: string): Promise<string> => (await format(text, options)).trim();
const machine = machineName();
const date = new Date().toISOString().slice(0, 10);

/** Measures lists from an external tracker, through errgate and directly. */
async function benchThirdParty(): Promise<void> {
  const samples = Number(values['tracker-lists']);
  const figures: ThirdPartyFigures[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    console.error(`external tracker, round ${round} of ${rounds}`);
    figures.push(await measureThirdParty(samples));
  }
  const run = { machine, date, samples, rounds: figures, note: values.note };
  const text = await pretty(thirdPartyReport(run));
  console.log(`\n${text}`);
  mkdirSync('bench/results', { recursive: true });
  writeFileSync(join('bench/results', 'third-party.json'), `${JSON.stringify(run, null, 2)}\n`);
  if (values.write) writeFigures('bench/README.md', text, 'third-party');
}

if (only !== undefined && only !== 'third-party' && only !== 'load') {
  throw new Error(`--only takes third-party or load, not ${only}`);
}
execFileSync(process.execPath, ['scripts/build.js'], { stdio: 'inherit' });
if (only === 'third-party') {
  await benchThirdParty();
  process.exit(0);
}

const nodeHttp: number[] = [];
const koa: number[] = [];
const ceiling: CeilingFigures[] = [];
const load: Partial<Record<StoreName, ErrgateFigures[]>> = {};
for (let round = 1; round <= rounds; round += 1) {
  console.error(`round ${round} of ${rounds}`);
  nodeHttp.push(await measureBaseline('bench/baseline/node-http.ts', seconds));
  koa.push(await measureBaseline('bench/baseline/koa.ts', seconds));
  for (const name of names) {
    const figures = await onFresh(name, (store) => measureErrgate(store, seconds));
    console.error(`  ${name}: ${figures.storedPerSecond.toFixed(0)} stored/s`);
    (load[name] ??= []).push(figures);
  }
  if (uri !== undefined && only !== 'load') ceiling.push(await measureCeiling(uri, Number(values['ceiling-events'])));
}

const lists: Partial<Record<StoreName, LargeStoreFigures>> = {};
let engine: string | null = null;
for (const name of only === 'load' ? [] : names) {
  console.error(`${name} with ${large.events} events in ${large.errors} errors`);
  await onFresh(name, async (store) => {
    lists[name] = await measureLargeStore(store, large);
    engine = (await store.database?.engine()) ?? engine;
  });
}

const measured = { nodeHttp, koa, load, lists, ceiling, engine };
const figures: BenchFigures = { machine, date, seconds, rounds, large, ...measured, note: values.note };
if (only === 'load') {
  const loads = await pretty(loadReport(figures));
  console.log(`\n${loads}`);
  const section = values.node === undefined ? null : `node-${values.node}`;
  mkdirSync('bench/results', { recursive: true });
  writeFileSync(join('bench/results', `${section ?? 'load'}.json`), `${JSON.stringify(figures, null, 2)}\n`);
  if (values.write && section !== null) writeFigures('bench/README.md', loads, section);
  process.exit(0);
}
const text = await pretty(report(figures));
const cost = costs(figures);
const scaling = cost === null ? null : await pretty(cost);
console.log(`\n${text}`);
if (scaling !== null) console.log(`\n${scaling}`);
mkdirSync('bench/results', { recursive: true });
writeFileSync(join('bench/results', 'latest.json'), `${JSON.stringify(figures, null, 2)}\n`);
if (values.write) {
  writeFigures('bench/README.md', text);
  if (scaling !== null) writeFigures('docs/scaling.md', scaling);
}
await benchThirdParty();
