import type { Store } from '../../src/domain/ports/stores/store.ts';
import { createMappingDigester, createRecordDigester } from '../../src/integrated/digest/digest-record.ts';
import type { DigestMappedRecord } from '../../src/integrated/digest/digested-record.ts';
import { groupV2 } from '../../src/integrated/digest/group/v2/group.ts';
import { scrubbersFor } from '../../src/integrated/digest/scrub/scrubbers-for.ts';
import type { JournalRecord } from '../../src/integrated/intake/journal-record.ts';
import { EVENT_ID, NO_RULES, record } from '../../test/unit/integrated/digest/digest-support.ts';
import { eventBody } from './event-body.ts';
import { browserError, mapperOn, type SentFrames } from './mapped-event.ts';
import { ratio } from './report.ts';
import { median } from './statistics.ts';

/** Turns of each event with and without the step that maps frames. */
const TURNS = 9;

/** Microseconds of processor time in which an event is digested. */
export interface DigestCost {
  readonly without: number;
  readonly with: number;
  /** Median of the ratios within each turn, so that changes of the machine affect both. */
  readonly ratio: number;
}

export const DIGESTED_EVENTS = {
  python: 'the Python event of the load',
  noUploads: 'an event of a browser with a release, in a project without uploads',
  otherRelease: 'the same, in a project that has uploads of other releases',
  mapped: 'an event of a browser with debug ids, all frames mapped',
} as const;
export type DigestedEvent = keyof typeof DIGESTED_EVENTS;

export type DigestFigures = Readonly<Record<DigestedEvent, DigestCost>>;

/** Measures the digest of events with and without the step that maps their frames, in turns. */
export async function measureDigest(
  store: Store,
  projectId: number,
  sent: SentFrames,
  events: number,
): Promise<DigestFigures> {
  const deps = {
    group: groupV2,
    scrubberFor: scrubbersFor(
      { enabled: true, scrubIps: false, sensitiveFields: [], safeFields: [], projects: {} },
      () => undefined,
    ),
    inApp: NO_RULES,
    userSalt: 'bench',
    projectPath: () => null,
  };
  const [plain, mapping] = [createRecordDigester(deps), createMappingDigester(deps, mapperOn(store))];
  const other = { projectId: projectId + 1 };
  const released = JSON.stringify(browserError(sent, 'shop@1.0.0'));
  const records: Record<DigestedEvent, JournalRecord> = {
    python: record(eventBody(new Date(), EVENT_ID, 1, 1), { projectId }),
    noUploads: record(released, other),
    otherRelease: record(released, { projectId }),
    mapped: record(JSON.stringify(browserError(sent)), { projectId }),
  };
  const costs: Partial<Record<DigestedEvent, DigestCost>> = {};
  for (const name of Object.keys(records) as DigestedEvent[]) {
    costs[name] = await costOf(records[name], plain, mapping, events);
  }
  return costs as DigestFigures;
}

async function costOf(
  each: JournalRecord,
  plain: DigestMappedRecord,
  mapping: DigestMappedRecord,
  events: number,
): Promise<DigestCost> {
  const [without, withStep]: [number[], number[]] = [[], []];
  // The first turn warms up.
  for (let turn = 0; turn <= TURNS; turn += 1) {
    const pair = [
      [plain, without],
      [mapping, withStep],
    ] as const;
    for (const [digest, samples] of turn % 2 === 0 ? pair : pair.toReversed()) {
      const cost = await microsecondsEach(digest, each, events);
      if (turn > 0) samples.push(cost);
    }
  }
  return { without: median(without), with: median(withStep), ratio: ratio(withStep, without) };
}

async function microsecondsEach(digest: DigestMappedRecord, each: JournalRecord, events: number): Promise<number> {
  const before = process.cpuUsage();
  for (let done = 0; done < events; done += 1) {
    const digested = digest(each);
    if (digested instanceof Promise) await digested;
  }
  const used = process.cpuUsage(before);
  return (used.user + used.system) / events;
}
