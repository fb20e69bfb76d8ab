/**
 * `node --import=tsx bench/micro-digest.ts`: CPU microseconds to digest one event.
 * Digesting is parse, normalise, scrub, group and encode. Only this process counts, so that other load disturbs
 * little.
 */
import { readFileSync } from 'node:fs';
import { groupV2 } from '../src/integrated/digest/group/v2/group.ts';
import type { JournalRecord } from '../src/integrated/intake/journal-record.ts';
import { CAPTURE_NAMES, captureRecord, digester, record } from '../test/unit/integrated/digest/digest-support.ts';

const RUNS = 15;
/** Events per run, about half a second. */
const EVENTS = 4000;

const digest = digester({ group: groupV2 });
const captures = CAPTURE_NAMES.flatMap((name) => captureRecord(name) ?? []);
const python = [record(readFileSync(new URL('data/python-event.json', import.meta.url)))];

function microsecondsEach(records: readonly JournalRecord[]): number {
  const rounds = Math.ceil(EVENTS / records.length);
  const before = process.cpuUsage().user;
  for (let round = 0; round < rounds; round += 1) {
    for (const source of records) {
      digest(source);
    }
  }
  return (process.cpuUsage().user - before) / (rounds * records.length);
}

for (const [name, records] of Object.entries({ 'the bench event': python, captures })) {
  const bytes = Math.round(records.reduce((sum, { body }) => sum + body.length, 0) / records.length);
  const costs = Array.from({ length: RUNS }, () => microsecondsEach(records)).sort((a, b) => a - b);
  const median = costs[(RUNS - 1) / 2] ?? 0;
  console.log(
    `${name} (${bytes} bytes): ${median.toFixed(1)} µs an event, median of ${RUNS}, least ${(costs[0] ?? 0).toFixed(1)}`,
  );
}
