import { createHash } from 'node:crypto';
import type { DigestedBatch } from '../../src/domain/ingest/digest.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { createRecordDigester } from '../../src/integrated/digest/digest-record.ts';
import { groupV2 } from '../../src/integrated/digest/group/v2/group.ts';
import { BATCH_BOUNDS } from '../../src/integrated/digest/loop/digest-loop-options.ts';
import { PackedEvents, type UnpackedEvent } from '../../src/integrated/digest/packed-events.ts';
import { eventBody } from './event-body.ts';
import { machineCpuSeconds } from './process.ts';

/** Events of a batch, as the service applies them under load. */
export const BATCH = BATCH_BOUNDS.maxRecords;
const USERS = 1000;
/** Milliseconds before now in which all seeded events lie, so that the charts include them. */
export const SPAN_MS = 23 * 3_600_000;

/** Packs events as the digest does: from eight of a project on in blocks. */
export function packed(events: readonly UnpackedEvent[]): Pick<DigestedBatch, 'events' | 'blocks'> {
  const packing = new PackedEvents();
  for (const event of events) packing.add(event);
  return packing.finish();
}

export interface SeedTimes {
  /** Time of the last event, milliseconds since the epoch; default now. */
  readonly until?: number;
  /** Milliseconds over which the events are spread; default SPAN_MS. */
  readonly spanMs?: number;
}

/** Makes the n-th digested event of the load, with the service's own parsing and grouping. */
export function eventMaker(
  projectId: number,
  errors: number,
  events: number,
  { until = Date.now(), spanMs = SPAN_MS }: SeedTimes = {},
): (index: number) => UnpackedEvent {
  const digest = createRecordDigester({
    group: groupV2,
    scrubberFor: () => ({ beforeGrouping: () => undefined, afterGrouping: () => undefined, inFrames: () => undefined }),
    inApp: { inAppInclude: [], inAppExclude: [] },
    userSalt: 'bench',
    projectPath: () => null,
  });
  // Cycles through all users for the events of each error.
  const userOf = (index: number): number => (index + 37 * Math.floor(index / errors)) % USERS;
  return (index) => {
    const eventId = createHash('sha1').update(`seed ${index}`).digest('hex').slice(0, 32);
    const receivedAt = until - Math.floor((spanMs * (events - index)) / events);
    const text = eventBody(new Date(receivedAt), eventId, index % errors, userOf(index));
    const { event } = digest({
      projectId,
      keyId: 1,
      receivedAt,
      eventId,
      sentAt: null,
      clientIp: null,
      client: null,
      outcomes: [],
      body: Buffer.from(text),
    });
    if (event === null) throw new Error('the template is no event');
    return event;
  };
}

export interface SeedFigures {
  readonly eventsPerSecond: number;
  /** CPU microseconds per event outside this process; on a quiet machine these are the engine's. */
  readonly elsewhereMicroseconds: number;
}

export interface SeedSize extends SeedTimes {
  readonly errors: number;
  readonly events: number;
  /** Events of a batch; default BATCH. */
  readonly batch?: number;
  /** Name of the journal; each seeding of one store needs another. Default `bench`. */
  readonly journal?: string;
}

/** Applies `events` events of `errors` errors, as a digest would, and measures the time of the store. */
export async function seedStore(
  store: Store,
  projectId: number,
  { errors, events, batch = BATCH, journal = 'bench', ...times }: SeedSize,
): Promise<SeedFigures> {
  const make = eventMaker(projectId, errors, events, times);
  const journalId = createHash('sha1').update(journal).digest('hex').slice(0, 32);
  let milliseconds = 0;
  let elsewhere = 0;
  for (let from = 0, n = 1; from < events; from += batch, n += 1) {
    const applied = packed(Array.from({ length: Math.min(batch, events - from) }, (_, index) => make(from + index)));
    const hash = createHash('sha1').update(`${n}`).digest('hex').slice(0, 32);
    const [started, machine, own] = [performance.now(), machineCpuSeconds(), process.cpuUsage()];
    const result = await store.applyBatch({ journalId, n, hash }, { ...applied, outcomes: [] });
    milliseconds += performance.now() - started;
    const used = process.cpuUsage(own);
    elsewhere += machineCpuSeconds() - machine - (used.user + used.system) / 1e6;
    if (result.kind !== 'applied') throw new Error(`a seeded batch was ${result.kind}`);
  }
  return { eventsPerSecond: (events * 1000) / milliseconds, elsewhereMicroseconds: (elsewhere * 1e6) / events };
}
