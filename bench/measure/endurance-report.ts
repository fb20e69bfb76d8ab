import type { BurstFigures } from './burst.ts';
import type { PageFigures } from './pages.ts';
import { READS, type ReadFigures } from './reads.ts';
import { table, whole, type Row } from './report.ts';
import type { RetentionFigures } from './retention.ts';
import type { SoakFigures } from './soak.ts';

export interface Measured<T> {
  readonly date: string;
  readonly machine: string;
  readonly note: string;
  readonly figures: T;
}

export interface Results {
  soak?: Measured<SoakFigures>;
  burst?: Measured<BurstFigures>;
  reads?: Measured<readonly ReadFigures[]>;
  retention?: Measured<readonly RetentionFigures[]>;
  pages?: Measured<PageFigures>;
}

/** Renders the page of results. */
export function endurancePage({ soak, burst, reads, retention, pages }: Results): string {
  const parts = [
    '# Over time and at size',
    '`npm run bench:endurance`; the embedded store where nothing else is said.',
  ];
  if (soak !== undefined) {
    const { minutes, perSecond, load, maxRssMb, slopeMbPerMinute, anonymousSlopeMbPerMinute, cpuMicroseconds } =
      soak.figures;
    parts.push(
      `## ${minutes} minutes at ${whole(perSecond)} events/s`,
      source(soak),
      table(
        ['figure', 'value'],
        [
          ['events sent / refused', `${whole(load.sent)} / ${whole(load.failed)}`],
          ['resident memory of the service, highest, MB', maxRssMb.toFixed(0)],
          ['slope over the last three quarters, MB/min', slopeMbPerMinute.toFixed(2)],
          ['the same without pages of files, MB/min', anonymousSlopeMbPerMinute.toFixed(2)],
          ['acceptance p50 / p99, ms', `${load.p50.toFixed(2)} / ${load.p99.toFixed(2)}`],
          ['CPU of the service per event, µs', cpuMicroseconds.toFixed(0)],
        ],
      ),
    );
  }
  if (burst !== undefined) {
    const { accepted, refused, acceptedPerSecond, digestedMeanwhilePerSecond, digestedAfterwardsPerSecond } =
      burst.figures;
    const after = digestedAfterwardsPerSecond === null ? 'nothing was left over' : whole(digestedAfterwardsPerSecond);
    parts.push(
      '## A burst at full speed',
      source(burst),
      table(
        ['figure', 'value'],
        [
          ['events accepted / refused', `${whole(accepted)} / ${whole(refused)}`],
          ['accepted/s', whole(acceptedPerSecond)],
          ['digested/s meanwhile', whole(digestedMeanwhilePerSecond)],
          ['digested/s afterwards', after],
        ],
      ),
    );
  }
  if (reads !== undefined) parts.push(...readParts(reads));
  if (retention !== undefined) parts.push(...retentionParts(retention));
  if (pages !== undefined) {
    const { events, errors, coldList, coldDetails, filter, details, longestScrollTask } = pages.figures;
    const both = ([p50, p95]: readonly [number, number]): string => `${p50.toFixed(0)} / ${p95.toFixed(0)}`;
    parts.push(
      `## Pages with ${whole(events)} events in ${whole(errors)} errors, in Chromium`,
      source(pages),
      table(
        ['p50 / p95, ms', 'value'],
        [
          ['list, cold: address to painted rows', both(coldList)],
          ['details, cold: address to painted stack trace', both(coldDetails)],
          ['another order: choice to painted rows', both(filter)],
          ['details: click to painted stack trace', both(details)],
          ['longest task, scrolling 250 frames and 100 breadcrumbs', longestScrollTask.toFixed(0)],
        ],
      ),
    );
  }
  return parts.join('\n\n');
}

function readParts(reads: Measured<readonly ReadFigures[]>): string[] {
  const all = reads.figures;
  const rows = READS.map((name): Row => {
    const p95 = (of: ReadFigures | undefined): number => of?.reads[name]?.[1] ?? Number.NaN;
    const cells = all.map(({ reads: { [name]: read } }) =>
      read === undefined ? '' : `${read[0].toFixed(1)} / ${read[1].toFixed(1)}`,
    );
    const embedded = all.filter(isEmbedded);
    const mongodb = all.filter((figures) => !isEmbedded(figures));
    const times = [p95(embedded.at(-1)) / p95(embedded[0]), p95(mongodb.at(-1)) / p95(embedded.at(-1))];
    return [`${name} p50 / p95, ms`, ...cells, ...times.map((value) => (value > 0 ? value.toFixed(2) : ''))];
  });
  const head = all.map((figures) => `${isEmbedded(figures) ? 'embedded' : 'mongodb'}, ${whole(figures.events)} events`);
  return [
    `## Reads while ${whole(all[0]?.incomingPerSecond ?? 0)} events/s come in`,
    source(reads),
    table(['read', ...head, 'p95, times by size', 'p95, mongodb of embedded'], rows),
  ];
}

/** Results of earlier versions name no store: they are of the embedded one. */
function isEmbedded({ store }: ReadFigures): boolean {
  return store !== 'mongodb';
}

function retentionParts(retention: Measured<readonly RetentionFigures[]>): string[] {
  const all = retention.figures;
  const { events = 0, incomingPerSecond = 0 } = all[0] ?? {};
  const row = (name: string, show: (figures: RetentionFigures) => string): Row => [name, ...all.map(show)];
  return [
    `## Retention of ${whole(events)} events while ${whole(incomingPerSecond)} events/s come in`,
    source(retention),
    table(
      ['`errgate prune` beside the service', ...all.map(({ store }) => store)],
      [
        row('events removed with their keys, events/s', ({ removedPerSecond }) => whole(removedPerSecond)),
        row('acceptance p50 / p99 before, ms', ({ before }) => both(before)),
        row('acceptance p50 / p99 meanwhile, ms', ({ meanwhile }) => both(meanwhile)),
        row('of which the generator was late, p99, before / meanwhile, ms', ({ before, meanwhile }) =>
          both({ p50: before.ownP99, p99: meanwhile.ownP99 }),
        ),
      ],
    ),
  ];
}

function both({ p50, p99 }: { readonly p50: number; readonly p99: number }): string {
  return `${p50.toFixed(2)} / ${p99.toFixed(2)}`;
}

function source({ date, machine, note }: Measured<unknown>): string {
  return `${date}; ${machine}.${note === '' ? '' : ` ${note}`}`;
}
