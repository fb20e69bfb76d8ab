import type { CatchUpFigures } from './catch-up.ts';
import type { LoadFigures } from './loads.ts';
import { ratio, table, whole } from './report.ts';
import type { SingleEventFigures } from './single-events.ts';
import { median } from './statistics.ts';
import type { StoreName } from './stores.ts';

export type RunOf<T> = Partial<Record<StoreName, T>>;

interface Run<T> {
  readonly machine: string;
  readonly date: string;
  /** Remarks about this run; may be empty. */
  readonly note: string;
  readonly figures: RunOf<T>;
}

/** Renders a load as Markdown, with medians of the rounds. */
export function furtherLoadReport(
  run: Run<readonly LoadFigures[]> & {
    readonly what: string;
    readonly seconds: number;
    readonly rounds: number;
    /** Events per second that the bare server parsed, by round. */
    readonly baseline: readonly number[];
  },
): string {
  const { baseline, seconds, rounds, what, figures } = run;
  const stores = storesOf(figures);
  const row = (name: string, show: (rounds: readonly LoadFigures[]) => string): readonly [string, ...string[]] => [
    name,
    ...stores.map((store) => show(figures[store] ?? [])),
  ];
  const stored = (all: readonly LoadFigures[]): number[] => all.map((f) => f.storedPerSecond);
  const of = (all: readonly LoadFigures[], pick: (f: LoadFigures) => number): string => whole(median(all.map(pick)));
  return [
    heading(run, `median of ${rounds} rounds of ${seconds} s: ${what}`),
    table(
      ['events', ...stores],
      [
        ['parsed/s by a bare `node:http`', ...stores.map(() => whole(median(baseline)))],
        row('accepted/s', (all) => of(all, (f) => f.acceptedPerSecond)),
        row('**stored/s end to end**', (all) => `**${whole(median(stored(all)))}**`),
        row('stored/s as a share of bare `node:http`', (all) => ratio(stored(all), baseline).toFixed(3)),
        row('CPU of the service per event, µs', (all) => of(all, (f) => f.cpuMicroseconds)),
        row('resident memory of the service, highest, MB', (all) => of(all, (f) => f.maxRssMb)),
      ],
    ),
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

const storesOf = (figures: RunOf<unknown>): StoreName[] =>
  (['embedded', 'mongodb'] as const).filter((name) => figures[name] !== undefined);

function heading({ date, machine, note }: Run<unknown>, what: string): string {
  return `${date}; ${machine}; ${what}.${note === '' ? '' : ` ${note}`}`;
}
