import { createHash } from 'node:crypto';
import type { DigestedEvent } from '../../src/domain/digest.ts';
import type { Store } from '../../src/domain/ports/store.ts';
import { createRecordDigester } from '../../src/integrated/digest/digest-record.ts';
import { encodeText } from '../../src/lib/payload-codec.ts';
import { groupV1 } from '../../src/integrated/digest/group/v1/group.ts';
import { eventBody } from './event-body.ts';
import { machineCpuSeconds } from './process.ts';

/** Batch size; the service has the same default. */
export const BATCH = 2000;
const USERS = 1000;
/** Milliseconds before now in which all seeded events lie, so that the charts include them. */
export const SPAN_MS = 23 * 3_600_000;

/** Makes the n-th digested event of the load, with the service's own parsing, grouping and encoding. */
export function eventMaker(projectId: number, errors: number, events: number): (index: number) => DigestedEvent {
  const digest = createRecordDigester({
    group: groupV1,
    scrubberFor: () => ({ beforeGrouping: () => undefined, afterGrouping: () => undefined }),
    inApp: { inAppInclude: [], inAppExclude: [] },
    userSalt: 'bench',
    projectPath: () => null,
  });
  const now = Date.now();
  // Cycles through all users for the events of each error.
  const userOf = (index: number): number => (index + 37 * Math.floor(index / errors)) % USERS;
  return (index) => {
    const eventId = createHash('sha1').update(`seed ${index}`).digest('hex').slice(0, 32);
    const receivedAt = now - Math.floor((SPAN_MS * (events - index)) / events);
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
    return { ...event, payload: encodeText(event.payload) };
  };
}

export interface SeedFigures {
  readonly eventsPerSecond: number;
  /** CPU microseconds per event outside this process; on a quiet machine these are the engine's. */
  readonly elsewhereMicroseconds: number;
}

/** Applies `events` events of `errors` errors, as a digest would, and measures the time of the store. */
export async function seedStore(
  store: Store,
  projectId: number,
  { errors, events }: { readonly errors: number; readonly events: number },
): Promise<SeedFigures> {
  const make = eventMaker(projectId, errors, events);
  const journalId = createHash('sha1').update('bench').digest('hex').slice(0, 32);
  let milliseconds = 0;
  let elsewhere = 0;
  for (let from = 0, n = 1; from < events; from += BATCH, n += 1) {
    const batch = Array.from({ length: Math.min(BATCH, events - from) }, (_, index) => make(from + index));
    const hash = createHash('sha1').update(`${n}`).digest('hex').slice(0, 32);
    const [started, machine, own] = [performance.now(), machineCpuSeconds(), process.cpuUsage()];
    const result = await store.applyBatch({ journalId, n, hash }, { events: batch, outcomes: [] });
    milliseconds += performance.now() - started;
    const used = process.cpuUsage(own);
    elsewhere += machineCpuSeconds() - machine - (used.user + used.system) / 1e6;
    if (result.kind !== 'applied') throw new Error(`a seeded batch was ${result.kind}`);
  }
  return { eventsPerSecond: (events * 1000) / milliseconds, elsewhereMicroseconds: (elsewhere * 1e6) / events };
}
