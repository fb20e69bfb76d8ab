/**
 * `npm run drill:moving-in -- --url URL --org SLUG --token TOKEN --dsn DSN`: moves in from a live tracker. Sends errors
 * of mixed kinds with the SDKs that run here to the DSN's project, gives them states and comments, imports it with the
 * command until it is done, compares every count, state, chart, comment and other fact, then sends one more event of
 * each error to errgate through the old DSN and counts those that join their imported error. Prints a table by SDK.
 * Options: --kind bugsink (without --org); --sdks go,java,…; --skip-fill when the tracker has the errors already;
 * --faults N answers one request in N wrongly (--exact: each N-th; --fault-kinds html,reset,…; --seed N), with --kill 1,2
 * these runs are killed in the middle; --name TEXT writes the result into bench/results/moving-in-live.{json,md} under
 * this name of the tracker. Use a project of its own for it.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { buildOnce } from '../test/support/cli-process.ts';
import { renderTable } from '../src/lib/table.ts';
import { MIXED_ERRORS } from '../test/support/sdks/mixed/mixed-error.ts';
import { MIXED_LANGUAGES, type MixedLanguage } from '../test/support/sdks/mixed/mixed-languages.ts';
import { type ServiceProcess, startServiceProcess } from '../test/support/service-process.ts';
import { joinPage, type JoinResults, joinTable } from './moving-in/join-report.ts';
import { type RelayFault, SEEN_FAULTS, startFaultRelay } from './moving-in/fault-relay.ts';
import { sendVaried, setStates } from './moving-in/fill-more.ts';
import { judge, unequalCounts } from './moving-in/judge.ts';
import { openOldTracker, settled, sumOf } from './moving-in/old-tracker.ts';
import { compareFacts, listErrors, type OwnError } from './moving-in/own-error.ts';
import { repeatImport } from './moving-in/repeat-import.ts';
import { type ImportTarget, runImportCommand } from './moving-in/run-import.ts';

const JSON_FILE = 'bench/results/moving-in-live.json';
const PAGE = 'bench/results/moving-in-live.md';
const TARGET = 'moved/shop';
/** Runs after which the import counts as one that never ends. */
const MAX_RUNS = 60;

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    org: { type: 'string', default: '' },
    kind: { type: 'string', default: 'sentry' },
    token: { type: 'string' },
    dsn: { type: 'string' },
    sdks: { type: 'string', default: MIXED_LANGUAGES.map(({ id }) => id).join(',') },
    'skip-fill': { type: 'boolean', default: false },
    faults: { type: 'string', default: '0' },
    exact: { type: 'boolean', default: false },
    'fault-kinds': { type: 'string', default: SEEN_FAULTS.join(',') },
    seed: { type: 'string', default: '1' },
    kill: { type: 'string', default: '' },
    name: { type: 'string' },
  },
});
const { url, org, kind, token, dsn } = values;
if (url === undefined || token === undefined || dsn === undefined || (org === '' && kind !== 'bugsink'))
  throw new Error('usage: npm run drill:moving-in -- --url URL --org SLUG --token TOKEN --dsn DSN');
const access = { url: url.replace(/\/+$/, ''), org, token, dsn };
const tracker = openOldTracker(access, kind);

/** Runs the program of each SDK against a DSN. Throws if one fails. */
async function send(languages: readonly MixedLanguage[], to: string, round: 1 | 2): Promise<void> {
  for (const { id, client, write } of languages) {
    const run = await client.runText(write({ dsn: to, language: id, errors: MIXED_ERRORS, round }));
    if (run.status !== 0) throw new Error(`the program of ${client.name} ended with ${run.status}:\n${run.log}`);
    console.error(`${client.name} ${client.version}: sent round ${round}`);
  }
}

async function prepared(ids: readonly string[]): Promise<MixedLanguage[]> {
  const ready: MixedLanguage[] = [];
  for (const language of MIXED_LANGUAGES.filter(({ id }) => ids.includes(id))) {
    const run = await language.client.prepare();
    if (typeof run === 'function') ready.push(language);
    else console.error(`${language.client.name} is left out: ${run.missing}`);
  }
  return ready;
}

function targetOf(dataDir: string, slug: string, from: string): ImportTarget {
  return {
    args: [
      '--url',
      from,
      ...(kind === 'bugsink' ? ['--kind', kind] : ['--org', org]),
      '--project',
      `${slug}=${TARGET}`,
    ],
    env: {
      ERRGATE_DATA_DIR: dataDir,
      ERRGATE_IMPORT_TOKEN: access.token,
      ERRGATE_OUTBOUND_ALLOW: new URL(from).host,
      ERRGATE_LOG_LEVEL: 'warn',
    },
  };
}

