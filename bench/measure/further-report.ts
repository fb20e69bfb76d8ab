import type { CatchUpFigures } from './catch-up.ts';
import type { LoadFigures } from './loads.ts';
import { ratio, table, whole, type Row } from './report.ts';
import type { SingleEventFigures } from './single-events.ts';
import { median } from './statistics.ts';
import type { StoreName } from './stores.ts';

export type RunOf<T> = Partial<Record<StoreName, T>>;

export interface Run<T> {
  readonly machine: string;
  readonly date: string;
  /** Remarks about this run; may be empty. */
  readonly note: string;
  readonly figures: RunOf<T>;
}

export interface FurtherLoadRun extends Run<readonly LoadFigures[]> {
  readonly what: string;
  readonly seconds: number;
  readonly rounds: number;
  /** Events per second that the bare server parsed, by round. */
  readonly baseline: readonly number[];
}

/** Renders loads, by their names for `--only`, as one table with medians of the rounds. */
export function furtherLoadReport(runs: readonly (readonly [name: string, run: FurtherLoadRun])[]): string {
  const rows = runs.flatMap(([name, { baseline, figures }]) =>
    storesOf(figures).map((store): Row => {
      const rounds = figures[store] ?? [];
      const of = (pick: (figures: LoadFigures) => number): string => whole(median(rounds.map(pick)));
      const stored = rounds.map((f) => f.storedPerSecond);
      return [
        `\`${name}\`, ${store}`,
        whole(median(baseline)),
        of((f) => f.acceptedPerSecond),
        `**${whole(median(stored))}**`,
        ratio(stored, baseline).toFixed(3),
        of((f) => f.cpuMicroseconds),
        of((f) => f.maxRssMb),
      ];
    }),
  );
  const heads = ['parsed/s by a bare server', 'accepted/s', 'stored/s', 'share', 'CPU, µs per event', 'memory, MB'];
  return [
    runs.map(([, run]) => heading(run, `median of ${run.rounds} rounds of ${run.seconds} s: ${run.what}`)).join(' '),
    table(['load, store', ...heads], rows),
  ].join('\n\n');
}

/** Renders the bytes of events that came one at a time as Markdown. */
export function singleEventsReport(run: Run<SingleEventFigures> & { readonly events: number }): string {
  const { figures, events } = run;
  const stores = storesOf(figures);
  const row = (name: string, pick: (f: SingleEventFigures) => number): readonly [string, ...string[]] => [
    name,
    ...stores.map((store) => (figures[store] === undefined ? '' : whole(pick(figures[store])))),
  ];
  return [
    heading(run, `${whole(events)} events, each in a batch of its own`),
    table(
      ['bytes on disk per event, more than an empty store', ...stores],
      [
        row('as they came', (f) => f.bytesAlone),
        row('after one pass of retention, which packs them', (f) => f.bytesPacked),
      ],
    ),
  ].join('\n\n');
}

/** Renders starts with a full journal as Markdown. */
export function catchUpReport(run: Run<CatchUpFigures> & { readonly journalBytes: number }): string {
  const { figures, journalBytes } = run;
  const stores = storesOf(figures);
  const row = (name: string, show: (f: CatchUpFigures) => string): readonly [string, ...string[]] => [
    name,
    ...stores.map((store) => (figures[store] === undefined ? '' : show(figures[store]))),
  ];
  return [
    heading(run, `a start with a journal of ${whole(journalBytes / 1e6)} MB`),
    table(
      ['start with a full journal', ...stores],
      [
        row('events in it', (f) => whole(f.events)),
        row('start to ready, ms', (f) => whole(f.readyMs)),
        row('events/s into the store from then on', (f) => whole(f.eventsPerSecond)),
      ],
    ),
  ].join('\n\n');
}

export const storesOf = (figures: RunOf<unknown>): StoreName[] =>
  (['embedded', 'mongodb'] as const).filter((name) => figures[name] !== undefined);

export function heading({ date, machine, note }: Run<unknown>, what: string): string {
  return `${date}; ${machine}; ${what}.${note === '' ? '' : ` ${note}`}`;
}
