import assert from 'node:assert/strict';
import { statusText } from '../../../ui/src/pages/errors/status-text.ts';

describe('the status of an error in words', () => {
  for (const [status, status_details, text] of [
    ['unresolved', {}, 'unresolved'],
    ['resolved', {}, 'resolved'],
    ['resolved', null, 'resolved'],
    ['resolved', { inRelease: '1.4.2' }, 'resolved in 1.4.2'],
    ['resolved', { inNextRelease: true, afterRelease: '1.4.2' }, 'resolved in the next release after 1.4.2'],
    ['resolved', { inNextRelease: true, afterRelease: null }, 'resolved in the next release'],
    ['resolved', { inCommit: { commit: 'f00dbabe12345678' } }, 'resolved by f00dbabe123…'],
    [
      'resolved',
      { inRelease: '1.4+f00dbabe', inCommit: { commit: 'f00dbabe', repository: 'group/shop' } },
      'resolved in 1.4+f00dbabe by f00dbabe of group/shop',
    ],
    ['ignored', {}, 'ignored'],
    ['ignored', { ignoreUntil: '2026-12-03T12:00:00Z' }, 'ignored until 3 December 2026'],
    ['ignored', { ignoreCount: 1 }, 'ignored until 1 more event'],
    ['ignored', { ignoreCount: 1000, ignoreUserCount: 5 }, 'ignored until 1,000 more events or 5 more users'],
  ] as const) {
    it(`is "${text}"`, () => {
      assert.equal(statusText({ status, status_details }), text);
    });
  }
});
