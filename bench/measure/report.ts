import { readFileSync, writeFileSync } from 'node:fs';
import type { CeilingFigures } from './ceiling.ts';
import type { ErrgateFigures } from './errgate.ts';
import { LISTS, type LargeStoreFigures, type ListName } from './large-store.ts';
import { median } from './statistics.ts';
import type { StoreName } from './stores.ts';

export interface BenchFigures {
  readonly machine: string;
  readonly date: string;
  readonly seconds: number;
  readonly rounds: number;
  readonly large: { readonly errors: number; readonly events: number };
  readonly nodeHttp: readonly number[];
  readonly koa: readonly number[];
  readonly load: Readonly<Partial<Record<StoreName, readonly ErrgateFigures[]>>>;
  readonly lists: Readonly<Partial<Record<StoreName, LargeStoreFigures>>>;
  readonly ceiling: readonly CeilingFigures[];
  /** Version string of the MongoDB server; null when none was measured. */
  readonly engine: string | null;
  /** Remarks about this run; may be empty. */
  readonly note: string;
}

export type Row = readonly [name: string, ...values: string[]];

export const whole = (value: number): string => Math.round(value).toLocaleString('en-GB');
const pair = (a: number, b: number, digits: number): string => `${a.toFixed(digits)} / ${b.toFixed(digits)}`;

const storedPerSecond = (figures: ErrgateFigures): number => figures.storedPerSecond;

/** Median of the ratios within each round, so that changes of the machine affect both figures. */
export const ratio = (of: readonly number[], to: readonly number[]): number =>
  median(of.map((figure, round) => figure / (to[round] ?? Number.NaN)));

const storesOf = (figures: BenchFigures): StoreName[] =>
  (['embedded', 'mongodb'] as const).filter((name) => figures.load[name] !== undefined);

/** Renders baselines and loads of runs, each on a Node.js of its own, as one table with medians of the rounds. */
export function loadReport(runs: readonly BenchFigures[]): string {
  const headings = runs.map(
    ({ machine, date, seconds, rounds, note }) =>
      `${date}; ${machine}; median of ${rounds} rounds of ${seconds} s.` + (note === '' ? '' : ` ${note}`),
  );
  const columns = runs.flatMap((run) => storesOf(run).map((store) => ({ run, store })));
  const heads = columns.map(({ run, store }) => `${store}, ${/Node v\d+/.exec(run.machine)?.[0] ?? run.machine}`);
  return [headings.join(' '), table(['load', ...heads], loadRows(columns))].join('\n\n');
}

/** Renders the figures of a store with many errors as Markdown. */
export function largeReport(figures: BenchFigures, stores: readonly StoreName[]): string {
  const { events, errors } = figures.large;
  return table([`${whole(events)} events in ${whole(errors)} errors`, ...stores], largeRows(figures, stores));
}

/** Renders lists, retention and the engine of MongoDB as Markdown, with medians of the rounds. */
export function storeReport(figures: BenchFigures): string {
  const { machine, date, rounds, engine } = figures;
  const stores = storesOf(figures);
  const heading =
    `${date}; ${machine}; figures of the engine alone are medians of ${rounds} rounds.` +
    (engine === null ? '' : ` The MongoDB is ${engine}, on the same machine and disk.`);
  const parts = [heading, largeReport(figures, stores)];
  if (stores.includes('mongodb')) {
    parts.push(table(['MongoDB', 'figure'], mongoRows(figures)));
  }
  return parts.join('\n\n');
}

interface LoadColumn {
  readonly run: BenchFigures;
  readonly store: StoreName;
}

function loadRows(columns: readonly LoadColumn[]): Row[] {
  const loadOf = ({ run, store }: LoadColumn): readonly ErrgateFigures[] => run.load[store] ?? [];
  const row = (name: string, show: (of: (pick: (f: ErrgateFigures) => number) => number) => string): Row => [
    name,
    ...columns.map((column) => show((pick) => median(loadOf(column).map(pick)))),
  ];
  return [
    ['requests/s of bare `node:http` + JSON.parse', ...columns.map(({ run }) => whole(median(run.nodeHttp)))],
    ['requests/s of bare Koa + JSON.parse', ...columns.map(({ run }) => whole(median(run.koa)))],
    row('accepted/s', (of) => whole(of((f) => f.acceptedPerSecond))),
    row('**stored/s end to end**', (of) => `**${whole(of((f) => f.storedPerSecond))}**`),
    [
      'stored/s as a share of bare `node:http`',
      ...columns.map((column) => ratio(loadOf(column).map(storedPerSecond), column.run.nodeHttp).toFixed(3)),
    ],
    row('acceptance p50 / p99 at half that load, ms', (of) =>
      pair(
        of((f) => f.half.p50),
        of((f) => f.half.p99),
        2,
      ),
    ),
    row('of which the generator was late itself, p99, ms', (of) => of((f) => f.half.ownP99).toFixed(2)),
    row('requests refused', (of) => whole(of((f) => f.refused))),
    row('resident memory, highest under load, MB', (of) => whole(of((f) => f.maxRssMb))),
    row('CPU of the service per event, µs', (of) => whole(of((f) => f.cpuMicroseconds))),
    row('disk per event, bytes', (of) => whole(of((f) => f.bytesPerEvent))),
    row('start to ready, ms', (of) => whole(of((f) => f.readyMs))),
  ];
}

