import type { OutcomeCount } from '../../../domain/ingest/digest.ts';
import { DAY_MS } from '../../../domain/durations.ts';

/** Dimensions by which outcomes can be counted, in their sort order. */
export const OUTCOME_DIMENSIONS = ['hour', 'day', 'key_id', 'category', 'outcome', 'reason'] as const;
export type OutcomeDimension = (typeof OUTCOME_DIMENSIONS)[number];

/** Values of the selected dimensions in their order; numbers are milliseconds or ids. */
export type OutcomePlace = readonly (number | string)[];

export interface OutcomeSum {
  readonly place: OutcomePlace;
  readonly quantity: number;
}

export interface OutcomeSumsQuery {
  /** Whole hour, milliseconds; inclusive. */
  readonly since: number;
  /** Milliseconds; exclusive. */
  readonly until: number;
  readonly groupBy: readonly OutcomeDimension[];
  /** Returns true for the counts to include. */
  readonly matches: (count: OutcomeCount) => boolean;
  /** Last place of the previous page; null: from the beginning. */
  readonly after: OutcomePlace | null;
  readonly limit: number;
}

/** Reads the counts of a span, `since` inclusive and `until` exclusive. */
export type ReadOutcomes = (since: number, until: number) => Promise<readonly OutcomeCount[]>;

/**
 * Sums up outcomes one day at a time, so that a long span blocks neither memory nor the event loop. Returns at most
 * `limit + 1` sums; one above `limit` means that there is another page. Without time as a dimension, holds one sum per
 * combination of values.
 */
export async function sumOutcomes(read: ReadOutcomes, query: OutcomeSumsQuery): Promise<OutcomeSum[]> {
  const { until, groupBy, matches, after, limit } = query;
  const byTime = groupBy[0] === 'hour' || groupBy[0] === 'day';
  const found: OutcomeSum[] = [];
  const whole = new Map<string, OutcomeSum>();
  for (let day = firstDay(query, byTime); day < until; day += DAY_MS) {
    const sums = byTime ? new Map<string, OutcomeSum>() : whole;
    for (const count of await read(Math.max(day, query.since), Math.min(day + DAY_MS, until))) {
      if (matches(count)) {
        add(sums, groupBy, count);
      }
    }
    if (byTime) {
      found.push(...inOrder(sums, after));
      if (found.length > limit) {
        return found.slice(0, limit + 1);
      }
    }
  }
  return byTime ? found : inOrder(whole, after).slice(0, limit + 1);
}

/** Returns the first day to read: days before that of the place are on previous pages. */
function firstDay({ since, after }: OutcomeSumsQuery, byTime: boolean): number {
  const from = byTime && typeof after?.[0] === 'number' ? Math.max(since, after[0]) : since;
  return Math.floor(from / DAY_MS) * DAY_MS;
}

function add(sums: Map<string, OutcomeSum>, groupBy: readonly OutcomeDimension[], count: OutcomeCount): void {
  const place = groupBy.map((dimension) => valueOf(count, dimension));
  const key = place.join('\n');
  sums.set(key, { place, quantity: (sums.get(key)?.quantity ?? 0) + count.quantity });
}

function valueOf(count: OutcomeCount, dimension: OutcomeDimension): number | string {
  switch (dimension) {
    case 'hour':
      return count.at;
    case 'day':
      return Math.floor(count.at / DAY_MS) * DAY_MS;
    case 'key_id':
      return count.keyId;
    default:
      return count[dimension];
  }
}

function inOrder(sums: ReadonlyMap<string, OutcomeSum>, after: OutcomePlace | null): OutcomeSum[] {
  return [...sums.values()]
    .filter(({ place }) => after === null || compare(place, after) > 0)
    .sort((a, b) => compare(a.place, b.place));
}

function compare(a: OutcomePlace, b: OutcomePlace): number {
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? value;
    if (value !== other) {
      return value < other ? -1 : 1;
    }
  }
  return 0;
}
