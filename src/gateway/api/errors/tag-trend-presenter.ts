import type { TagTrend } from '../../../domain/tag-trend.ts';
import { isoTime } from '../../http/iso-time.ts';

export function presentTagTrend(key: string, trend: TagTrend) {
  const { events, complete, firstEvent, lastEvent, since, bucketHours, values, other } = trend;
  const startOf = (bucket: number) => (since ?? 0) / 1000 + bucket * bucketHours * 3600;
  return {
    key,
    events,
    complete,
    first_event: firstEvent === null ? null : isoTime(firstEvent),
    last_event: lastEvent === null ? null : isoTime(lastEvent),
    bucket_hours: bucketHours,
    values: values.map(({ value, count, firstSeen, lastSeen, firstRelease, counts }) => ({
      value,
      count,
      first_seen: isoTime(firstSeen),
      last_seen: isoTime(lastSeen),
      first_release: firstRelease,
      frequency: counts.map((each, bucket) => [startOf(bucket), each]),
    })),
    other,
  };
}
