import type { ErrorStore } from '../domain/ports/stores/error-store.ts';
import {
  MAX_BUCKETS_OF_TREND,
  MAX_EVENTS_OF_TREND,
  MAX_VALUES_OF_TREND,
  type TagTrend,
  type TrendOfValue,
} from '../domain/errors/tag-trend.ts';
import { tagsToCount } from './digest/tags.ts';
import { HOUR_MS } from '../domain/durations.ts';

/** Events with bodies read at a time, so that other requests are served between. */
const STEP = 50;

/** Hours of a bucket, smallest first; beyond the last one buckets are as many weeks as it takes. */
const BUCKETS = [1, 3, 6, 12, 24, 72, 168] as const;

interface Seen {
  readonly at: number;
  readonly release: string | null;
  readonly value: string | null;
}

/** Returns the hours of a bucket, so that no more than MAX_BUCKETS_OF_TREND lie between two times. */
function bucketHoursOf(first: number, last: number): number {
  // The first bucket may begin before the first event.
  const fits = (hours: number) => Math.floor(last / HOUR_MS / hours) - Math.floor(first / HOUR_MS / hours);
  const week = BUCKETS[BUCKETS.length - 1] ?? 168;
  return (
    BUCKETS.find((hours) => fits(hours) < MAX_BUCKETS_OF_TREND) ??
    week * Math.ceil((last - first) / HOUR_MS / week / (MAX_BUCKETS_OF_TREND - 1))
  );
}

/** Counts values over time. `seen`: newest first. */
function trendOf(seen: readonly Seen[], complete: boolean): TagTrend {
  const [last, first] = [seen[0], seen.at(-1)];
  if (first === undefined || last === undefined) {
    const none = { firstEvent: null, lastEvent: null, since: null, bucketHours: 1, buckets: 0 };
    return { events: 0, complete, ...none, values: [], other: 0 };
  }
  const bucketHours = bucketHoursOf(first.at, last.at);
  const bucketOf = (at: number) => Math.floor(at / HOUR_MS / bucketHours);
  const start = bucketOf(first.at);
  const buckets = bucketOf(last.at) - start + 1;
  const byValue = new Map<string, Seen[]>();
  for (const event of seen) {
    if (event.value === null) continue;
    const events = byValue.get(event.value);
    if (events === undefined) byValue.set(event.value, [event]);
    else events.push(event);
  }
  const values = [...byValue].map(([value, events]): TrendOfValue => {
    const counts = Array.from({ length: buckets }, () => 0);
    for (const { at } of events) counts[bucketOf(at) - start] = (counts[bucketOf(at) - start] ?? 0) + 1;
    const [newest, oldest] = [events[0] ?? last, events.at(-1) ?? first];
    const { at: firstSeen, release: firstRelease } = oldest;
    return { value, count: events.length, firstSeen, lastSeen: newest.at, firstRelease, counts };
  });
  values.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  return {
    events: seen.length,
    complete,
    firstEvent: first.at,
    lastEvent: last.at,
    since: start * bucketHours * HOUR_MS,
    bucketHours,
    buckets,
    values: values.slice(0, MAX_VALUES_OF_TREND),
    other: values.slice(MAX_VALUES_OF_TREND).reduce((sum, { count }) => sum + count, 0),
  };
}

/** Reads the newest stored events of an error and counts the values of a tag over time; null: the error is unknown. */
export async function readTagTrend(
  store: Pick<ErrorStore, 'readEvents'>,
  projectId: number,
  errorId: string,
  key: string,
  signal?: AbortSignal,
): Promise<TagTrend | null> {
  const seen: Seen[] = [];
  let cursor: string | null = null;
  do {
    signal?.throwIfAborted();
    const page = await store.readEvents(projectId, errorId, Math.min(STEP, MAX_EVENTS_OF_TREND - seen.length), cursor);
    if (page === null) return null;
    for (const { at, event } of page.items) {
      const value = event === null ? null : (new Map(tagsToCount(event)).get(key) ?? null);
      seen.push({ at, release: event?.release ?? null, value });
    }
    cursor = page.next;
  } while (cursor !== null && seen.length < MAX_EVENTS_OF_TREND);
  return trendOf(seen, cursor === null);
}
