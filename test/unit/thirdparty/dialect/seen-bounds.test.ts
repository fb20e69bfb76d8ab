import assert from 'node:assert/strict';
import {
  boundParameters,
  boundWords,
  missingBound,
  seenFilters,
} from '../../../../src/thirdparty/dialect/seen-bounds.ts';
import { TRACKER_TRAITS } from '../../../../src/thirdparty/dialect/tracker-traits.ts';

const AT = Date.parse('2026-11-24T10:00:00.250Z');

describe('bounds of times in the language of trackers', () => {
  it('are words of the query, the last millisecond as a whole', () => {
    assert.deepEqual(boundWords({ firstSeenAfter: AT, firstSeenBefore: AT, lastSeenAfter: AT, lastSeenBefore: AT }), [
      'firstSeen:>=2026-11-24T10:00:00.250Z',
      'firstSeen:<=2026-11-24T10:00:00.250999Z',
      'lastSeen:>=2026-11-24T10:00:00.250Z',
      'lastSeen:<=2026-11-24T10:00:00.250999Z',
    ]);
    assert.deepEqual(boundWords({}), []);
  });

  it('are parameters for the first event only', () => {
    assert.deepEqual(boundParameters({ firstSeenAfter: AT, firstSeenBefore: AT, lastSeenAfter: AT }), [
      ['start', '2026-11-24T10:00:00.250Z'],
      ['end', '2026-11-24T10:00:00.250999Z'],
    ]);
  });

  it('are refused where the tracker has none', () => {
    const last = { lastSeenAfter: AT };
    assert.equal(missingBound(last, 'query'), null);
    assert.equal(missingBound(last, 'parameters'), 'last_seen_after');
    assert.equal(missingBound({ firstSeenBefore: 0 }, 'parameters'), null);
    assert.equal(missingBound({ firstSeenBefore: 0 }, null), 'first_seen_before');
    assert.equal(missingBound({}, null), null);
  });

  it('are known of each kind of tracker', () => {
    const ofKind = (kind: keyof typeof TRACKER_TRAITS) => seenFilters(TRACKER_TRAITS[kind].boundsIn);
    assert.deepEqual(ofKind('sentry'), [
      'first_seen_after',
      'first_seen_before',
      'last_seen_after',
      'last_seen_before',
    ]);
    assert.deepEqual(ofKind('glitchtip'), ['first_seen_after', 'first_seen_before']);
    for (const kind of ['urgentry', 'bugsink', 'unknown'] as const) assert.deepEqual(ofKind(kind), [], kind);
  });
});