/** Runs the import once and prints its end. */
async function importOnce(target: ImportTarget): Promise<void> {
  const { code, summary, stderr } = await runImportCommand(target);
  console.error(`a further run: exit ${code ?? 'killed'}: ${summary?.message ?? stderr}`);
}

/** The DSN with errgate's address and the old key and id, at the root path. */
function oldDsnHere(service: ServiceProcess): string {
  const moved = new URL(access.dsn);
  moved.host = new URL(service.url).host;
  moved.protocol = 'http:';
  moved.pathname = `/${moved.pathname.split('/').at(-1) ?? ''}`;
  return moved.href;
}

async function fill(): Promise<void> {
  const each = MIXED_ERRORS.reduce((sum, { times }) => sum + times, 0);
  const before = sumOf(await tracker.listIssues(slug));
  const expected = before + each * languages.length + (await sendVaried(access.dsn));
  await send(languages, access.dsn, 1);
  const counted = await settled(() => tracker.listIssues(slug), expected);
  if (sumOf(counted) !== expected) console.error(`the tracker counted ${sumOf(counted)} events, ${expected} were sent`);
  await setStates(tracker, counted);
}

await buildOnce();
const languages = await prepared(values.sdks.split(','));
const slug = await tracker.projectSlug();
if (!values['skip-fill']) await fill();
const dataDir = mkdtempSync(join(tmpdir(), 'errgate-moving-in-'));
const service = await startServiceProcess(dataDir);
const relay = await startFaultRelay({
  target: access.url,
  oneIn: Number(values.faults),
  exact: values.exact,
  kinds: values['fault-kinds'].split(',') as RelayFault[],
  seed: Number(values.seed),
});
const errorsOf = (): Promise<OwnError[]> => listErrors(service, TARGET);
/** Number of errors of which a run of the import changed anything. */
async function changedBy(work: () => Promise<void>): Promise<number> {
  const before = new Map((await errorsOf()).map((error) => [error.id, JSON.stringify(error)]));
  await work();
  return (await errorsOf()).filter((error) => before.get(error.id) !== JSON.stringify(error)).length;
}
try {
  const issues = await tracker.listIssues(slug);
  const facts = await tracker.factsOf(issues);
  const compare = () => compareFacts(service, TARGET, issues, facts);
  const target = targetOf(dataDir, slug, relay.url);
  const kills = values.kill === '' ? [] : values.kill.split(',').map(Number);
  const runs = await repeatImport(target, relay, { kills, maxRuns: MAX_RUNS, compare });
  console.error(`faults: ${JSON.stringify(relay.made)}`);
  relay.mute();
  const { facts: compared } = await compare();
  console.log(
    renderTable(
      ['fact', 'told there', 'equal'],
      Object.entries(compared).map(([name, { told, equal }]) => [name, told, equal]),
    ),
  );
  const asked = relay.requests;
  const unchanged = await changedBy(() => importOnce(target));
  console.log(
    `${runs.length} runs; a run without changes there asked ${relay.requests - asked} times and changed ${unchanged} errors`,
  );

  const before = await errorsOf();
  const unequal = unequalCounts(issues, before);
  for (const sentence of unequal.values()) console.error(sentence);
  await send(languages, oldDsnHere(service), 2);
  const total = sumOf(before) + MIXED_ERRORS.length * languages.length;
  const after = await settled(errorsOf, total);
  await importOnce(target);
  const later = await errorsOf();
  const rerunChanged = await changedBy(() => importOnce(target));
  const results: JoinResults = {
    date: new Date().toISOString().slice(0, 10),
    tracker: values.name ?? access.url,
    rerunChanged,
    rows: languages.map(({ id, client: { name, version } }) =>
      judge({ id, name: `${name} ${version}` }, issues, unequal, { before, after, later }),
    ),
  };
  console.log(joinTable(results));
  console.log(`a run after that changed ${rerunChanged} errors`);
  for (const { sdk, apart } of results.rows)
    for (const [kindOf, words] of Object.entries(apart)) console.log(`${sdk}, ${kindOf} apart: ${words.join(' ')}`);
  if (values.name !== undefined) await keep(results);
} finally {
  await relay.close();
  await service.end('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
}

async function keep(results: JoinResults): Promise<void> {
  const known = existsSync(JSON_FILE) ? (JSON.parse(readFileSync(JSON_FILE, 'utf8')) as JoinResults[]) : [];
  const all = [...known.filter(({ tracker: name }) => name !== results.tracker), results];
  const page = joinPage(all);
  const written = [
    [JSON_FILE, JSON.stringify(all), 'json'],
    [PAGE, page, 'markdown'],
  ] as const;
  for (const [file, text, parser] of written)
    writeFileSync(file, await format(text, { ...(await resolveConfig(file)), parser }));
}
