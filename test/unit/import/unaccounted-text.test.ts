import assert from 'node:assert/strict';
import { cardText } from '../../../src/import/linked/progress-texts.ts';
import { unaccountedText } from '../../../src/import/unaccounted-events.ts';

describe('the warning of live events that count twice', () => {
  it('is grammatical for one event and for several', () => {
    for (const text of [unaccountedText, cardText]) {
      assert.match(
        text(1),
        /^1 live event came here without forwarding, to count twice if the old tracker gets the same: /,
      );
      assert.match(text(3), /^3 live events came here without forwarding, to count twice if /);
    }
  });
});
