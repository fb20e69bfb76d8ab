import { DIGESTED_EVENTS, type DigestedEvent } from './digest-of-frames.ts';
import { heading, storesOf, type Run } from './further-report.ts';
import { FRAMES, type MappingFigures } from './mapped-event.ts';
import type { OpenLoopFigures } from './open-loop.ts';
import { table, whole, type Row } from './report.ts';
import { MAPS, type SourceMapFigures } from './source-maps.ts';
import { median } from './statistics.ts';
import type { UploadsFigures } from './uploads.ts';

const mega = (bytes: number): string => (bytes / 1e6).toFixed(1);
const pair = (a: number, b: number, digits: number): string => `${a.toFixed(digits)} / ${b.toFixed(digits)}`;

/** Makes a row with one figure for each store. */
type RowOf<T> = (name: string, show: (figures: T) => string) => Row;

function rowsOf<T>({ figures }: Run<T>, stores: ReturnType<typeof storesOf>): RowOf<T> {
  return (name, show) => [
    name,
    ...stores.map((store) => {
      const measured = figures[store];
      return measured === undefined ? '' : show(measured);
    }),
  ];
}

/** Renders the cost of source maps as Markdown: a table of maps and frames, and one of events by their digest. */
export function sourceMapReport(run: Run<SourceMapFigures> & { readonly rounds: number; readonly events: number }) {
  const stores = storesOf(run.figures);
  const row = rowsOf(run, stores);
  const mapped = (what: string, of: (figures: SourceMapFigures) => MappingFigures): Row[] => [
    row(`${what}, maps opened, p50 / p95, µs`, (f) => range(of(f).warm)),
    row(`${what}, processor time, µs`, (f) => whole(of(f).warm.processor)),
    row(`${what}, nothing known yet, p50 / p95, ms`, (f) => pair(of(f).cold.p50, of(f).cold.p95, 1)),
  ];
  const digested = (Object.keys(DIGESTED_EVENTS) as DigestedEvent[]).map((name) =>
    row(DIGESTED_EVENTS[name], ({ digest }) => {
      const { without, with: withStep, ratio } = digest[name];
      return `${pair(without, withStep, 1)} / ${ratio.toFixed(2)}`;
    }),
  );
  return [
    heading(run, `${run.rounds} uploads of the large map; ${whole(run.events)} events of each kind`),
    table(
      ['source maps', ...stores],
      [
        row('the large map / its script / its compact form, MB', (f) =>
          [f.mapBytes, f.scriptBytes, f.compactBytes].map(mega).join(' / '),
        ),
        row('unpacked, indexed and stored in, ms, median', (f) => whole(median(f.openedMs))),
        row('processor time of the service meanwhile, ms, median', (f) => whole(median(f.processorMs))),
        row('memory of the idle service / most more meanwhile, MB', (f) => pair(f.idleMb, f.addedMb, 0)),
        ...mapped(`${FRAMES} frames in the large map`, (f) => f.inOne),
        ...mapped(`${FRAMES} frames in ${MAPS} maps of 1 MB`, (f) => f.inSeveral),
      ],
    ),
    table(['digest without / with the mapping of frames, µs of processor time / ratio', ...stores], digested),
  ].join('\n\n');
}

const range = ({ p50, p95 }: { readonly p50: number; readonly p95: number }): string => `${whole(p50)} / ${whole(p95)}`;

/** Renders intake beside a large upload as Markdown. */
export function uploadsReport(run: Run<UploadsFigures> & { readonly eventsPerSecond: number }): string {
  const stores = storesOf(run.figures);
  const row = rowsOf(run, stores);
  const loads = (show: (load: OpenLoopFigures) => string) => (f: UploadsFigures) =>
    [f.before, f.beside, f.after].map(show).join(' · ');
  return [
    heading(run, `${whole(run.eventsPerSecond)} events a second before · during · after one upload`),
    table(
      ['intake beside an upload', ...stores],
      [
        row('the upload, MB / maps in it', (f) => `${mega(f.bytes)} / ${f.maps}`),
        row('its chunks stored in / its maps usable after further, s', (f) =>
          pair(f.upload.sentMs / 1000, f.upload.openedMs / 1000, 1),
        ),
        row(
          'events sent',
          loads(({ sent }) => whole(sent)),
        ),
        row(
          'refused or not answered',
          loads(({ failed }) => whole(failed)),
        ),
        row('accepted, all of which were stored', (f) => whole(f.accepted)),
        row(
          'acceptance p50, ms',
          loads(({ p50 }) => p50.toFixed(1)),
        ),
        row(
          'acceptance p99, ms',
          loads(({ p99 }) => p99.toFixed(1)),
        ),
        row(
          'of which the generator was late itself, p99, ms',
          loads(({ ownP99 }) => ownP99.toFixed(1)),
        ),
        row('most memory of the service, before / beside the upload, MB', (f) => pair(f.aloneMb, f.besideMb, 0)),
      ],
    ),
  ].join('\n\n');
}
