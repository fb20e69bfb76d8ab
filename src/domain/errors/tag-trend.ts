/** When a value of a tag was seen in the events that were looked at. */
export interface TrendOfValue {
  readonly value: string;
  readonly count: number;
  /** Milliseconds since the epoch, of its first and last event among them. */
  readonly firstSeen: number;
  readonly lastSeen: number;
  /** Release of that first event; null: it has none. */
  readonly firstRelease: string | null;
  /** Events per bucket, oldest first. */
  readonly counts: readonly number[];
}

/** Values of a tag over time, among the newest stored events of an error. */
export interface TagTrend {
  /** Events that were looked at, with the tag or without, at most MAX_EVENTS_OF_TREND. */
  readonly events: number;
  /** Whether these are all that are stored. Removed events are not among them in either case. */
  readonly complete: boolean;
  /** Milliseconds since the epoch, of the first and last event among them; null: there are none. */
  readonly firstEvent: number | null;
  readonly lastEvent: number | null;
  /** Beginning of the first bucket in milliseconds; null without events. */
  readonly since: number | null;
  readonly bucketHours: number;
  readonly buckets: number;
  /** Most frequent first, at most MAX_VALUES_OF_TREND. */
  readonly values: readonly TrendOfValue[];
  /** Events with further values. */
  readonly other: number;
}

/** Maximum of stored events that a trend looks at. */
export const MAX_EVENTS_OF_TREND = 1_000;

/** Maximum of values that a trend has. */
export const MAX_VALUES_OF_TREND = 20;

/** Maximum of buckets that a trend has. */
export const MAX_BUCKETS_OF_TREND = 60;
