/**
 * `node --import=tsx bench/micro-grouping.ts`: events per second that one thread groups and titles.
 * Uses the CPU time of this process, so that other load disturbs little.
 */
import { readFileSync } from 'node:fs';
import type { NormalisedEvent } from '../src/domain/events/event.ts';
import { groupV2 } from '../src/integrated/digest/group/v2/group.ts';
import { titleOf } from '../src/integrated/digest/title.ts';
import { TUNED } from '../test/grouping/tuned/all.ts';
import { CAPTURE_NAMES, captureRecord, normalise } from '../test/unit/integrated/digest/digest-support.ts';

const RUNS = 9;
/** Events per run, about a tenth of a second. */
const EVENTS = 30_000;

function parsed(body: Uint8Array): NormalisedEvent {
  return normalise(JSON.parse(Buffer.from(body).toString('utf8')));
}

const captures = CAPTURE_NAMES.flatMap((name) => captureRecord(name) ?? []).map(({ body }) => parsed(body));
const corpus = Object.values(TUNED)
  .flat()
  .flatMap(({ first, second }) => [normalise(first), normalise(second)]);
const messages = (TUNED.messages ?? []).flatMap(({ first, second }) => [normalise(first), normalise(second)]);
const python = [parsed(readFileSync(new URL('data/python-event.json', import.meta.url)))];

function perSecond(events: readonly NormalisedEvent[]): number {
  const before = process.cpuUsage().user;
  const rounds = Math.ceil(EVENTS / events.length);
  for (let round = 0; round < rounds; round += 1) {
    for (const event of events) {
      groupV2(event);
      titleOf(event);
    }
  }
  return (rounds * events.length * 1e6) / (process.cpuUsage().user - before);
}

for (const [name, events] of Object.entries({ 'the bench event': python, captures, corpus, messages })) {
  const rates = Array.from({ length: RUNS }, () => perSecond(events)).sort((a, b) => a - b);
  console.log(`${name}: ${Math.round(rates[(RUNS - 1) / 2] ?? 0).toLocaleString('en')} events/s, median of ${RUNS}`);
}
