/**
 * `npm run bench:endurance`: measures over time and at size, the embedded store and, where ERRGATE_TEST_MONGODB_URI is
 * set, MongoDB: reads of a large store during intake, and retention. The embedded store alone: memory under a steady
 * load, a burst, and pages. Writes bench/results/endurance.{json,md}.
 * Options: --only soak,burst,reads,retention,pages, --minutes N (default 20), --rate N (2000), --burst N (200000),
 * --events N (1000000; reads also with a tenth of it), --errors N (10000), --incoming N (1000), --seconds N (of the
 * load beside reads and before retention, 30), --note TEXT.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { measureBurst } from './measure/burst.ts';
import { endurancePage, type Measured, type Results } from './measure/endurance-report.ts';
import { machineName } from './measure/machine.ts';
import { measurePages } from './measure/pages.ts';
import { measureReads, type ReadFigures } from './measure/reads.ts';
import { measureRetention, type RetentionFigures } from './measure/retention.ts';
import { measureSoak } from './measure/soak.ts';
import { onFresh, storesToMeasure } from './measure/stores.ts';

const PARTS = ['soak', 'burst', 'reads', 'retention', 'pages'];

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: PARTS.join(',') },
    minutes: { type: 'string', default: '20' },
    rate: { type: 'string', default: '2000' },
    burst: { type: 'string', default: '200000' },
    events: { type: 'string', default: '1000000' },
    errors: { type: 'string', default: '10000' },
    incoming: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '30' },
    note: { type: 'string', default: '' },
  },
});

const JSON_FILE = 'bench/results/endurance.json';
const PAGE = 'bench/results/endurance.md';
const wanted = new Set(values.only.split(','));
const unknown = [...wanted].filter((name) => !PARTS.includes(name));
if (unknown.length > 0) throw new Error(`--only takes ${PARTS.join(', ')}; not ${unknown.join(', ')}`);
const size = {
  events: Number(values.events),
  errors: Number(values.errors),
  incomingPerSecond: Number(values.incoming),
  seconds: Number(values.seconds),
};
const stores = storesToMeasure();

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
  for (const [name, make] of stores) {
    for (const events of [size.events / 10, size.events]) {
      console.error(`${name}: reads with ${events} events`);
      all.push(await onFresh(make, (fresh) => measureReads(fresh, { ...size, events })));
    }
  }
  results.reads = measured(all);
}
if (wanted.has('retention')) {
  const all: RetentionFigures[] = [];
  for (const [name, make] of stores) {
    console.error(`${name}: retention of ${size.events} events`);
    all.push(await onFresh(make, (fresh) => measureRetention(fresh, size)));
  }
  results.retention = measured(all);
}
if (wanted.has('pages')) {
  console.error(`pages with ${values.events} events`);
  results.pages = measured(await measurePages({ events: Number(values.events), errors: Number(values.errors) }));
}
if (wanted.has('soak')) {
  console.error(`${values.minutes} minutes at ${values.rate} events/s`);
  results.soak = measured(await measureSoak(Number(values.minutes), Number(values.rate)));
}

const page = await format(endurancePage(results), { ...(await resolveConfig(PAGE)), parser: 'markdown' });
writeFileSync(JSON_FILE, `${JSON.stringify(results, null, 2)}\n`);
writeFileSync(PAGE, page);
console.log(page);
