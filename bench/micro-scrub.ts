/**
 * `node --import=tsx bench/micro-scrub.ts`: microseconds to scrub one normalised event, both steps.
 * Takes the minimum of many runs, because other load only adds time.
 */
import { readFileSync } from 'node:fs';
import type { NormalisedEvent } from '../src/domain/events/event.ts';
import { createScrubber } from '../src/integrated/digest/scrub/scrubber.ts';
import { CAPTURE_NAMES, captureRecord, normalise, record } from '../test/unit/integrated/digest/digest-support.ts';

const RUNS = 25;
/** Events per run. */
const EVENTS = 1500;

const scrubber = createScrubber({ enabled: true, scrubIps: false, sensitiveFields: [], safeFields: [] });
const python = [record(readFileSync(new URL('data/python-event.json', import.meta.url)))];
const captures = CAPTURE_NAMES.flatMap((name) => captureRecord(name) ?? []);

/** Scrubs copies, because it changes events in place. The copies are made before the measurement. */
function microsecondsEach(events: readonly NormalisedEvent[]): number {
  const rounds = Math.ceil(EVENTS / events.length);
  const copies = Array.from({ length: rounds }, () => events.map((event) => structuredClone(event))).flat();
  const started = performance.now();
  for (const event of copies) {
    scrubber.beforeGrouping(event);
    scrubber.afterGrouping(event);
  }
  return ((performance.now() - started) * 1000) / copies.length;
}

for (const [name, records] of Object.entries({ 'the bench event': python, captures })) {
  const bytes = Math.round(records.reduce((sum, { body }) => sum + body.length, 0) / records.length);
  const events = records.map(({ body }) => normalise(JSON.parse(Buffer.from(body).toString())));
  const costs = Array.from({ length: RUNS }, () => microsecondsEach(events)).sort((a, b) => a - b);
  const median = costs[(RUNS - 1) / 2] ?? 0;
  console.log(
    `${name} (${bytes} bytes): least of ${RUNS} ${(costs[0] ?? 0).toFixed(1)} µs, median ${median.toFixed(1)}`,
  );
}
