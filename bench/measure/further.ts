import { measureCatchUp, type CatchUpFigures } from './catch-up.ts';
import { catchUpReport, furtherLoadReport, singleEventsReport, type RunOf } from './further-report.ts';
import { LARGE_FILES } from './generate-build.ts';
import { LOADS, makeBodies, measureLoad, measureLoadBaseline, type LoadFigures, type LoadName } from './loads.ts';
import { machineName } from './machine.ts';
import { measureSourceMaps, type SourceMapFigures } from './source-maps.ts';
import { sourceMapReport, uploadsReport } from './uploads-report.ts';
import { measureSingleEvents, type SingleEventFigures } from './single-events.ts';
import { onFresh, type FreshStore, type StoreName } from './stores.ts';
import { measureUploads, type UploadsFigures } from './uploads.ts';

export interface FurtherOptions {
  readonly stores: ReadonlyMap<StoreName, () => FreshStore>;
  /** Seconds of each load. */
  readonly seconds: number;
  readonly rounds: number;
  readonly singleEvents: number;
  readonly journalBytes: number;
  readonly uploadBytes: number;
  readonly note: string;
}

/** Figures as they are stored, and as Markdown. */
export interface Measured {
  readonly run: object;
  readonly text: string;
}

/** Measures with a section of their own in a page of bench/, by their name for `--only`. */
export const FURTHER: ReadonlyMap<string, (options: FurtherOptions) => Promise<Measured>> = new Map([
  ...(Object.keys(LOADS) as LoadName[]).map(
    (name) => [name, (options: FurtherOptions) => benchLoad(name, options)] as const,
  ),
  ['single-events', benchSingleEvents] as const,
  ['catch-up', benchCatchUp] as const,
  ['source-maps', benchSourceMaps] as const,
  ['uploads', benchUploads] as const,
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

/** Events of each kind whose frames are mapped. */
const MAPPED_EVENTS = 2000;
const SETTLE_MS = 5000;

async function benchSourceMaps(options: FurtherOptions): Promise<Measured> {
  const { stores, rounds } = options;
  const figures: RunOf<SourceMapFigures> = {};
  for (const [store, make] of stores) {
    console.error(`${store}: maps of ${LARGE_FILES} files, ${rounds} rounds`);
    const size = { files: LARGE_FILES, rounds, events: MAPPED_EVENTS, settleMs: SETTLE_MS };
    figures[store] = await onFresh(make, (fresh) => measureSourceMaps(fresh, size));
  }
  const run = { ...about(options), rounds, events: MAPPED_EVENTS, figures };
  return { run, text: sourceMapReport(run) };
}

/** Events per second beside an upload, as in the load that lasts for 20 minutes. */
const BESIDE_UPLOAD = 2000;

async function benchUploads(options: FurtherOptions): Promise<Measured> {
  const { stores, seconds, uploadBytes: bytes } = options;
  const figures: RunOf<UploadsFigures> = {};
  for (const [store, make] of stores) {
    console.error(`${store}: intake beside an upload of ${bytes} bytes`);
    const size = { bytes, files: LARGE_FILES, eventsPerSecond: BESIDE_UPLOAD, seconds };
    figures[store] = await onFresh(make, (fresh) => measureUploads(fresh, size));
  }
  const run = { ...about(options), eventsPerSecond: BESIDE_UPLOAD, figures };
  return { run, text: uploadsReport(run) };
}
