import assert from 'node:assert/strict';
import { AlertLinks } from '../../../../src/alerts/messages/links.ts';
import { MINUTE } from '../../../support/dispatch-world.ts';
import { NOON } from '../../../support/store-data.ts';

describe('links of messages', () => {
  it('lead to lists that keep an error of which an earlier event arrives later', () => {
    const links = new AlertLinks(() => 'https://errgate.test');
    for (const seconds of [0, 1, 59]) {
      const oldest = NOON + seconds * 1000;
      const list = links.list({ path: 'a/b' }, { firstSeen: [oldest, NOON + MINUTE], lastSeen: NOON + MINUTE });
      const bounds = new URL(list).searchParams;
      assert.equal(bounds.get('first_seen_after'), new Date(NOON - MINUTE).toISOString());
      assert.equal(bounds.get('first_seen_before'), new Date(NOON + MINUTE).toISOString());
    }
  });
});
