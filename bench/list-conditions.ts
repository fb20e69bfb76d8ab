/**
 * Milliseconds of lists with conditions of a search, ranges and counts of tabs:
 * `node --import=tsx bench/list-conditions.ts [FOLDER [MONGODB_URL]]`. Fills the folder with 1,000,000 events in 10,000
 * errors unless it has a store; without one, a temporary folder. Reads go straight to the store, without HTTP.
 *
 * The embedded store: CPU time, which is what a quiet machine takes, because nothing is waited for; other load disturbs
 * it little. With a URL: time by the clock of both stores in turns, and their ratio; the database is filled unless it
 * has a project, and stays.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SearchCondition } from '../src/domain/search/search-condition.ts';
import type { Store } from '../src/domain/ports/stores/store.ts';
import type { ErrorQuery } from '../src/domain/search/error-query.ts';
import { openStore } from '../src/storage/open/open-store.ts';
import { fillUp } from './measure/fill-up.ts';
import { machineName } from './measure/machine.ts';
import { seedStore } from './measure/seed.ts';
import { percentile } from './measure/statistics.ts';

const SIZE = { errors: 10_000, events: 1_000_000 };
/** Events that are applied to MongoDB; the documents that lists read are then made as after all of them. */
const SEEDED = 100_000;
const RUNS = 40;
const WARM_UP = 5;

type Case = readonly [name: string, query: Partial<ErrorQuery>];

const on = (condition: object): Partial<ErrorQuery> => ({
  conditions: [{ not: false, ...condition } as SearchCondition],
});
const off = (condition: object): Partial<ErrorQuery> => ({
  conditions: [{ not: true, ...condition } as SearchCondition],
});
const all = (...conditions: object[]): Partial<ErrorQuery> => ({
  conditions: conditions.map((condition) => ({ not: false, ...condition }) as SearchCondition),
});

const NOTHING_FILE = { field: 'file', value: 'nothing/here.py' };
const CASES: readonly Case[] = [
  ['no condition', {}],
  ['is:new', on({ field: 'mark', value: 'new' })],
  ['!is:new', off({ field: 'mark', value: 'new' })],
  ['is:regressed (nothing)', on({ field: 'mark', value: 'regressed' })],
  ['is:escalating', on({ field: 'mark', value: 'escalating' })],
  ['is:unhandled (nothing)', on({ field: 'mark', value: 'unhandled' })],
  ['!is:unhandled', off({ field: 'mark', value: 'unhandled' })],
  ['for review', { forReview: true }],
  ['level:fatal (nothing)', on({ field: 'level', value: 'fatal' })],
  ['!level:error (nothing)', off({ field: 'level', value: 'error' })],
  ['assigned:7 (nothing)', on({ field: 'assignee', value: 7 })],
  ['assigned:none', on({ field: 'assignee', value: null })],
  ['type:nosucherror (nothing)', on({ field: 'type', value: 'nosucherror' })],
  ['release (nothing)', on({ field: 'release', value: 'none@1' })],
  ['!environment:production (nothing)', off({ field: 'environment', value: 'production' })],
  ['tag with a value (nothing)', on({ field: 'tag', key: 'shard', value: '7' })],
  ['has a tag (nothing)', on({ field: 'tag', key: 'shard', value: null })],
  ['!has a tag (nothing)', off({ field: 'tag', key: 'shard', value: null })],
  ['beginning of a tag (nothing)', on({ field: 'tag', key: 'shard', value: '7', match: 'prefix' })],
  ['beginning of a tag that all have', on({ field: 'tag', key: 'level', value: 'err', match: 'prefix' })],
  ['browser by name (nothing)', on({ field: 'tag', key: 'browser', value: 'Nothing', match: 'name' })],
  ['beginning of releases (nothing)', on({ field: 'release', value: 'none@', match: 'prefix' })],
  ['beginning of types (nothing)', on({ field: 'type', value: 'NoSuch', match: 'prefix' })],
  ['beginning of files (nothing)', on({ field: 'file', value: 'nothing/', match: 'prefix' })],
  [
    'list of 20 releases (nothing)',
    on({ field: 'any', of: Array.from({ length: 20 }, (_, n) => ({ field: 'release', value: `none@${n}` })) }),
  ],
  [
    'level:[fatal,info] (nothing)',
    on({ field: 'any', of: ['fatal', 'info'].map((value) => ({ field: 'level', value })) }),
  ],
  ['user of some errors', on({ field: 'user', value: '7' })],
  ['user (nothing)', on({ field: 'user', value: 'nobody@shop.test' })],
  ['file (nothing)', on(NOTHING_FILE)],
  ['!file (all)', off(NOTHING_FILE)],
  ['function (nothing)', on({ field: 'function', value: 'nothing' })],
  ['first-seen (nothing)', on({ field: 'first_seen', after: Date.now() + 9e9, before: null })],
  ['last-seen (nothing)', on({ field: 'last_seen', after: Date.now() + 9e9, before: null })],
  ['two words (nothing)', { search: 'nothing matches' }],
  [
    'level:error environment:production file (nothing)',
    all({ field: 'level', value: 'error' }, { field: 'environment', value: 'production' }, NOTHING_FILE),
  ],
  [
    'environment:production, user and a word (nothing)',
    { ...all({ field: 'environment', value: 'production' }, { field: 'user', value: 'nobody' }), search: 'payment' },
  ],
  [
    'is:new, three tags (nothing)',
    all(
      { field: 'mark', value: 'new' },
      { field: 'tag', key: 'environment', value: 'production' },
      { field: 'tag', key: 'level', value: 'error' },
      { field: 'tag', key: 'shard', value: '7' },
    ),
  ],
];

