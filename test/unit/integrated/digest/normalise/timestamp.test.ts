import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatTimestamp, parseTimestamp } from '../../../../../src/integrated/digest/normalise/timestamp.ts';

const FIRST = Date.parse('0001-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');
const times = fc.oneof(
  fc.integer({ min: FIRST, max: LAST }),
  // Most lie close together, on both sides of the epoch too.
  fc.integer({ min: -100_000, max: 100_000 }),
  fc.integer({ min: Date.parse('2026-11-22T10:00:00Z'), max: Date.parse('2026-11-22T10:05:00Z') }),
);

describe('timestamps', () => {
  it('are written as the standard library writes them', () => {
    fc.assert(fc.property(times, (at) => formatTimestamp(at) === new Date(at).toISOString()));
  });

  it('are read in every accepted form', () => {
    const forms = [
      (text: string) => text,
      (text: string) => text.replace('Z', '+00:00'),
      (text: string) => text.replace('Z', ''),
      (text: string) => text.replace('Z', '-0000'),
      (text: string) => text.replace('T', ' '),
      (text: string) => ` ${text} `,
      (text: string) => text.replace('Z', '999Z'),
      (text: string) => text.replace('Z', '000000000+00:00'),
    ];
    fc.assert(
      fc.property(
        times,
        fc.constantFrom(...forms),
        (at, form) => parseTimestamp(form(new Date(at).toISOString())) === at,
      ),
    );
  });

  const minute = Date.parse('2026-11-22T10:11:00Z');
  for (const [text, expected] of [
    ['2026-11-22T10:11:12Z', minute + 12_000],
    ['2026-11-22T10:11:12.5Z', minute + 12_500],
    ['2026-11-22T10:11:12.05Z', minute + 12_050],
    ['2026-11-22T10:11:12.999999Z', minute + 12_999],
    ['2026-11-22T10:11:60Z', minute + 60_000],
    ['2026-11-22T10:11:12,5Z', minute + 12_500],
    ['2026-11-22T10:11:12+02:00', minute + 12_000 - 7_200_000],
    ['2026-11-22T10:11:12.5-00:30', minute + 12_500 + 1_800_000],
    ['2026-11-22T24:00:00Z', Date.parse('2026-11-23T00:00:00Z')],
    ['2026-11-22T10:11Z', minute],
    ['2026-11-22', Date.parse('2026-11-22T00:00:00Z')],
    ['1700000000.25', 1_700_000_000_250],
    [1_700_000_000.25, 1_700_000_000_250],
    ['0001-01-01T00:00:00.000Z', FIRST],
    ['0099-12-31T23:59:59.999Z', Date.parse('0099-12-31T23:59:59.999Z')],
    ['0000-12-31T23:59:59.999Z', null],
    ['9999-12-31T23:59:59.999Z', LAST],
    ['9999-12-31T23:59:60Z', null],
    ['2026-13-22T10:11:12Z', null],
    ['2026-11-22T25:11:12Z', null],
    ['2026-11-22T10:11:1xZ', null],
    ['2026-11-22T10:11:12.Z', null],
    ['2026-11-22T10:11:12.1234567890123Z', null],
    ['2026-11-22T10:11:12.5', minute + 12_500],
    ['2026-11-22T10:11:12.5ZZ', null],
    ['2026-11-22T10:11:', null],
    ['xxxxxxxxxxTxx:xx:12Z', null],
    ['yesterday', null],
    [null, null],
  ] as const) {
    it(`${JSON.stringify(text)} is ${expected === null ? 'no time' : new Date(expected).toISOString()}`, () => {
      assert.equal(parseTimestamp(text), expected);
      assert.equal(parseTimestamp(text), expected, 'the second time too');
    });
  }
});
