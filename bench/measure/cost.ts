import { sizeReport, table, whole, type BenchFigures, type Row } from './report.ts';
import { median } from './statistics.ts';
import type { CollectionSize } from './stores.ts';

/** Load at 1x, and assumptions that cannot be measured here. docs/scaling.md states the same in words. */
const BASE = {
  eventsPerDay: 1_000_000,
  errors: 10_000,
  /** Busiest hour relative to the mean. */
  peak: 5,
  retentionDays: 90,
  /** Share of events with a user that is new to their error. */
  newUserShare: 0.1,
  /** Days on which an error occurs, of the 31 days that are kept. */
  daysPerError: 31,
  copies: 3,
  /** Maximum load of a core and of a gateway's digest at the peak. */
  busy: 0.5,
  coresPerShard: 16,
  bytesPerShard: 2e12,
} as const;

interface Inputs {
  readonly event: number;
  readonly user: number;
  readonly error: number;
  readonly gatewayMicroseconds: number;
  readonly engineMicroseconds: number;
  readonly storedPerSecond: number;
  readonly prunedPerSecond: number;
}

const DAY_SECONDS = 86_400;

/** Renders measured inputs and the costs at 1, 10, 100 and 1,000 times the load; null without MongoDB. */
export function costs(figures: BenchFigures): string | null {
  const { lists, load, large, date, machine, note } = figures;
  if (lists.mongodb === undefined || load.mongodb === undefined) return null;
  const { sizes, seed, wholePruned } = lists.mongodb;
  const errors = large.errors;
  const inputs: Inputs = {
    event: bytesEach(sizes, 'events') + blockBytesPerEvent(sizes),
    user: bytesEach(sizes, 'errorusers'),
    error:
      bytesEach(sizes, 'errors') + bytesEach(sizes, 'errortags') + BASE.daysPerError * bytesEach(sizes, 'errorhours'),
    gatewayMicroseconds: median(load.mongodb.map((f) => f.cpuMicroseconds)),
    engineMicroseconds: seed.elsewhereMicroseconds,
    storedPerSecond: median(load.mongodb.map((f) => f.storedPerSecond)),
    prunedPerSecond: wholePruned,
  };
  const scales = [1, 10, 100, 1000];
  const head = `Measured ${date} on ${machine}.${note === '' ? '' : ` ${note}`}`;
  return [
    head,
    table(['measured', 'value'], inputRows(inputs, errors)),
    sizeReport(figures),
    table(['arithmetic', ...scales.map((scale) => `${whole(scale)}×`)], costRows(inputs, scales)),
  ].join('\n\n');
}

/** Bytes per document with its index entries. Excludes space that the engine has not reclaimed after updates. */
function bytesEach(sizes: readonly CollectionSize[], collection: string): number {
  const size = sizes.find((each) => each.collection === collection);
  return size === undefined ? Number.NaN : size.documentBytes + size.indexBytes / size.documents;
}

/** Bytes of the blocks that have the payloads of events, with their index entries, divided by the events. */
function blockBytesPerEvent(sizes: readonly CollectionSize[]): number {
  const blocks = sizes.find((each) => each.collection === 'eventblocks');
  const events = sizes.find((each) => each.collection === 'events');
  if (blocks === undefined || events === undefined) return 0;
  return (blocks.documentBytes * blocks.documents + blocks.indexBytes) / events.documents;
}

function inputRows(inputs: Inputs, errors: number): Row[] {
  return [
    ['an event with its share of a block and its index entries, bytes', whole(inputs.event)],
    ['a user of an error, with its index entry, bytes', whole(inputs.user)],
    [`an error, its tags and ${BASE.daysPerError} days of its chart, bytes`, whole(inputs.error)],
    ['CPU of a gateway per event (service, both threads), µs', whole(inputs.gatewayMicroseconds)],
    [
      `CPU of the engine per event, dearest case (a batch whose events all belong to different errors, of ${whole(errors)}), µs`,
      whole(inputs.engineMicroseconds),
    ],
    ['stored/s of one gateway that shares two cores with the engine and the load', whole(inputs.storedPerSecond)],
    ['events removed by retention, documents/s', whole(inputs.prunedPerSecond)],
  ];
}

function costRows(inputs: Inputs, scales: readonly number[]): Row[] {
  const row = (name: string, value: (scale: number) => string): Row => [name, ...scales.map(value)];
  const mean = (scale: number): number => (BASE.eventsPerDay * scale) / DAY_SECONDS;
  const peak = (scale: number): number => mean(scale) * BASE.peak;
  const events = (scale: number): number => BASE.eventsPerDay * scale * BASE.retentionDays;
  const users = (scale: number): number => BASE.eventsPerDay * scale * BASE.newUserShare * 365;
  const bytes = (scale: number): number =>
    events(scale) * inputs.event + users(scale) * inputs.user + BASE.errors * scale * inputs.error;
  const cores = (scale: number, microseconds: number): number => (peak(scale) * microseconds) / 1e6 / BASE.busy;
  const shards = (scale: number): number =>
    Math.max(1, bytes(scale) / BASE.bytesPerShard, cores(scale, inputs.engineMicroseconds) / BASE.coresPerShard);
  return [
    row('events a day', (s) => whole(BASE.eventsPerDay * s)),
    row('events/s, mean / peak', (s) => `${whole(mean(s))} / ${whole(peak(s))}`),
    row(`events kept for ${BASE.retentionDays} days`, (s) => size(events(s) * inputs.event)),
    row('(error, user) rows after a year, which stay', (s) => size(users(s) * inputs.user)),
    row('errors, tags, charts', (s) => size(BASE.errors * s * inputs.error)),
    row('one copy / three copies', (s) => `${size(bytes(s))} / ${size(bytes(s) * BASE.copies)}`),
    row('gateways by stored/s (two at least)', (s) =>
      whole(Math.max(2, Math.ceil(peak(s) / BASE.busy / inputs.storedPerSecond))),
    ),
    row('gateway cores at the peak', (s) => cores(s, inputs.gatewayMicroseconds).toFixed(1)),
    row('primary cores at the peak, dearest case', (s) => cores(s, inputs.engineMicroseconds).toFixed(1)),
    row('shards by bytes and cores', (s) => whole(Math.ceil(shards(s)))),
    row('time that retention is busy', (s) => `${((mean(s) / inputs.prunedPerSecond) * 100).toFixed(1)} %`),
  ];
}

function size(bytes: number): string {
  const units = ['MB', 'GB', 'TB'];
  let value = bytes / 1e6;
  while (value >= 1000 && units.length > 1) {
    value /= 1000;
    units.shift();
  }
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ${units[0] ?? ''}`;
}
