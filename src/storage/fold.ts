import { textsOf, type ErrorTexts } from '../domain/errors/error-texts.ts';
import type { DigestedEvent, OutcomeCount } from '../domain/ingest/digest.ts';
import { occurredAt, type Occurred } from './state/status-end.ts';
import { HOUR_MS } from '../domain/durations.ts';

export type FirstOccurrence = Pick<DigestedEvent, 'at' | 'eventId' | 'release'>;
export type LastOccurrence = FirstOccurrence &
  ErrorTexts & {
    /** Host of the event's address; null without one. Absent where the text of searches is made already. */
    readonly host?: string | null;
  };

/** Returns the host of the address of an event. */
export function hostOf({ tags }: Pick<DigestedEvent, 'tags'>): string | null {
  return tags.find(([key]) => key === 'url.host')?.[1] ?? null;
}

/** All changes of a batch to one error: stores convert it to one write per document. */
export interface ErrorDelta {
  readonly projectId: number;
  readonly groupHash: string;
  readonly groupingVersion: number;
  readonly count: number;
  /** Users new for this error. */
  readonly newUsers: number;
  /** Least and greatest by (at, event id), so that every order of batches gives the same result. */
  readonly first: FirstOccurrence;
  readonly last: LastOccurrence;
  readonly newestReceived: number;
  /** Event with the greatest `occurredAt`, which decides about reopening. */
  readonly newest: Occurred;
  /** The events of `first` and `newest`, for facts. */
  readonly firstEvent: DigestedEvent;
  readonly newestEvent: DigestedEvent;
  /** The newest event of each release, by the same time. */
  readonly releases: ReadonlyMap<string, number>;
  /** Events by whole hour since the epoch, by the time they happened. */
  readonly hours: ReadonlyMap<number, number>;
  /** Events by tag key and value. */
  readonly tags: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

interface Accumulator {
  count: number;
  first: DigestedEvent;
  last: DigestedEvent;
  newestReceived: number;
  newest: DigestedEvent;
  newestAt: number;
  readonly releases: Map<string, number>;
  readonly hours: Map<number, number>;
  readonly tags: Map<string, Map<string, number>>;
}

/**
 * Sums up the new events of a batch per group hash, in the order of first occurrence. `newUsers` is the number of new
 * (error, user) rows per group hash.
 */
export function foldBatch(
  newEvents: readonly DigestedEvent[],
  newUsers: ReadonlyMap<string, number>,
): Map<string, ErrorDelta> {
  const accumulators = new Map<string, Accumulator>();
  for (const event of newEvents) {
    let sum = accumulators.get(event.groupHash);
    if (sum === undefined) {
      sum = {
        count: 0,
        first: event,
        last: event,
        newestReceived: event.receivedAt,
        newest: event,
        newestAt: occurredAt(event),
        releases: new Map(),
        hours: new Map(),
        tags: new Map(),
      };
      accumulators.set(event.groupHash, sum);
    }
    addEvent(sum, event);
  }
  const deltas = new Map<string, ErrorDelta>();
  for (const [groupHash, sum] of accumulators) {
    deltas.set(groupHash, toDelta(groupHash, sum, newUsers.get(groupHash) ?? 0));
  }
  return deltas;
}

function addEvent(sum: Accumulator, event: DigestedEvent): void {
  sum.count += 1;
  if (isBefore(event, sum.first)) {
    sum.first = event;
  }
  if (isBefore(sum.last, event)) {
    sum.last = event;
  }
  if (event.receivedAt > sum.newestReceived) {
    sum.newestReceived = event.receivedAt;
  }
  const occurred = occurredAt(event);
  if (occurred > sum.newestAt) {
    sum.newestAt = occurred;
    sum.newest = event;
  }
  const { release } = event;
  if (release !== null && occurred > (sum.releases.get(release) ?? -Infinity)) {
    sum.releases.set(release, occurred);
  }
  const hour = hourOf(event.at);
  sum.hours.set(hour, (sum.hours.get(hour) ?? 0) + 1);
  for (const [key, value] of event.tags) {
    let values = sum.tags.get(key);
    if (values === undefined) {
      values = new Map();
      sum.tags.set(key, values);
    }
    values.set(value, (values.get(value) ?? 0) + 1);
  }
}

function toDelta(groupHash: string, sum: Accumulator, newUsers: number): ErrorDelta {
  const { first, last } = sum;
  return {
    projectId: first.projectId,
    groupHash,
    groupingVersion: first.groupingVersion,
    count: sum.count,
    newUsers,
    first: { at: first.at, eventId: first.eventId, release: first.release },
    last: { at: last.at, eventId: last.eventId, release: last.release, ...textsOf(last), host: hostOf(last) },
    newestReceived: sum.newestReceived,
    newest: { at: sum.newestAt, release: sum.newest.release },
    firstEvent: first,
    newestEvent: sum.newest,
    releases: sum.releases,
    hours: sum.hours,
    tags: sum.tags,
  };
}

/** Orders occurrences by time, then by event id, which makes the order total. */
export function isBefore(a: { at: number; eventId: string }, b: { at: number; eventId: string }): boolean {
  return a.at < b.at || (a.at === b.at && a.eventId < b.eventId);
}

export function hourOf(milliseconds: number): number {
  return Math.floor(milliseconds / HOUR_MS);
}

/** Sums up outcomes that differ only in the minute; `at` becomes the start of the hour. */
export class OutcomeSums {
  readonly #sums = new Map<string, { -readonly [K in keyof OutcomeCount]: OutcomeCount[K] }>();

  add(count: OutcomeCount): void {
    const hour = hourOf(count.at);
    const { projectId, keyId, category, outcome, reason } = count;
    const key = `${projectId} ${keyId} ${hour} ${category} ${outcome} ${reason}`;
    const sum = this.#sums.get(key);
    if (sum === undefined) {
      this.#sums.set(key, { ...count, at: hour * HOUR_MS });
    } else {
      sum.quantity += count.quantity;
    }
  }

  values(): Iterable<OutcomeCount> {
    return this.#sums.values();
  }
}
