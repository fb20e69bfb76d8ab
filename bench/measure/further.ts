import { measureCatchUp, type CatchUpFigures } from './catch-up.ts';
import { catchUpReport, furtherLoadReport, singleEventsReport, type RunOf } from './further-report.ts';
import { LOADS, makeBodies, measureLoad, measureLoadBaseline, type LoadFigures, type LoadName } from './loads.ts';
import { machineName } from './machine.ts';
import { measureSingleEvents, type SingleEventFigures } from './single-events.ts';
import { onFresh, type FreshStore, type StoreName } from './stores.ts';

export interface FurtherOptions {
  readonly stores: ReadonlyMap<StoreName, () => FreshStore>;
  /** Seconds of each load. */
  readonly seconds: number;
  readonly rounds: number;
  readonly singleEvents: number;
  readonly journalBytes: number;
  readonly note: string;
}

/** Figures as they are stored, and as Markdown. */
export interface Measured {
  readonly run: object;
  readonly text: string;
}

/** Measures with a section of their own in bench/README.md, by their name for `--only`. */
export const FURTHER: ReadonlyMap<string, (options: FurtherOptions) => Promise<Measured>> = new Map([
  ...(Object.keys(LOADS) as LoadName[]).map(
    (name) => [name, (options: FurtherOptions) => benchLoad(name, options)] as const,
  ),
  ['single-events', benchSingleEvents] as const,
  ['catch-up', benchCatchUp] as const,
]);

function about({ note }: FurtherOptions): { machine: string; date: string; note: string } {
  return { machine: machineName(), date: new Date().toISOString().slice(0, 10), note };
}

async function benchLoad(name: LoadName, options: FurtherOptions): Promise<Measured> {
  const { stores, seconds, rounds } = options;
  const baseline: number[] = [];
  const figures: RunOf<LoadFigures[]> = {};
  const bodies = makeBodies(name, seconds);
  try {
    for (let round = 1; round <= rounds; round += 1) {
      console.error(`${name}, round ${round} of ${rounds}`);
      baseline.push(await measureLoadBaseline(name, bodies, seconds));
      for (const [store, make] of stores) {
        const measured = await onFresh(make, (fresh) => measureLoad(name, fresh, bodies, seconds));
        console.error(`  ${store}: ${measured.storedPerSecond.toFixed(0)} stored/s`);
        (figures[store] ??= []).push(measured);
      }
    }
  } finally {
    bodies.remove();
  }
  const run = { ...about(options), seconds, rounds, what: LOADS[name].what, baseline, figures };
  return { run, text: furtherLoadReport([[name, run]]) };
}

async function benchSingleEvents(options: FurtherOptions): Promise<Measured> {
  const figures: RunOf<SingleEventFigures> = {};
  for (const [store, make] of options.stores) {
    console.error(`${store}: ${options.singleEvents} events, one at a time`);
    figures[store] = await onFresh(make, (fresh) => measureSingleEvents(fresh, options.singleEvents));
  }
  const run = { ...about(options), events: options.singleEvents, figures };
  return { run, text: singleEventsReport(run) };
}

async function benchCatchUp(options: FurtherOptions): Promise<Measured> {
  const figures: RunOf<CatchUpFigures> = {};
  for (const [store, make] of options.stores) {
    console.error(`${store}: a start with a journal of ${options.journalBytes} bytes`);
    figures[store] = await onFresh(make, (fresh) => measureCatchUp(fresh, options.journalBytes));
  }
  const run = { ...about(options), journalBytes: options.journalBytes, figures };
  return { run, text: catchUpReport(run) };
}
