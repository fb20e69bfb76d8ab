import assert from 'node:assert/strict';
import { RECEIVED_AT, normalise } from '../digest-support.ts';

const MINUTE = 60_000;
const iso = (at: number) => new Date(at).toISOString();

describe('clock of the sender', () => {
  const rows: [what: string, sentAt: number | null, happened: number, expected: number, notes: string[]][] = [
    [
      '54 minutes off: taken for travel time',
      RECEIVED_AT - 54 * MINUTE,
      RECEIVED_AT - 55 * MINUTE,
      RECEIVED_AT - 55 * MINUTE,
      [],
    ],
    [
      '55 minutes behind: corrected',
      RECEIVED_AT - 55 * MINUTE,
      RECEIVED_AT - 56 * MINUTE,
      RECEIVED_AT - MINUTE,
      ["timestamp: corrected by the drift of the sender's clock"],
    ],
    [
      'a year ahead: corrected',
      RECEIVED_AT + 365 * 1440 * MINUTE,
      RECEIVED_AT + 365 * 1440 * MINUTE - 5000,
      RECEIVED_AT - 5000,
      ["timestamp: corrected by the drift of the sender's clock"],
    ],
    ['no sent_at, 60 s ahead: kept', null, RECEIVED_AT + MINUTE, RECEIVED_AT + MINUTE, []],
    [
      'no sent_at, 61 s ahead: time of receipt',
      null,
      RECEIVED_AT + 61_000,
      RECEIVED_AT,
      ['timestamp: out of range, time of receipt used'],
    ],
    ['30 days old: kept', null, RECEIVED_AT - 43_200 * MINUTE, RECEIVED_AT - 43_200 * MINUTE, []],
    [
      'older than 30 days: time of receipt',
      null,
      RECEIVED_AT - 43_201 * MINUTE,
      RECEIVED_AT,
      ['timestamp: out of range, time of receipt used'],
    ],
  ];
  for (const [what, sentAt, happened, expected, notes] of rows) {
    it(what, () => {
      const event = normalise({ timestamp: iso(happened) }, { sentAt });
      assert.deepEqual([event.timestamp, event.notes], [iso(expected), notes]);
    });
  }

  it('corrects the times of breadcrumbs too', () => {
    const raw = {
      timestamp: iso(RECEIVED_AT - 120 * MINUTE),
      breadcrumbs: [{ timestamp: iso(RECEIVED_AT - 121 * MINUTE) }],
    };
    const event = normalise(raw, { sentAt: RECEIVED_AT - 120 * MINUTE });
    assert.equal(event.timestamp, iso(RECEIVED_AT));
    assert.equal(event.breadcrumbs[0]?.timestamp, iso(RECEIVED_AT - MINUTE));
  });
});
