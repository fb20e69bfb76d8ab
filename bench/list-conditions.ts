/**
 * CPU milliseconds of lists with conditions of a search, ranges and counts of tabs on the embedded store:
 * `node --import=tsx bench/list-conditions.ts [FOLDER]`. Fills the folder with 1,000,000 events in 10,000 errors unless
 * it has a store; without one, a temporary folder. Reads go straight to the store, without
 * HTTP. They wait for nothing, so that CPU time is what a quiet machine takes, and other load disturbs little.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SearchCondition } from '../src/domain/search-condition.ts';
import type { ErrorQuery } from '../src/domain/tracked-error.ts';
import { openStore } from '../src/storage/open-store.ts';
import { machineName } from './measure/machine.ts';
import { seedStore } from './measure/seed.ts';
import { percentile } from './measure/statistics.ts';

const SIZE = { errors: 10_000, events: 1_000_000 };
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

const given = process.argv[2];
const folder = given ?? mkdtempSync(join(tmpdir(), 'errgate-bench-lists-'));
const filled = existsSync(join(folder, 'errgate.db'));
const store = await openStore({ url: 'sqlite:', dataDir: folder });
try {
  if (!filled) {
    await store.initMeta('user_salt', 'bench');
    const project = await store.createProject({ path: 'bench/lists', name: 'lists', visibility: 'private' });
    const { eventsPerSecond } = await seedStore(store, project.id, { ...SIZE, spanMs: 13 * 86_400_000 });
    console.log(`seeded, ${eventsPerSecond.toFixed(0)} events/s`);
  }
  const [project] = await store.listProjects();
  if (project === undefined) throw new Error('the store has no project');
  const now = Date.now();
  const ranked = performance.now();
  let errors = 0;
  for (let more = 1; more > 0; errors += more) more = await store.rankErrors(now);
  console.log(`ranked ${errors} errors in ${(performance.now() - ranked).toFixed(0)} ms`);
  const timed = async (work: () => Promise<unknown>): Promise<readonly [number, number]> => {
    const times: number[] = [];
    for (let run = 0; run < RUNS + WARM_UP; run += 1) {
      const before = process.cpuUsage();
      await work();
      const { user, system } = process.cpuUsage(before);
      if (run >= WARM_UP) times.push((user + system) / 1000);
    }
    return [percentile(times, 0.5), percentile(times, 0.95)];
  };
  console.log(`${machineName()}; ${SIZE.events} events in ${SIZE.errors} errors; CPU time of ${RUNS} runs\n`);
  console.log('| query | rows | list p50 ms | p95 | tabs p50 ms | p95 |\n| --- | --: | --: | --: | --: | --: |');
  const row = async (name: string, query: ErrorQuery) => {
    const rows = (await store.listErrors(project.id, query, now)).items.length;
    const list = await timed(() => store.listErrors(project.id, query, now));
    const tabs = await timed(() => store.countTabs(project.id, query, now));
    console.log(`| ${[name, rows, ...[...list, ...tabs].map((ms) => ms.toFixed(1))].join(' | ')} |`);
  };
  for (const [name, query] of CASES) await row(name, { ...QUERY, ...query });
  for (const range of ['1h', '24h', '7d', '14d', '30d'] as const) {
    await row(`range ${range}, by frequency`, { ...QUERY, range, sort: 'frequency' });
  }
  await row('by what matters', { ...QUERY, sort: 'matters' });
  await row('by what matters, file (nothing)', { ...QUERY, sort: 'matters', ...on(NOTHING_FILE) });
} finally {
  await store.close();
  if (given === undefined) rmSync(folder, { recursive: true, force: true });
}
