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
const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;

const storedPerSecond = (figures: ErrgateFigures): number => figures.storedPerSecond;

/** Median of the ratios within each round, so that changes of the machine affect both figures. */
export const ratio = (of: readonly number[], to: readonly number[]): number =>
  median(of.map((figure, round) => figure / (to[round] ?? Number.NaN)));

const storesOf = (figures: BenchFigures): StoreName[] =>
  (['embedded', 'mongodb'] as const).filter((name) => figures.load[name] !== undefined);

/** Renders baselines and loads as Markdown, with medians of the rounds. */
export function loadReport(figures: BenchFigures): string {
  const { machine, date, seconds, rounds, engine, note } = figures;
  const stores = storesOf(figures);
  const heading =
    `${date}; ${machine}; median of ${rounds} rounds of ${seconds} s.` +
    (engine === null ? '' : ` The MongoDB is ${engine}, on the same machine and disk.`) +
    (note === '' ? '' : ` ${note}`);
  return [
    heading,
    table(['baseline', 'requests/s'], baselineRows(figures)),
    table(['errgate', ...stores], loadRows(figures, stores)),
  ].join('\n\n');
}

/** Renders the figures of a store with many errors as Markdown. */
export function largeReport(figures: BenchFigures, stores: readonly StoreName[]): string {
  const { events, errors } = figures.large;
  return table([`${whole(events)} events in ${whole(errors)} errors`, ...stores], largeRows(figures, stores));
}

/** Renders all figures as Markdown, with medians of the rounds. */
export function report(figures: BenchFigures): string {
  const stores = storesOf(figures);
  const parts = [loadReport(figures), largeReport(figures, stores)];
  if (stores.includes('mongodb')) {
    parts.push(table(['MongoDB', 'figure'], mongoRows(figures)));
    parts.push(
      table(
        ['collection', 'documents', 'BSON bytes each', 'bytes on disk each', 'of these indexes'],
        sizeRows(figures),
      ),
    );
  }
  return parts.join('\n\n');
}

function baselineRows({ nodeHttp, koa }: BenchFigures): Row[] {
  return [
    ['bare `node:http` + JSON.parse', whole(median(nodeHttp))],
    ['bare Koa + JSON.parse', whole(median(koa))],
  ];
}

function loadRows({ nodeHttp, load }: BenchFigures, stores: readonly StoreName[]): Row[] {
  const row = (name: string, show: (of: (pick: (f: ErrgateFigures) => number) => number) => string): Row => [
    name,
    ...stores.map((store) => show((pick) => median((load[store] ?? []).map(pick)))),
  ];
  return [
    row('accepted/s', (of) => whole(of((f) => f.acceptedPerSecond))),
    row('**stored/s end to end**', (of) => `**${whole(of((f) => f.storedPerSecond))}**`),
    [
      'stored/s as a share of bare `node:http`',
      ...stores.map((store) => ratio((load[store] ?? []).map(storedPerSecond), nodeHttp).toFixed(3)),
    ],
    row('acceptance p50 / p99 at half that load, ms', (of) =>
      pair(
        of((f) => f.half.p50),
        of((f) => f.half.p99),
        2,
      ),
    ),
    row('of which the generator was late with requests itself, p99, ms', (of) => of((f) => f.half.ownP99).toFixed(2)),
    row('requests refused', (of) => whole(of((f) => f.refused))),
    row('resident memory of the service, highest under load, MB', (of) => whole(of((f) => f.maxRssMb))),
    row('CPU of the service per event at full load, µs', (of) => whole(of((f) => f.cpuMicroseconds))),
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

function mongoRows({ load, lists, ceiling }: BenchFigures): Row[] {
  const stored = median((load.mongodb ?? []).map((f) => f.storedPerSecond));
  const perRound = (store: StoreName): number[] => (load[store] ?? []).map(storedPerSecond);
  const ofEmbedded = ratio(perRound('mongodb'), perRound('embedded'));
  const of = (pick: (f: CeilingFigures) => number): number => median(ceiling.map(pick));
  const [one, four] = [of((f) => f.oneWriter), of((f) => f.fourWriters)];
  const [mongoList, embeddedList] = [lists.mongodb, lists.embedded];
  const worst = (Object.keys(LISTS) as ListName[])
    .map((name) => (mongoList?.lists[name].p95 ?? Number.NaN) / (embeddedList?.lists[name].p95 ?? Number.NaN))
    .map((ratio) => ratio.toFixed(1));
  return [
    ...(load.embedded === undefined
      ? []
      : [['stored/s as a share of the embedded store', percent(ofEmbedded)] as const]),
    ['the engine alone, bare bulks of the same event documents, events/s', whole(one)],
    ['the same with four bulks at once', whole(four)],
    [
      'stored/s as a share of the bare bulks, one / four at once',
      `${percent(stored / one)} / ${percent(stored / four)}`,
    ],
    ['list p95 as a multiple of the embedded store, in the order above', worst.join(' / ')],
    [
      'CPU of the engine per event, every event of a batch another error, µs',
      whole(mongoList?.seed.elsewhereMicroseconds ?? Number.NaN),
    ],
    ['one `deleteMany` by time of receipt, documents/s', whole(of((f) => f.deleted))],
    ['dropping a collection of as many, ms', whole(of((f) => f.dropMs))],
  ];
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

/** Comments around generated figures. A page has each pair once. */
function marks(name: string): readonly [begin: string, end: string] {
  const [, profiled, node] = /^(profile-)?node-(.+)/.exec(name) ?? [];
  const option = node === undefined ? `--only ${name} ` : `--node ${node} `;
  const script = profiled === undefined ? 'bench' : 'bench:profile';
  const command = name === 'first-minute' ? 'bench:first-minute -- ' : `${script} -- ${name === '' ? '' : option}`;
  const label = name === '' ? 'figures' : `${name} figures`;
  return [`<!-- ${label}: begin, made by \`npm run ${command}--write\` -->`, `<!-- ${label}: end -->`];
}

/** Replaces the text between two comments of a page. `name` is needed for pages with several pairs. */
export function writeFigures(page: string, text: string, name = ''): void {
  const [begin, end] = marks(name);
  const before = readFileSync(page, 'utf8');
  const [from, to] = [before.indexOf(begin), before.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} has no place for figures`);
  writeFileSync(page, `${before.slice(0, from)}${begin}\n\n${text}\n\n${before.slice(to)}`);
}
