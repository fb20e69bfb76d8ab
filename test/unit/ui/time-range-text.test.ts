import assert from 'node:assert/strict';
import { timeRangeText } from '../../../ui/src/pages/errors/time-range-text.ts';

/** RFC 3339 of a local time, so that the words are the same in every zone. */
const at = (...[day, hour, minute]: [number, number, number]) => new Date(2026, 10, day, hour, minute).toISOString();

describe('a range of times in words', () => {
  for (const [after, before, text] of [
    ['', '', ''],
    [at(23, 14, 5), '', 'since 23 Nov 2026, 14:05'],
    ['', at(23, 0, 0), 'before 23 Nov 2026, 00:00'],
    [at(23, 14, 5), at(23, 15, 30), 'between 23 Nov 2026, 14:05 and 15:30'],
    [at(23, 23, 0), at(24, 1, 30), 'between 23 Nov 2026, 23:00 and 24 Nov 2026, 01:30'],
  ] as const) {
    it(`is "${text}"`, () => {
      assert.equal(timeRangeText(after, before), text);
    });
  }
});
