import assert from 'node:assert/strict';
import type { StoredMarks } from '../../../src/domain/errors/error-marks.ts';
import { shownMarks } from '../../../src/export/shown-marks.ts';
import { marksOf } from '../../../src/import/files/exported-marks.ts';

const AT = Date.parse('2026-11-24T12:00:00Z');

/** Writes marks to a line, and reads them again. */
function again(marks: StoredMarks): StoredMarks | undefined {
  return marksOf(JSON.parse(JSON.stringify(shownMarks(marks))) as Record<string, unknown>, AT);
}

describe('marks in an export', () => {
  it('are read as they were written, but for ids of rules', () => {
    const regressed = { at: AT - 5, release: '1.2' };
    const cause = { users: 10, spike: { events: 90, mean: 2.5 }, threshold: { events: 5, minutes: 10 } };
    const unmuted = { at: AT - 3, cause: { reason: 'events' as const, count: 3 } };
    const marks = { regressed, escalated: { at: AT - 4, cause }, unmuted, reviewAt: AT - 3, unhandled: false };
    assert.deepEqual(again(marks), marks);
    assert.deepEqual(again({ ...marks, escalated: { at: AT - 4, cause: { ...cause, ruleId: 7 } } }), marks);
    const few = {
      regressed: { at: AT, release: null },
      escalated: null,
      unmuted: null,
      reviewAt: null,
      unhandled: null,
    };
    assert.deepEqual(again(few), few);
    assert.deepEqual(shownMarks({ ...few, regressed: null }), {});
    assert.equal(again({ ...few, regressed: null }), undefined);
  });

  it('of files from anywhere are no later than the export, and without values of other types', () => {
    const later = '2999-01-01T00:00:00Z';
    assert.equal(marksOf({}, AT), undefined);
    assert.equal(marksOf({ marks: 'x' }, AT), undefined);
    assert.equal(marksOf({ marks: { for_review_since: 5, regressed: later, unhandled: 'yes' } }, AT), undefined);
    const cause = { users: -1, spike: { events: 'many', mean: 1 }, threshold: [], ruleId: 7 };
    assert.deepEqual(marksOf({ marks: { for_review_since: later, escalated: { at: later, cause } } }, AT), {
      ...{ regressed: null, escalated: { at: AT, cause: {} }, unmuted: null, reviewAt: AT, unhandled: null },
    });
  });
});