function largeRows({ lists }: BenchFigures, stores: readonly StoreName[]): Row[] {
  const row = (name: string, show: (figures: LargeStoreFigures) => string): Row => [
    name,
    ...stores.map((store) => (lists[store] === undefined ? '' : show(lists[store]))),
  ];
  return [
    ...(Object.keys(LISTS) as ListName[]).map((name) =>
      row(`list p50 / p95, ms: ${name}`, ({ lists: all }) => pair(all[name].p50, all[name].p95, 1)),
    ),
    row('events/s into the store, no HTTP, every event of a batch another error', ({ seed }) =>
      whole(seed.eventsPerSecond),
    ),
    row('retention, events removed with their keys, documents/s', ({ wholePruned }) => whole(wholePruned)),
    row('retention, payloads alone, documents/s', ({ payloadsPruned }) => whole(payloadsPruned)),
    row('retention, keys whose payload went before, documents/s', ({ keysPruned }) => whole(keysPruned)),
  ];
}

function mongoRows({ lists, ceiling }: BenchFigures): Row[] {
  const of = (pick: (f: CeilingFigures) => number): string => whole(median(ceiling.map(pick)));
  const [mongoList, embeddedList] = [lists.mongodb, lists.embedded];
  const worst = (Object.keys(LISTS) as ListName[])
    .map((name) => (mongoList?.lists[name].p95 ?? Number.NaN) / (embeddedList?.lists[name].p95 ?? Number.NaN))
    .map((ratio) => ratio.toFixed(1));
  return [
    ['the engine alone, bare bulks of the same event documents, events/s', of((f) => f.oneWriter)],
    ['the same with four bulks at once', of((f) => f.fourWriters)],
    ['list p95 as a multiple of the embedded store, in the order above', worst.join(' / ')],
    [
      'CPU of the engine per event, every event of a batch another error, µs',
      whole(mongoList?.seed.elsewhereMicroseconds ?? Number.NaN),
    ],
    ['one `deleteMany` by time of receipt, documents/s', of((f) => f.deleted)],
    ['dropping a collection of as many, ms', of((f) => f.dropMs)],
  ];
}

/** Renders the bytes of the documents of each MongoDB collection as Markdown. */
export function sizeReport(figures: BenchFigures): string {
  const heads = ['collection', 'documents', 'BSON bytes each', 'bytes on disk each', 'of these indexes'];
  return table(heads, sizeRows(figures));
}

function sizeRows({ lists }: BenchFigures): Row[] {
  return (lists.mongodb?.sizes ?? [])
    .filter(({ documents }) => documents >= 100)
    .map(({ collection, documents, documentBytes, storageBytes, indexBytes }) => [
      `\`${collection}\``,
      whole(documents),
      whole(documentBytes),
      whole((storageBytes + indexBytes) / documents),
      whole(indexBytes / documents),
    ]);
}

export function table(head: readonly string[], rows: readonly Row[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Commands that make the sections of pages; all others are made by `npm run bench -- --only NAME --write`. */
const MADE_BY: Readonly<Record<string, string>> = {
  '': 'bench -- --write',
  loads: 'bench -- --node VERSION --write',
  'further-loads': 'bench -- --only NAME --write',
  'first-minute': 'bench:first-minute -- --write',
};

/** Comments around generated figures. A page has each pair once. */
function marks(name: string): readonly [begin: string, end: string] {
  const command = MADE_BY[name] ?? `bench -- --only ${name} --write`;
  const label = name === '' ? 'figures' : `${name} figures`;
  return [`<!-- ${label}: begin, made by \`npm run ${command}\` -->`, `<!-- ${label}: end -->`];
}

/** Replaces the text between two comments of a page. `name` is needed for pages with several pairs. */
export function writeFigures(page: string, text: string, name = ''): void {
  const [begin, end] = marks(name);
  const before = readFileSync(page, 'utf8');
  const [from, to] = [before.indexOf(begin), before.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} has no place for figures`);
  writeFileSync(page, `${before.slice(0, from)}${begin}\n\n${text}\n\n${before.slice(to)}`);
}
