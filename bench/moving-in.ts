/**
 * `npm run drill:moving-in -- --url URL --org SLUG --token TOKEN --dsn DSN`: moves in from a live tracker. Sends errors
 * of mixed kinds with the SDKs that run here to the DSN's project, imports it with the command, compares every count,
 * then sends one more event of each error to errgate through the old DSN and counts those that join their imported
 * error. Prints a table by SDK.
 * Options: --sdks go,java,…; --skip-fill when the tracker has the errors already; --name TEXT writes the result into
 * bench/results/moving-in-live.{json,md} under this name of the tracker. Use a project of its own for it.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { buildOnce, runErrgate } from '../test/support/cli-process.ts';
import { readPages } from '../test/support/read-pages.ts';
import { MIXED_ERRORS } from '../test/support/sdks/mixed/mixed-error.ts';
import { MIXED_LANGUAGES, type MixedLanguage } from '../test/support/sdks/mixed/mixed-languages.ts';
import { type ServiceProcess, startServiceProcess } from '../test/support/service-process.ts';
import { joinPage, type JoinResults, joinTable } from './moving-in/join-report.ts';
import { judge, type OwnError, unequalCounts } from './moving-in/judge.ts';
import { listIssues, type OldTracker, projectSlug, settled, sumOf } from './moving-in/old-tracker.ts';

const JSON_FILE = 'bench/results/moving-in-live.json';
const PAGE = 'bench/results/moving-in-live.md';
const TARGET = 'moved/shop';

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    org: { type: 'string' },
    token: { type: 'string' },
    dsn: { type: 'string' },
    sdks: { type: 'string', default: MIXED_LANGUAGES.map(({ id }) => id).join(',') },
    'skip-fill': { type: 'boolean', default: false },
    name: { type: 'string' },
  },
});
const { url, org, token, dsn } = values;
if (url === undefined || org === undefined || token === undefined || dsn === undefined)
  throw new Error('usage: npm run drill:moving-in -- --url URL --org SLUG --token TOKEN --dsn DSN');
const tracker: OldTracker = { url: url.replace(/\/+$/, ''), org, token, dsn };

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

async function importInto(dataDir: string, slug: string): Promise<void> {
  const args = ['import', '--url', tracker.url, '--org', tracker.org, '--project', `${slug}=${TARGET}`];
  const run = await runErrgate(args, {
    ERRGATE_DATA_DIR: dataDir,
    ERRGATE_IMPORT_TOKEN: tracker.token,
    ERRGATE_OUTBOUND_ALLOW: new URL(tracker.url).host,
  });
  console.error(run.stdout);
  if (run.code !== 0) throw new Error(`the import ended with ${run.code}:\n${run.stdout}${run.stderr}`);
}

const errorsOf = (service: ServiceProcess): Promise<OwnError[]> =>
  readPages<OwnError>(
    service,
    `/api/v4/projects/${encodeURIComponent(TARGET)}/error_tracking/errors?status=all&per_page=100`,
  );

/** The DSN with errgate's address and the old key and id, at the root path. */
function oldDsnHere(service: ServiceProcess): string {
  const moved = new URL(tracker.dsn);
  moved.host = new URL(service.url).host;
  moved.protocol = 'http:';
  moved.pathname = `/${moved.pathname.split('/').at(-1) ?? ''}`;
  return moved.href;
}

await buildOnce();
const languages = await prepared(values.sdks.split(','));
const slug = await projectSlug(tracker);
if (!values['skip-fill']) {
  const each = MIXED_ERRORS.reduce((sum, { times }) => sum + times, 0);
  const expected = sumOf(await listIssues(tracker, slug)) + each * languages.length;
  await send(languages, tracker.dsn, 1);
  const counted = sumOf(await settled(() => listIssues(tracker, slug), expected));
  if (counted !== expected) console.error(`the tracker counted ${counted} events, ${expected} were sent`);
}
const dataDir = mkdtempSync(join(tmpdir(), 'errgate-moving-in-'));
const service = await startServiceProcess(dataDir);
try {
  await importInto(dataDir, slug);
  const issues = await listIssues(tracker, slug);
  const before = await errorsOf(service);
  const unequal = unequalCounts(issues, before);
  for (const sentence of unequal.values()) console.error(sentence);

  await send(languages, oldDsnHere(service), 2);
  const total = sumOf(before) + MIXED_ERRORS.length * languages.length;
  const after = await settled(() => errorsOf(service), total);

  await importInto(dataDir, slug);
  const later = await errorsOf(service);
  const counts = new Map(later.map(({ id, count }) => [id, count]));
  await importInto(dataDir, slug);
  const rerunChanged = (await errorsOf(service)).filter(({ id, count }) => counts.get(id) !== count).length;
  const results: JoinResults = {
    date: new Date().toISOString().slice(0, 10),
    tracker: values.name ?? tracker.url,
    rerunChanged,
    rows: languages.map(({ id, client: { name, version } }) =>
      judge({ id, name: `${name} ${version}` }, issues, unequal, { before, after, later }),
    ),
  };
  console.log(joinTable(results));
  console.log(`a run after that changed ${rerunChanged} errors`);
  for (const { sdk, apart } of results.rows)
    for (const [kind, words] of Object.entries(apart)) console.log(`${sdk}, ${kind} apart: ${words.join(' ')}`);
  if (values.name !== undefined) await keep(results);
} finally {
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