const QUERY: ErrorQuery = {
  ...{ status: 'unresolved', search: null, sort: 'last_seen', environment: null, release: null, level: null },
  ...{ limit: 20, cursor: null },
};

const [given, url] = process.argv.slice(2);
const folder = given ?? mkdtempSync(join(tmpdir(), 'errgate-bench-lists-'));
const filled = existsSync(join(folder, 'errgate.db'));

type Timed = (work: () => Promise<unknown>) => Promise<readonly [p50: number, p95: number]>;

async function percentilesOf(read: () => Promise<number>): Promise<readonly [p50: number, p95: number]> {
  const times: number[] = [];
  for (let run = 0; run < RUNS + WARM_UP; run += 1) {
    const time = await read();
    if (run >= WARM_UP) times.push(time);
  }
  return [percentile(times, 0.5), percentile(times, 0.95)];
}

const byCpu: Timed = (work) =>
  percentilesOf(async () => {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });

const byClock: Timed = (work) =>
  percentilesOf(async () => {
    const before = performance.now();
    await work();
    return performance.now() - before;
  });

/** Returns the project of a store, with up-to-date ranks. */
async function rankedProject(store: Store, now: number): Promise<number> {
  const [project] = await store.listProjects();
  if (project === undefined) throw new Error('the store has no project');
  const ranked = performance.now();
  let errors = 0;
  for (let more = 1; more > 0; errors += more) more = await store.rankErrors(now);
  console.log(`ranked ${errors} errors in ${(performance.now() - ranked).toFixed(0)} ms`);
  return project.id;
}

async function seed(store: Store, events: number): Promise<number> {
  await store.initMeta('user_salt', 'bench');
  const project = await store.createProject({ path: 'bench/lists', name: 'lists', visibility: 'private' });
  const size = { errors: SIZE.errors, events, spanMs: 13 * 86_400_000 };
  const { eventsPerSecond } = await seedStore(store, project.id, size);
  console.log(`seeded, ${eventsPerSecond.toFixed(0)} events/s`);
  return project.id;
}

const QUERIES: readonly (readonly [name: string, query: ErrorQuery])[] = [
  ...CASES.map(([name, query]) => [name, { ...QUERY, ...query }] as const),
  ...(['1h', '24h', '7d', '14d', '30d'] as const).map(
    (range) => [`range ${range}, by frequency`, { ...QUERY, range, sort: 'frequency' }] as const,
  ),
  ['by what matters', { ...QUERY, sort: 'matters' }],
  ['by what matters, file (nothing)', { ...QUERY, sort: 'matters', ...on(NOTHING_FILE) }],
];

const row = (...cells: readonly (string | number)[]) => {
  const texts = cells.map((cell) => (typeof cell === 'number' && !Number.isInteger(cell) ? cell.toFixed(1) : cell));
  console.log(`| ${texts.join(' | ')} |`);
};

async function measureEmbedded(store: Store, project: number, now: number): Promise<void> {
  console.log(`${machineName()}; ${SIZE.events} events in ${SIZE.errors} errors; CPU time of ${RUNS} runs\n`);
  console.log('| query | rows | list p50 ms | p95 | tabs p50 ms | p95 |\n| --- | --: | --: | --: | --: | --: |');
  for (const [name, query] of QUERIES) {
    const rows = (await store.listErrors(project, query, now)).items.length;
    const list = await byCpu(() => store.listErrors(project, query, now));
    row(name, rows, ...list, ...(await byCpu(() => store.countTabs(project, query, now))));
  }
}

async function measureBoth(stores: readonly (readonly [Store, number])[], now: number): Promise<void> {
  console.log(`${machineName()}; ${SIZE.events} events in ${SIZE.errors} errors; clock of ${RUNS} runs, in turns\n`);
  console.log('| query | rows | embedded p50 ms | p95 | MongoDB p50 ms | p95 | tabs p50 ms | p95 | ratio of p50 |');
  console.log('| --- | --: | --: | --: | --: | --: | --: | --: | --: |');
  for (const [name, query] of QUERIES) {
    const found = [];
    for (const [store, project] of stores) {
      const rows = (await store.listErrors(project, query, now)).items.length;
      const list = await byClock(() => store.listErrors(project, query, now));
      found.push({ rows, list, tabs: await byClock(() => store.countTabs(project, query, now)) });
    }
    const [embedded, mongo] = found;
    if (embedded === undefined || mongo === undefined) throw new Error('both stores are measured');
    row(name, mongo.rows, ...embedded.list, ...mongo.list, ...mongo.tabs, mongo.list[0] / embedded.list[0]);
  }
}

const embedded = await openStore({ url: 'sqlite:', dataDir: folder });
const other = url === undefined ? null : await openStore({ url, dataDir: folder });
try {
  if (!filled) await seed(embedded, SIZE.events);
  if (other !== null && url !== undefined && (await other.listProjects()).length === 0) {
    await fillUp(url, await seed(other, SEEDED), { ...SIZE, seeded: SEEDED });
  }
  const now = Date.now();
  const project = await rankedProject(embedded, now);
  if (other === null) await measureEmbedded(embedded, project, now);
  else await measureBoth([[embedded, project] as const, [other, await rankedProject(other, now)] as const], now);
} finally {
  await embedded.close();
  await other?.close();
  if (given === undefined) rmSync(folder, { recursive: true, force: true });
}
