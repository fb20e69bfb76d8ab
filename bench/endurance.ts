/**
 * `npm run bench:endurance`: measures the embedded store over time and at size.
 * Covers memory under a steady load, a burst, reads of a large store during intake, and its pages.
 * Writes bench/results/endurance.{json,md}.
 * Options: --only soak,burst,reads,pages, --minutes N (default 20), --rate N (2000), --burst N (200000),
 * --events N (1000000; also run with a tenth of it), --errors N (10000), --incoming N (1000), --note TEXT.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { measureBurst, type BurstFigures } from './measure/burst.ts';
import { machineName } from './measure/machine.ts';
import { measurePages, type PageFigures } from './measure/pages.ts';
import { measureReads, READS, type ReadFigures } from './measure/reads.ts';
import { table, whole, type Row } from './measure/report.ts';
import { measureSoak, type SoakFigures } from './measure/soak.ts';

interface Measured<T> {
  readonly date: string;
  readonly machine: string;
  readonly note: string;
  readonly figures: T;
}

interface Results {
  soak?: Measured<SoakFigures>;
  burst?: Measured<BurstFigures>;
  reads?: Measured<readonly ReadFigures[]>;
  pages?: Measured<PageFigures>;
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'soak,burst,reads,pages' },
    minutes: { type: 'string', default: '20' },
    rate: { type: 'string', default: '2000' },
    burst: { type: 'string', default: '200000' },
    events: { type: 'string', default: '1000000' },
    errors: { type: 'string', default: '10000' },
    incoming: { type: 'string', default: '1000' },
    note: { type: 'string', default: '' },
  },
});

const JSON_FILE = 'bench/results/endurance.json';
const PAGE = 'bench/results/endurance.md';
const wanted = new Set(values.only.split(','));

const measured = <T>(figures: T): Measured<T> => ({
  date: new Date().toISOString().slice(0, 10),
  machine: machineName(),
  note: values.note,
  figures,
});

execFileSync(process.execPath, ['scripts/build.js'], { stdio: 'inherit' });
const results: Results = existsSync(JSON_FILE) ? (JSON.parse(readFileSync(JSON_FILE, 'utf8')) as Results) : {};

if (wanted.has('burst')) {
  console.error(`a burst of ${values.burst} events`);
  results.burst = measured(await measureBurst(Number(values.burst)));
}
if (wanted.has('reads')) {
  const all: ReadFigures[] = [];
  for (const events of [Number(values.events) / 10, Number(values.events)]) {
    console.error(`reads with ${events} events`);
    all.push(await measureReads({ events, errors: Number(values.errors), incomingPerSecond: Number(values.incoming) }));
  }
  results.reads = measured(all);
}
if (wanted.has('pages')) {
  console.error(`pages with ${values.events} events`);
  results.pages = measured(await measurePages({ events: Number(values.events), errors: Number(values.errors) }));
}
if (wanted.has('soak')) {
  console.error(`${values.minutes} minutes at ${values.rate} events/s`);
  results.soak = measured(await measureSoak(Number(values.minutes), Number(values.rate)));
}

const page = await format(pageOf(results), { ...(await resolveConfig(PAGE)), parser: 'markdown' });
writeFileSync(JSON_FILE, `${JSON.stringify(results, null, 2)}\n`);
writeFileSync(PAGE, page);
console.log(page);

function pageOf({ soak, burst, reads, pages }: Results): string {
  const parts = ['# Over time and at size', '`npm run bench:endurance`, embedded store.'];
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
  if (reads !== undefined) {
    const sizes = reads.figures;
    const rows = READS.map((name): Row => {
      const cells = sizes.map((size) => `${size.reads[name][0].toFixed(1)} / ${size.reads[name][1].toFixed(1)}`);
      const [small, large] = sizes.map((size) => size.reads[name][1]);
      return [`${name} p50 / p95, ms`, ...cells, ((large ?? Number.NaN) / (small ?? Number.NaN)).toFixed(2)];
    });
    parts.push(
      `## Reads while ${whole(sizes[0]?.incomingPerSecond ?? 0)} events/s come in`,
      source(reads),
      table(['read', ...sizes.map((size) => `${whole(size.events)} events`), 'p95, times'], rows),
    );
  }
  if (pages !== undefined) {
    const { events, errors, coldList, filter, details, longestScrollTask } = pages.figures;
    const both = ([p50, p95]: readonly [number, number]): string => `${p50.toFixed(0)} / ${p95.toFixed(0)}`;
    parts.push(
      `## Pages with ${whole(events)} events in ${whole(errors)} errors, in Chromium`,
      source(pages),
      table(
        ['p50 / p95, ms', 'value'],
        [
          ['list, cold: address to painted rows', both(coldList)],
          ['another order: choice to painted rows', both(filter)],
          ['details: click to painted stack trace', both(details)],
          ['longest task, scrolling 250 frames and 100 breadcrumbs', longestScrollTask.toFixed(0)],
        ],
      ),
    );
  }
  return parts.join('\n\n');
}

function source({ date, machine, note }: Measured<unknown>): string {
  return `${date}; ${machine}.${note === '' ? '' : ` ${note}`}`;
}
