import assert from 'node:assert/strict';
import { DAY_SECONDS, frequencyOf, HOUR_SECONDS } from '../../../../src/thirdparty/map/frequency.ts';

const seconds = (text: string): number => Date.parse(text) / 1000;

/** Counts of a tracker whose newest bucket starts then, each of the given width. */
const buckets = (newest: string, width: number, counts: readonly number[]): [number, number][] =>
  counts.map((count, index) => [seconds(newest) - (counts.length - 1 - index) * width, count]);

describe('counts of a tracker in hours and days', () => {
  it('that start on the hour or day stay where they are', () => {
    const hours = frequencyOf(buckets('2026-11-23T04:00:00Z', HOUR_SECONDS, [1, 2, 3]), 3, HOUR_SECONDS);
    assert.deepEqual(hours, buckets('2026-11-23T04:00:00Z', HOUR_SECONDS, [1, 2, 3]));
    const days = frequencyOf(buckets('2026-11-23T00:00:00Z', DAY_SECONDS, [0, 0, 5, 7]), 3, DAY_SECONDS);
    assert.deepEqual(days, buckets('2026-11-23T00:00:00Z', DAY_SECONDS, [0, 5, 7]));
  });

  it('that slide with its clock stand under the hour and the day that they reach into: the newest holds now', () => {
    // Asked at 04:43:00 on the 23rd: the newest hour began at 03:43, the newest day on the 22nd.
    const hours = frequencyOf(buckets('2026-11-23T03:43:00Z', HOUR_SECONDS, [0, 4, 6]), 3, HOUR_SECONDS);
    assert.deepEqual(hours, buckets('2026-11-23T04:00:00Z', HOUR_SECONDS, [0, 4, 6]));
    const days = frequencyOf(buckets('2026-11-22T04:43:00Z', DAY_SECONDS, [0, 0, 7]), 3, DAY_SECONDS);
    assert.deepEqual(days, buckets('2026-11-23T00:00:00Z', DAY_SECONDS, [0, 0, 7]));
  });

  it('that are none at all are unknown, not zero', () => {
    for (const value of [[], null, 'x', [['a', 1]], [[1, -1]]])
      assert.equal(frequencyOf(value, 24, HOUR_SECONDS), null);
  });
});
