import assert from 'node:assert/strict';
import { errorHeading } from '../../../ui/src/lib/error-heading.ts';
import { causeText, marksOf } from '../../../ui/src/lib/mark-texts.ts';
import { shortType } from '../../../ui/src/lib/short-type.ts';
import { headingMarks } from '../../../ui/src/pages/error/heading-marks.ts';
import { parseListQuery } from '../../../ui/src/pages/errors/list-query.ts';
import { countOf, shortCount, tabCount, tabOf } from '../../../ui/src/pages/errors/list-tabs.ts';
import { pageAfter, shownText } from '../../../ui/src/pages/errors/shown-text.ts';

const NONE = { new: false, regressed: null, escalating: null, unmuted: null, unhandled: null, for_review: false };

describe('texts of the list', () => {
  it('shorten the packages of long types only', () => {
    const cases = [
      ['com.acme.payments.gateway.DeclinedException', 'c.a.p.g.DeclinedException'],
      ['Illuminate\\Database\\Eloquent\\QueryException', 'I\\D\\E\\QueryException'],
      ['alloc::collections::btree::map::MissingKey', 'a::c::b::m::MissingKey'],
      ['java.lang.NullPointerException', 'java.lang.NullPointerException'],
      [`${'x'.repeat(40)}Error`, `${'x'.repeat(40)}Error`],
      [`a sentence. With more words. ${'x'.repeat(20)}`, `a sentence. With more words. ${'x'.repeat(20)}`],
    ] as const;
    for (const [type, short] of cases) assert.equal(shortType(type), short);
  });

  it('split a title into type and message, and leave others whole', () => {
    const type = 'com.acme.payments.gateway.DeclinedException';
    assert.deepEqual(errorHeading({ title: `${type}: no fu…`, type, message: 'no funds' }), {
      lead: 'c.a.p.g.DeclinedException',
      message: 'no funds',
      title: `${type}: no fu…`,
    });
    assert.deepEqual(errorHeading({ title: 'KeyError', type: 'KeyError', message: null }).message, '');
    for (const type of [null, 'Other']) {
      assert.equal(errorHeading({ title: 'KeyErrors: x', type, message: 'x' }).lead, 'KeyErrors: x');
    }
    assert.equal(errorHeading({ title: 'KeyErrors: x', type: 'KeyError', message: 'x' }).lead, 'KeyErrors: x');
  });

  it('say what deserves attention as words, with since when and why', () => {
    const at = '2026-11-24T09:05:00Z';
    const marks = {
      new: true,
      regressed: { at, release: 'shop@2.33.0' },
      escalating: { at, cause: { spike: { events: 40, mean: 3.25 } } },
      unmuted: null,
      unhandled: true,
      for_review: true,
    };
    const found = marksOf({ level: 'fatal', marks, integrated: true });
    assert.deepEqual(
      found.map(({ word }) => word),
      ['Regressed', 'Escalating', 'New', 'Fatal', 'Unhandled'],
    );
    assert.match(found[0]?.hint ?? '', /^It came back on .*24 Nov.* in shop@2\.33\.0$/);
    assert.match(found[1]?.hint ?? '', /^Since .*: 40 events in an hour, usually 3$/);
    assert.deepEqual(marksOf({ level: 'error', marks: NONE, integrated: true }), []);
    assert.deepEqual(
      marksOf({ level: 'fatal', marks: null, integrated: false }).map(({ word }) => word),
      ['Fatal'],
    );
    assert.equal(causeText({ users: 100 }), 'reached 100 users');
    assert.equal(causeText({ threshold: { events: 50, minutes: 5 } }), '50 events in 5 minutes');
  });

  it('say until when an error was ignored, while nobody has reviewed it', () => {
    const at = '2026-11-24T09:05:00Z';
    for (const [reason, count, text] of [
      ['events', 3, /^Ignored until 3 events$/],
      ['users', 1, /^Ignored until 1 user$/],
      ['until', null, /^Ignored until .*24 Nov/],
      [null, null, /^No longer ignored$/],
    ] as const) {
      const marks = { ...NONE, unmuted: { at, reason, count } };
      const [listed] = marksOf({ level: 'error', marks, integrated: true });
      assert.match(listed?.word ?? '', text);
      const [heading] = headingMarks({ marks, integrated: true });
      assert.match(heading?.text ?? '', text);
    }
  });

  it('say of marks of external trackers that the times are unknown', () => {
    const marks = {
      ...{ new: true, unmuted: null, unhandled: null, for_review: null },
      ...{ regressed: { at: null, release: null }, escalating: { at: null, cause: {} } },
    };
    const hints = marksOf({ level: 'error', marks, integrated: false }).map(({ word, hint }) => `${word}: ${hint}`);
    assert.deepEqual(hints, [
      'Regressed: It came back. The external tracker does not say since when',
      'Escalating: It happens more often than before. The external tracker does not say since when',
      'New: The external tracker calls it new',
    ]);
    const heading = headingMarks({ marks, integrated: false });
    assert.deepEqual(
      heading.map(({ text }) => text),
      ['New', 'Regressed', 'Escalating'],
    );
    assert.match(heading[1]?.hint ?? '', /does not say since when$/);
  });

  it('count tabs up to the maximum', () => {
    const counts = { unresolved: 53, for_review: 2, resolved: 7, ignored: 10_000, matching: 53 };
    assert.deepEqual(
      (['unresolved', 'for_review', 'ignored', 'all'] as const).map((tab) => tabCount(counts, tab)),
      ['53', '2', '10,000+', '10,000+'],
    );
    assert.equal(tabCount({ ...counts, ignored: 4 }, 'all'), '64');
    assert.equal(tabCount(null, 'all'), null);
    assert.deepEqual(['999', '10,000+', '2,997'].map(shortCount), [null, '10k+', '2.9k']);
    assert.equal(tabOf({ status: 'unresolved', for_review: 'true' }), 'for_review');
    const query = parseListQuery({ status: 'resolved' });
    assert.equal(countOf(counts, query), '7');
    // The counts of the tabs leave out what a search says about the status.
    assert.equal(countOf(counts, { ...query, search: 'x !is:ignored' }), '53');
    assert.equal(countOf(counts, { ...query, search: 'this:x' }), '7');
  });

  it('name the errors of a page', () => {
    const first = { cursor: '', page: '', per_page: '20' } as const;
    assert.equal(shownText(first, 20, '53'), '1–20 of 53');
    assert.equal(shownText({ ...first, cursor: 'c', page: '3' }, 13, '10,000+'), '41–53 of 10,000+');
    assert.equal(shownText({ ...first, cursor: 'c' }, 20, '53'), '20 of 53');
    assert.equal(shownText(first, 20, null), '1–20');
    assert.equal(shownText(first, 0, '0'), '');
    assert.deepEqual(
      [pageAfter(first, 1), pageAfter({ cursor: 'c', page: '2' }, -1), pageAfter({ cursor: 'c', page: '' }, 1)],
      ['2', '1', ''],
    );
  });
});
