import assert from 'node:assert/strict';
import { deliveryText } from '../../../ui/src/pages/alerts/delivery-text.ts';
import { factText } from '../../../ui/src/pages/error/fact-text.ts';

describe('texts about alerts', () => {
  const none = { new: 0, regressed: 0, escalated: 0, unmuted: 0 };

  it('say what a message is about', () => {
    for (const [delivery, text] of [
      [{ kind: 'test', counts: none, note: '' }, 'Test'],
      [{ kind: 'heartbeat', counts: none, note: 'All is well' }, 'All is well'],
      [{ kind: 'trouble', counts: none, note: '#ops takes no messages' }, '#ops takes no messages'],
      [{ kind: 'facts', counts: { ...none, new: 1 }, note: '' }, '1 new error'],
      [
        { kind: 'facts', counts: { ...none, new: 1000, regressed: 1, unmuted: 2 }, note: '' },
        '1,000 new, 1 regressed and 2 unmuted errors',
      ],
      [{ kind: 'facts', counts: none, note: '' }, 'No errors of this project'],
    ] as const) {
      assert.equal(deliveryText(delivery), text);
    }
  });

  it('say what happened to an error', () => {
    for (const [fact, text] of [
      [{ fact: 'new', cause: {} }, 'New error'],
      [{ fact: 'regressed', cause: {} }, 'Came back after it was resolved'],
      [{ fact: 'unmuted', cause: { reason: 'events' } }, 'No longer ignored: it happened often enough'],
      [{ fact: 'unmuted', cause: {} }, 'No longer ignored'],
      [{ fact: 'escalated', cause: { users: 1000 } }, 'Reached 1,000 users'],
      [{ fact: 'escalated', cause: { spike: { events: 400, mean: 1.2 } } }, '400 events in an hour, usually 1'],
      [{ fact: 'escalated', cause: { threshold: { events: 10, minutes: 5 } } }, '10 events in 5 minutes'],
    ] as const) {
      assert.equal(factText(fact), text);
    }
  });
});
